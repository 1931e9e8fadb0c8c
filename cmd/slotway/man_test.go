package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

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

// The command writes the pages, and programs that read them have no complaint, where they are installed.
func TestManLint(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "man", "man1")
	if out, code := runCommand(t, "man", dir); code != exitOK {
		t.Fatalf("exit code %d: %s", code, out)
	}
	written, err := filepath.Glob(filepath.Join(dir, "slotway*.1"))
	if err != nil || len(written) != len(testPages()) {
		t.Fatalf("%d pages, %v", len(written), err)
	}
	linted := t.TempDir()
	for name, text := range testPages() { // with a version and a day, which a test's own build lacks
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
