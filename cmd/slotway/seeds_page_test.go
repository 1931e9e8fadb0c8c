package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestSeedsPage holds docs/explanation/seeds.md to what there is: every row is shown by something, every test
// and file that it names exists, and its transcripts are what the commands write.
func TestSeedsPage(t *testing.T) {
	data, err := os.ReadFile("../../docs/explanation/seeds.md")
	if err != nil {
		t.Fatal(err)
	}
	tables, transcripts, found := strings.Cut(string(data), "\n## Transcripts\n")
	if !found {
		t.Fatal("docs/explanation/seeds.md has no transcripts")
	}
	t.Run("rows", func(t *testing.T) { seedRows(t, tables, strings.Count(transcripts, "\nBlock ")) })
	t.Run("transcripts", func(t *testing.T) { seedTranscripts(t, transcripts) })
}

var (
	citedTest  = regexp.MustCompile("`(Test\\w+)`")
	citedFile  = regexp.MustCompile("`([\\w./-]+/[\\w.-]+)`")
	citedBlock = regexp.MustCompile(`block (\d+)`)
)

func seedRows(t *testing.T, tables string, blocks int) {
	tests, rows := testsOfTheTree(t), 0
	for line := range strings.Lines(tables) {
		cells := strings.Split(strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line), "|"), "|"), "|")
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| feature") || strings.HasPrefix(line, "| ---") {
			continue
		}
		if rows++; len(cells) != 3 {
			t.Errorf("a row with %d columns: %s", len(cells), line)
			continue
		}
		where, shown := cells[1], cells[2]
		cited := citedTest.MatchString(shown) || citedFile.MatchString(shown) || citedBlock.MatchString(shown)
		if !cited && !strings.Contains(where, "**Otherwise**") {
			t.Errorf("nothing shows: %s", line)
		}
		for _, m := range citedTest.FindAllStringSubmatch(line, -1) {
			if !tests[m[1]] {
				t.Errorf("there is no %s: %s", m[1], line)
			}
		}
		for _, m := range citedFile.FindAllStringSubmatch(line, -1) {
			if _, err := os.Stat("../../" + m[1]); err != nil {
				t.Errorf("%v: %s", err, line)
			}
		}
		for _, m := range citedBlock.FindAllStringSubmatch(shown, -1) {
			if n := int(m[1][0] - '0'); len(m[1]) != 1 || n < 1 || n > blocks {
				t.Errorf("there is no block %s: %s", m[1], line)
			}
		}
	}
	if rows < 100 {
		t.Errorf("%d rows, want all features of five documents", rows)
	}
}

var testFunc = regexp.MustCompile(`(?m)^func (Test\w+)\(`)

// testsOfTheTree are the names of all tests.
func testsOfTheTree(t *testing.T) map[string]bool {
	names := map[string]bool{}
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, m := range testFunc.FindAllSubmatch(source, -1) {
			names[string(m[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// elided stands for any lines where it is a line of its own.
const elided = "…"

// seedTranscripts runs the commands in an empty home and compares what is told, line by line.
func seedTranscripts(t *testing.T, text string) {
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Chdir(dir)
	var out []string
	ran := 0
	inside, leftOut := false, false
	over := func() {
		if len(out) > 0 && !leftOut {
			t.Errorf("the page leaves out what comes last, without %s:\n%s", elided, strings.Join(out, "\n"))
		}
		out, leftOut = nil, false
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "```") {
			over()
			inside = line == "```console"
			continue
		}
		command, isCommand := strings.CutPrefix(line, "$ ")
		switch {
		case !inside:
		case isCommand:
			over()
			ran++
			out = runLine(t, command)
		case line == elided:
			leftOut = true
		default:
			at := slices.IndexFunc(out, wildcard(line).MatchString)
			if at < 0 {
				t.Errorf("nothing like %q in what is left:\n%s", line, strings.Join(out, "\n"))
				continue
			}
			if at > 0 && !leftOut {
				t.Errorf("the page leaves out what comes before %q, without %s:\n%s", line, elided, strings.Join(out[:at], "\n"))
			}
			out, leftOut = out[at+1:], false
		}
	}
	if ran < 15 {
		t.Errorf("%d commands, want all", ran)
	}
}

func wildcard(line string) *regexp.Regexp {
	return regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(line), "…", ".*") + "$")
}

var (
	piped  = regexp.MustCompile(`^printf '(.*)' \| (.*)$`)
	assign = regexp.MustCompile(`^([A-Z_]+)=(\S+) (.*)$`)
	word   = regexp.MustCompile(`"[^"]*"|\S+`)
)

// runLine runs `[printf 'TEXT' |] [NAME=VALUE ...] slotway ARG...` in this process.
func runLine(t *testing.T, line string) []string {
	input := ""
	if m := piped.FindStringSubmatch(line); m != nil {
		input, line = strings.ReplaceAll(m[1], `\n`, "\n"), m[2]
	}
	for m := assign.FindStringSubmatch(line); m != nil; m = assign.FindStringSubmatch(line) {
		t.Setenv(m[1], m[2])
		defer os.Unsetenv(m[1])
		line = m[3]
	}
	words := word.FindAllString(line, -1)
	for i, w := range words {
		words[i] = strings.Trim(w, `"`)
	}
	if len(words) == 0 || words[0] != "slotway" {
		t.Fatalf("not a command of ours: %s", line)
	}
	var out, errs bytes.Buffer
	args := append([]string{"--set", "telemetry.log=none"}, words[1:]...)
	if code := run(t.Context(), args, strings.NewReader(input), &out, &errs); code != exitOK {
		t.Errorf("%s: exit code %d\n%s", line, code, errs.String())
	}
	if out.Len() == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}
