package eval

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/source"
)

var update = flag.Bool("update", false, "rewrite the expected warnings")

// How sure and how many is left out of the comparison: both change with the model.
var (
	confidences = regexp.MustCompile(` \(\d\.\d\d\)`)
	tallies     = regexp.MustCompile(`\d+ of their (\d+ .*)\(lines .*\)`)
)

// TestLint compares the warnings of small agents with those beside them.
func TestLint(t *testing.T) {
	files, err := filepath.Glob("testdata/lint/*.txtar")
	if err != nil || len(files) < 3 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			agent, err := config.Parse("agent.yaml", archive.Files[0].Data, "")
			if err != nil {
				t.Fatal(err)
			}
			problems, ok, err := Lint(t.Context(), agent, nil)
			if err != nil {
				t.Fatal(err)
			}
			var lines []string
			for _, p := range problems {
				if p.Severity != source.SeverityWarning || p.Hint == "" {
					t.Errorf("no warning with a remedy: %+v", p)
				}
				p.Hint = ""
				lines = append(lines, tallies.ReplaceAllString(confidences.ReplaceAllString(p.String(), " (C)"), "N of their $1(lines)"))
			}
			got := fmt.Sprintf("looked at: %v\n%s", ok, strings.Join(append(lines, ""), "\n"))
			if *update {
				archive.Files[1].Data = []byte(got)
				if err := os.WriteFile(path, txtar.Format(archive), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(string(archive.Files[1].Data), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// An agent of very many examples is not looked at.
func TestLintLimit(t *testing.T) {
	agent := AgentOf(numbered(2, LintLimit/2+1), false)
	if problems, ok, err := Lint(t.Context(), agent, nil); ok || err != nil || problems != nil {
		t.Errorf("%v, %v, %v", problems, ok, err)
	}
}

func BenchmarkLint(b *testing.B) {
	agent, err := config.Default()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, _, err := Lint(b.Context(), agent, nil); err != nil {
			b.Fatal(err)
		}
	}
}
