package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/slotway/slotway/config/reference"
)

// updateReference writes the pages of docs/reference.
var updateReference = flag.Bool("update-reference", false, "write the pages of docs/reference anew")

// The pages of docs/reference hold the texts of explain.
func TestReferencePagesAreUpToDate(t *testing.T) {
	dir := filepath.Join("..", "..", "docs", "reference")
	for name, want := range referencePages(referenceLibrary(), newRoot()) {
		path := filepath.Join(dir, name)
		if *updateReference {
			if err := os.WriteFile(path, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(path)
		if err != nil || string(got) != string(want) {
			t.Errorf("%s is out of date (%v): run go test ./cmd/slotway -run TestReferencePages -update-reference\n%s", name, err, cmp.Diff(string(got), string(want)))
		}
	}
}

// generated stands at the top of every page.
const generated = "<!-- Made by `go test ./cmd/slotway -run TestReferencePages -update-reference`. Change the texts beside the code, not this page. -->"

// referencePages makes the pages of docs/reference by the names of their files.
func referencePages(library *reference.Library, root *cobra.Command) map[string][]byte {
	pages := map[string][]byte{"commands.md": commandsPage(root)}
	for _, a := range library.Areas {
		pages[a.Name+".md"] = areaPage(library, a)
	}
	return pages
}

// commandsPage describes every command with its flags, from the program's own help.
func commandsPage(root *cobra.Command) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Commands\n\n%s\n\n", generated)
	b.WriteString("`slotway COMMAND --help` prints the same. Exit code 0 means success, 1 a failed check, 2 wrong usage. Logs go to standard\nerror, never to standard output.\n\n")
	b.WriteString("| command | purpose |\n| --- | --- |\n")
	commands := visible(root)
	for _, c := range commands {
		name := strings.TrimPrefix(c.CommandPath(), root.Name()+" ")
		fmt.Fprintf(&b, "| [`%s`](#%s) | %s |\n", name, anchorOf(c.CommandPath()), cellText(c.Short))
	}
	b.WriteString("\n## Flags of every command\n\n" + flagTable(root.PersistentFlags()))
	for _, c := range commands {
		level := strings.Repeat("#", min(2+strings.Count(c.CommandPath(), " ")-1, 4))
		fmt.Fprintf(&b, "\n%s `%s`\n\n%s.\n", level, c.CommandPath(), strings.TrimSuffix(c.Short, "."))
		if long := strings.TrimSpace(c.Long); long != "" {
			fmt.Fprintf(&b, "\n```text\n%s\n```\n", long)
		}
		if c.Runnable() && !c.HasAvailableSubCommands() {
			fmt.Fprintf(&b, "\n```text\n%s\n```\n", c.UseLine())
		}
		if c.Example != "" {
			fmt.Fprintf(&b, "\n```text\n%s\n```\n", strings.TrimRight(c.Example, "\n"))
		}
		if table := flagTable(c.LocalNonPersistentFlags()); table != "" {
			b.WriteString("\n" + table)
		}
	}
	return b.Bytes()
}

// visible lists the commands below root that its help shows, groups before their members.
func visible(root *cobra.Command) []*cobra.Command {
	var out []*cobra.Command
	for _, c := range root.Commands() {
		if !c.IsAvailableCommand() || c.Name() == "help" || c.Name() == "completion" {
			continue
		}
		out = append(append(out, c), visible(c)...)
	}
	return out
}

// flagTable lists flags as a table; "" if there are none.
func flagTable(set *pflag.FlagSet) string {
	var rows []string
	set.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		flag, usage := flagTerm(f)
		rows = append(rows, fmt.Sprintf("| `%s` | %s |\n", flag, cellText(usage)))
	})
	if len(rows) == 0 {
		return ""
	}
	return "| flag | meaning |\n| --- | --- |\n" + strings.Join(rows, "")
}

// flagTerm returns how a flag is written, and what it does with its default.
func flagTerm(f *pflag.Flag) (term, usage string) {
	name, usage := pflag.UnquoteUsage(f)
	term = "--" + f.Name
	if name != "" {
		term += " " + name
	}
	if f.Shorthand != "" {
		term = "-" + f.Shorthand + ", " + term
	}
	if !slices.Contains([]string{"", "false", "0", "[]", "0s"}, f.DefValue) {
		usage += fmt.Sprintf(" (default `%s`)", f.DefValue)
	}
	return term, usage
}

// cellText makes a text fit into a cell of a table.
func cellText(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;").Replace(text)
}

// areaLibrary writes the pages of the areas of a library.
type areaLibrary struct{ *reference.Library }

// areaPage is the page of an area.
func areaPage(library *reference.Library, a *reference.Area) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n\n%s\n", a.Title, generated, a.Intro)
	for _, e := range a.Entries {
		if e.From == "" {
			(&areaLibrary{library}).section(&b, e)
		}
	}
	return []byte(b.String())
}

