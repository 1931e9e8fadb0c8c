package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/slotway/slotway/config/reference"
)

// writePages writes a page for each area and one for the commands.
func (e *explaining) writePages(root *cobra.Command) error {
	pages, err := referencePages(e.library, root)
	if err != nil {
		return err
	}
	for name, text := range pages {
		if err := os.WriteFile(filepath.Join(e.write, name), text, 0o644); err != nil {
			return fmt.Errorf("write the reference: %w", err)
		}
	}
	return nil
}

// referencePages makes the pages of docs/reference by the names of their files.
func referencePages(library *reference.Library, root *cobra.Command) (map[string][]byte, error) {
	pages := map[string][]byte{"commands.md": commandsPage(root)}
	for _, a := range library.Areas {
		var out bytes.Buffer
		if err := library.WriteMarkdown(&out, a); err != nil {
			return nil, err
		}
		pages[a.Name+".md"] = out.Bytes()
	}
	return pages, nil
}

// commandsPage describes every command with its flags, from the program's own help.
func commandsPage(root *cobra.Command) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Commands\n\n%s\n\n", reference.Generated)
	b.WriteString("`slotway COMMAND --help` prints the same. Exit code 0 means success, 1 a failed check, 2 wrong usage. Logs go to standard\nerror, never to standard output.\n\n")
	b.WriteString("| command | purpose |\n| --- | --- |\n")
	commands := visible(root)
	for _, c := range commands {
		name := strings.TrimPrefix(c.CommandPath(), root.Name()+" ")
		fmt.Fprintf(&b, "| [`%s`](#%s) | %s |\n", name, reference.Anchor(c.CommandPath()), cellText(c.Short))
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
