package reference

import (
	"fmt"
	"io"
	"strings"
	"unicode"
)

// Generated stands at the top of every generated page.
const Generated = "<!-- Made by `slotway explain --write docs/reference`. Change the texts beside the code, not this page. -->"

// WriteMarkdown writes the page of an area.
func (l *Library) WriteMarkdown(out io.Writer, a *Area) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n\n%s\n", a.Title, Generated, a.Intro)
	for _, e := range a.Entries {
		if e.From == "" {
			l.section(&b, e)
		}
	}
	if _, err := io.WriteString(out, b.String()); err != nil {
		return fmt.Errorf("write the reference: %w", err)
	}
	return nil
}

// section writes one key: groups under a heading of the second level, other keys of the third.
func (l *Library) section(b *strings.Builder, e *Entry) {
	below := l.Below(e.Key)
	level := "###"
	if len(below) > 0 || parent(e.Key) == "" || parent(e.Key) == e.Area && e.Area != "agent" {
		level = "##"
	}
	fmt.Fprintf(b, "\n%s %s\n\n%s\n", level, code(Heading(e)), e.Meaning)
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
		add(strings.ToLower(f.Name[:1])+f.Name[1:], code(f.Text))
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
		fmt.Fprintf(b, "\n```%s\n%s\n```\n", language(e), e.Example)
	}
}

// plainDefault marks a default that is one value as code; a sentence stays a sentence.
func (l *Library) plainDefault(e *Entry) string {
	if e.Default == "" || strings.ContainsAny(e.Default, " `") || e.Default == "none" || e.Default == "nothing" || e.Default == "always" {
		return e.Default
	}
	return code(e.Default)
}

func (l *Library) values(b *strings.Builder, e *Entry) {
	meant := false
	for _, v := range e.Allowed {
		meant = meant || v.Meaning != ""
	}
	switch {
	case meant:
		b.WriteString("\n| value | meaning |\n| --- | --- |\n")
		for _, v := range e.Allowed {
			fmt.Fprintf(b, "| %s | %s |\n", code(v.Value), cell(v.Meaning))
		}
	case len(e.Allowed) > 0:
		names := make([]string, len(e.Allowed))
		for i, v := range e.Allowed {
			names[i] = code(v.Value)
		}
		fmt.Fprintf(b, "- allowed: %s\n", strings.Join(names, ", "))
	}
	if len(e.Gives) > 0 {
		b.WriteString("\n| example | gives |\n| --- | --- |\n")
		for _, g := range e.Gives {
			fmt.Fprintf(b, "| %s | %s |\n", cell(code(g.Text)), cell(code(g.Is)))
		}
	}
}

// inherits returns the key whose keys a group takes; "" for none.
func inherits(below []*Entry) string {
	for _, e := range below {
		if e.From != "" {
			return parent(e.From)
		}
	}
	return ""
}

// links links keys to their sections.
func (l *Library) links(keys []string) string {
	out := make([]string, len(keys))
	for i, key := range keys {
		out[i] = code(key)
		page, anchor := "", ""
		switch e, a := l.entries[key], l.Area(key); {
		case e != nil:
			page, anchor = e.Area+".md", "#"+Anchor(Heading(e))
		case a != nil:
			page = a.Name + ".md"
		}
		if page != "" {
			out[i] = "[" + out[i] + "](" + page + anchor + ")"
		}
	}
	return strings.Join(out, ", ")
}

// Heading returns an entry's heading: the key without the name of its area.
func Heading(e *Entry) string {
	if e.Area == "agent" {
		return e.Key
	}
	return strings.TrimPrefix(e.Key, e.Area+".")
}

// Anchor returns the anchor that a Markdown heading gets: small letters, digits, - and _, and - for
// a space.
func Anchor(heading string) string {
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

// language names the language of an entry's example for highlighting.
func language(e *Entry) string {
	if e.Area == "expressions" || e.Area == "templates" {
		return ""
	}
	return "yaml"
}

// code marks text as code, with more backticks if it has some itself.
func code(text string) string {
	if strings.Contains(text, "`") {
		return "`` " + text + " ``"
	}
	return "`" + text + "`"
}

// cell escapes what would end a cell of a table.
func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }
