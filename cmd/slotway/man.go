package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/slotway/slotway/internal/build"
)

// newMan writes the manual pages. It is hidden because scripts/release.sh runs it; a person reads the pages,
// or the help, which has the same texts.
func newMan() *cobra.Command {
	return &cobra.Command{
		Use:     "man DIR",
		Hidden:  true,
		Short:   "Write a manual page of every command to a folder",
		Example: "  slotway man ~/.local/share/man/man1",
		Args:    exactArgs(1, "the folder to write the manual pages to"),
		RunE: func(cmd *cobra.Command, args []string) error {
			b := build.ReadInfo()
			day, _, _ := strings.Cut(b.Time, "T")
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return fmt.Errorf("write the manual pages: %w", err)
			}
			for name, text := range manPages(cmd.Root(), b.Version, day) {
				if err := os.WriteFile(filepath.Join(args[0], name), text, 0o644); err != nil {
					return fmt.Errorf("write the manual pages: %w", err)
				}
			}
			return nil
		},
	}
}

// manPages returns the manual pages of root and every visible command below it, by file name. The day is
// that of the source, so that the bytes of a page do not depend on the day of the build.
func manPages(root *cobra.Command, version, day string) map[string][]byte {
	root.InitDefaultHelpCmd() // a run of the program adds them too
	root.InitDefaultCompletionCmd()
	pages := map[string][]byte{}
	var add func(*cobra.Command)
	add = func(c *cobra.Command) {
		pages[manName(c)+".1"] = manPage(c, version, day)
		for _, below := range manBelow(c) {
			add(below)
		}
	}
	add(root)
	return pages
}

// manName returns the name of a command's page: slotway-sessions-list.
func manName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// manBelow lists the visible commands directly below c. Help and completion have pages too.
func manBelow(c *cobra.Command) []*cobra.Command {
	var out []*cobra.Command
	for _, below := range c.Commands() {
		if below.IsAvailableCommand() || below.Name() == "help" {
			out = append(out, below)
		}
	}
	return out
}

// manPage returns the page of one command.
func manPage(c *cobra.Command, version, day string) []byte {
	c.InitDefaultHelpFlag()
	var r roff
	// Not with macro, which would escape the dashes of the day.
	fmt.Fprintf(&r.b, ".TH %s 1 %q %q Slotway\n", strings.ToUpper(manName(c)), day, "slotway "+version)
	r.section("Name")
	r.line(manName(c) + " - " + strings.TrimSuffix(c.Short, "."))
	r.section("Synopsis")
	r.macro("B", synopsis(c))
	r.section("Description")
	if long := strings.TrimSpace(c.Long); long != "" {
		r.verbatim(long) // help aligns columns with spaces
	} else {
		r.line(strings.TrimSuffix(c.Short, ".") + ".")
	}
	if below := manBelow(c); len(below) > 0 {
		r.section("Commands")
		for _, b := range below {
			r.tagged(b.Name(), strings.TrimSuffix(b.Short, ".")+".")
		}
	}
	r.flags("Options", c.NonInheritedFlags())
	r.flags("Inherited options", c.InheritedFlags())
	if c.Example != "" {
		r.section("Examples")
		r.verbatim(strings.TrimRight(c.Example, "\n"))
	}
	r.section("Exit status")
	r.line("0 means success, 1 a failed check, 2 wrong usage. Logs go to standard error, never to standard output.")
	if see := seeAlso(c); len(see) > 0 {
		r.section("See also")
		for i, page := range see {
			end := ","
			if i == len(see)-1 {
				end = ""
			}
			r.macro("BR", page, "(1)"+end)
		}
	}
	return []byte(r.b.String())
}

// synopsis returns the usage line. A group of commands needs one of them.
func synopsis(c *cobra.Command) string {
	if len(manBelow(c)) > 0 {
		return c.CommandPath() + " COMMAND [flags]"
	}
	return c.UseLine()
}

// seeAlso names the pages above and below a command's page.
func seeAlso(c *cobra.Command) []string {
	var names []string
	if c.HasParent() {
		names = append(names, manName(c.Parent()))
	}
	for _, below := range manBelow(c) {
		names = append(names, manName(below))
	}
	return names
}

// roff collects a manual page in the macros of man(7). It can be small because the texts have no markup; a
// library would add a Markdown parser to the program.
type roff struct{ b strings.Builder }

// roffText escapes characters that roff would read as a command, or print as a character that a shell does
// not understand.
var roffText = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`)

// line writes text that man wraps.
func (r *roff) line(text string) {
	text = roffText.Replace(strings.Join(strings.Fields(text), " "))
	if strings.HasPrefix(text, ".") {
		text = `\&` + text
	}
	r.b.WriteString(text + "\n")
}

// macro writes a request with its arguments.
func (r *roff) macro(name string, args ...string) {
	r.b.WriteString("." + name)
	for _, arg := range args {
		r.b.WriteString(` "` + strings.ReplaceAll(roffText.Replace(arg), `"`, `\(dq`) + `"`)
	}
	r.b.WriteByte('\n')
}

func (r *roff) section(title string) { r.macro("SH", strings.ToUpper(title)) }

// tagged writes a term in bold and its meaning, indented, below it.
func (r *roff) tagged(term, text string) {
	r.macro("TP")
	r.macro("B", term)
	r.line(text)
}

// verbatim writes lines unchanged.
func (r *roff) verbatim(text string) {
	r.macro("nf")
	for text := range strings.Lines(text) {
		text = roffText.Replace(strings.TrimRight(text, "\n"))
		if text == "" || strings.HasPrefix(text, ".") {
			text = `\&` + text
		}
		r.b.WriteString(text + "\n")
	}
	r.macro("fi")
}

// flags writes a section with every visible flag of the set. Without flags it writes no section.
func (r *roff) flags(title string, set *pflag.FlagSet) {
	begun := false
	set.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		if !begun {
			r.section(title)
			begun = true
		}
		r.tagged(flagTerm(f))
	})
}