// parentOf is the key of the group that a key is in; "" for none.
func parentOf(key string) string {
	e := reference.Entry{Key: key}
	return strings.TrimSuffix(strings.TrimSuffix(key, e.Last()), ".")
}

// section writes one key: groups under a heading of the second level, other keys of the third.
func (l *areaLibrary) section(b *strings.Builder, e *reference.Entry) {
	below := l.Below(e.Key)
	level := "###"
	if len(below) > 0 || parentOf(e.Key) == "" || parentOf(e.Key) == e.Area && e.Area != "agent" {
		level = "##"
	}
	fmt.Fprintf(b, "\n%s %s\n\n%s\n", level, asCode(headingOf(e)), e.Meaning)
	var facts []string
	add := func(name, text string) {
		if text != "" {
			facts = append(facts, fmt.Sprintf("- %s: %s", name, text))
		}
	}
	add("type", e.Type)
	if e.Required {
		add("required", "yes")
	}
	add("default", l.plainDefault(e))
	add("limits", e.Limits)
	for _, f := range e.Also {
		add(strings.ToLower(f.Name[:1])+f.Name[1:], asCode(f.Text))
	}
	add("see also", l.links(e.See))
	if e.Same != "" {
		add("keys", "those of "+l.links([]string{e.Same}))
	}
	if inherited := inherits(below); inherited != "" && e.Same == "" {
		add("also", "the keys of "+l.links([]string{inherited}))
	}
	if len(facts) > 0 {
		b.WriteString("\n" + strings.Join(facts, "\n") + "\n")
	}
	l.values(b, e)
	if e.Example != "" {
		fmt.Fprintf(b, "\n```%s\n%s\n```\n", exampleLanguage(e), e.Example)
	}
}

// plainDefault marks a default that is one value as code; a sentence stays a sentence.
func (l *areaLibrary) plainDefault(e *reference.Entry) string {
	if e.Default == "" || strings.ContainsAny(e.Default, " `") || e.Default == "none" || e.Default == "nothing" || e.Default == "always" {
		return e.Default
	}
	return asCode(e.Default)
}

func (l *areaLibrary) values(b *strings.Builder, e *reference.Entry) {
	meant := false
	for _, v := range e.Allowed {
		meant = meant || v.Meaning != ""
	}
	switch {
	case meant:
		b.WriteString("\n| value | meaning |\n| --- | --- |\n")
		for _, v := range e.Allowed {
			fmt.Fprintf(b, "| %s | %s |\n", asCode(v.Value), asCell(v.Meaning))
		}
	case len(e.Allowed) > 0:
		names := make([]string, len(e.Allowed))
		for i, v := range e.Allowed {
			names[i] = asCode(v.Value)
		}
		fmt.Fprintf(b, "- allowed: %s\n", strings.Join(names, ", "))
	}
	if len(e.Gives) > 0 {
		b.WriteString("\n| example | gives |\n| --- | --- |\n")
		for _, g := range e.Gives {
			fmt.Fprintf(b, "| %s | %s |\n", asCell(asCode(g.Text)), asCell(asCode(g.Is)))
		}
	}
}

// inherits returns the key whose keys a group takes; "" for none.
func inherits(below []*reference.Entry) string {
	for _, e := range below {
		if e.From != "" {
			return parentOf(e.From)
		}
	}
	return ""
}

// links links keys to their sections.
func (l *areaLibrary) links(keys []string) string {
	out := make([]string, len(keys))
	for i, key := range keys {
		out[i] = asCode(key)
		page, anchor := "", ""
		switch e, a := l.Entry(key), l.Area(key); {
		case e != nil:
			page, anchor = e.Area+".md", "#"+anchorOf(headingOf(e))
		case a != nil:
			page = a.Name + ".md"
		}
		if page != "" {
			out[i] = "[" + out[i] + "](" + page + anchor + ")"
		}
	}
	return strings.Join(out, ", ")
}

// headingOf returns an entry's heading: the key without the name of its area.
func headingOf(e *reference.Entry) string {
	if e.Area == "agent" {
		return e.Key
	}
	return strings.TrimPrefix(e.Key, e.Area+".")
}

// anchorOf returns the anchor that a Markdown heading gets: small letters, digits, - and _, and - for
// a space.
func anchorOf(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
}

// exampleLanguage names the language of an entry's example for highlighting.
func exampleLanguage(e *reference.Entry) string {
	if e.Area == "expressions" || e.Area == "templates" {
		return ""
	}
	return "yaml"
}

// asCode marks text as code, with more backticks if it has some itself.
func asCode(text string) string {
	if strings.Contains(text, "`") {
		return "`` " + text + " ``"
	}
	return "`" + text + "`"
}

// asCell escapes what would end a cell of a table.
func asCell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }
