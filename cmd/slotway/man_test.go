package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A release writes the manual pages with these (scripts/release.sh).
var (
	manFolder  = flag.String("man", "", "write the manual pages to this folder")
	manVersion = flag.String("man-version", "", "the version that is on them")
	manDay     = flag.String("man-day", "", "and the day")
)

// TestWriteManPages writes them for a release. Without the flag there is nothing to write, and the other tests of
// this file read the same pages.
func TestWriteManPages(t *testing.T) {
	if *manFolder == "" {
		t.Skip("only a release asks for the pages, with -man FOLDER")
	}
	if err := os.MkdirAll(*manFolder, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range manPages(newRoot(), *manVersion, *manDay) {
		if err := os.WriteFile(filepath.Join(*manFolder, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// testPages are the pages as a release has them.
func testPages() map[string][]byte { return manPages(newRoot(), "v1.2.3", "2026-01-02") }

// Every command has a manual page, and each of its flags is on it.
func TestManPages(t *testing.T) {
	root := newRoot()
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	pages := testPages()
	commands := 0
	eachCommand(root, func(c *cobra.Command) {
		commands++
		name := strings.ReplaceAll(c.CommandPath(), " ", "-") + ".1"
		page := string(pages[name])
		if page == "" {
			t.Errorf("%s has no page", c.CommandPath())
			return
		}
		c.InitDefaultHelpFlag()
		has := func(f *pflag.Flag) {
			term := strings.ReplaceAll("--"+f.Name, "-", `\-`)
			if listed := regexp.MustCompile(`(?m)^\.B "(\\-. )?[^"]*` + regexp.QuoteMeta(term) + `[ "]`).MatchString(page); listed == f.Hidden {
				t.Errorf("%s: the flag --%s is hidden: %t, is on the page: %t", name, f.Name, f.Hidden, listed)
			}
		}
		c.LocalFlags().VisitAll(has)
		c.InheritedFlags().VisitAll(has)
		for _, want := range []string{`"slotway v1.2.3"`, `"2026-01-02"`, `.SH "EXIT STATUS"`, `.SH "EXAMPLES"`} {
			if !strings.Contains(page, want) && (want != `.SH "EXAMPLES"` || c.Example != "") {
				t.Errorf("%s has no %s", name, want)
			}
		}
	})
	if len(pages) != commands || commands < 60 {
		t.Errorf("%d pages for %d commands", len(pages), commands)
	}
}

// manMacro are the requests that a page may have.
var manMacro = regexp.MustCompile(`^\.(TH [A-Z-]+ 1( "[^"]*"){2} Slotway|(SH|TP|B|BR|nf|fi)( "[^"]*")*)$`)

// manEscape are the escapes that a page may have.
var manEscape = regexp.MustCompile(`\\(e|-|&|\((aq|ga|ha|ti|dq))`)

// No text of a page is read as a request, each escape is one, and other pages that it names exist.
func TestManPagesAreWellFormed(t *testing.T) {
	pages := testPages()
	for name, text := range pages {
		open := false
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSuffix(line, "\n")
			switch {
			case line == "" || strings.Contains(manEscape.ReplaceAllString(line, ""), `\`) || line != strings.ToValidUTF8(line, ""):
				t.Errorf("%s: %q", name, line)
			case line == ".nf" || line == ".fi":
				if open == (line == ".nf") {
					t.Errorf("%s: %s without its pair", name, line)
				}
				open = line == ".nf"
			case strings.HasPrefix(line, "'") || line[0] == '.' && !manMacro.MatchString(line):
				t.Errorf("%s: %q is read as a request", name, line)
			}
			if see, ok := strings.CutPrefix(line, `.BR "`); ok {
				page, _, _ := strings.Cut(see, `"`)
				if pages[strings.ReplaceAll(page, `\-`, "-")+".1"] == nil {
					t.Errorf("%s names a page %s", name, page)
				}
			}
		}
		if open {
			t.Errorf("%s: .nf without .fi", name)
		}
	}
}

// Text with what roff has a meaning for is printed as it is.
func TestRoffText(t *testing.T) {
	var r roff
	r.line(".SH 'a' --b \\n")
	r.verbatim("\n.fi\n  ~/x `y` ^z")
	r.macro("B", `say "no"`)
	want := "\\&.SH \\(aqa\\(aq \\-\\-b \\en\n.nf\n\\&\n\\&.fi\n  \\(ti/x \\(gay\\(ga \\(haz\n.fi\n.B \"say \\(dqno\\(dq\"\n"
	if got := r.b.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Programs that read the pages have no complaint, where they are installed.
func TestManLint(t *testing.T) {
	linted := t.TempDir()
	for name, text := range testPages() {
		if err := os.WriteFile(filepath.Join(linted, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	readers, ran := [][]string{{"mandoc", "-Tlint", "-Wwarning"}, {"groff", "-man", "-Kutf8", "-Tutf8", "-ww", "-z", "-rCHECKSTYLE=1"}}, false
	for _, reader := range readers {
		program, err := exec.LookPath(reader[0])
		if err != nil {
			continue
		}
		ran = true
		files, _ := filepath.Glob(filepath.Join(linted, "*.1"))
		for _, file := range files {
			out, err := exec.CommandContext(t.Context(), program, append(reader[1:], file)...).CombinedOutput()
			if err != nil || len(out) > 0 {
				t.Errorf("%s %s: %v\n%s", reader[0], filepath.Base(file), err, out)
			}
		}
	}
	if !ran {
		t.Skip("neither mandoc nor groff is installed")
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

// roff collects a manual page in the macros of man(7). It can be small because the texts have no markup.
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
