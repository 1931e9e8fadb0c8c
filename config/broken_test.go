package config

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/slotway/slotway/config/source"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the expected problems")

// TestBroken reads every broken agent of testdata and compares all its problems. Each
// must say where it is and what to do.
func TestBroken(t *testing.T) {
	golden(t, "testdata/broken/*.txtar", 25, func(t *testing.T, ps source.Problems) {
		if len(ps.Errors()) == 0 {
			t.Error("no errors")
		}
	})
}

// TestLint is the same for agents that load, with warnings.
func TestLint(t *testing.T) {
	golden(t, "testdata/lint/*.txtar", 8, func(t *testing.T, ps source.Problems) {
		if len(ps.Errors()) > 0 || len(ps.Warnings()) == 0 {
			t.Error("errors, or no warnings")
		}
	})
}

// problemsOf returns everything wrong with a definition, errors and lints.
func problemsOf(name string, data []byte, dir string) source.Problems {
	_, problems := parseAgent(name, data, dir)
	return problems.Shown()
}

func golden(t *testing.T, pattern string, least int, check func(*testing.T, source.Problems)) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) < least {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			problems := problemsOf(archive.Files[0].Name, archive.Files[0].Data, "testdata")
			check(t, problems)
			for _, p := range problems {
				if p.Pos.Line < 1 || p.Pos.Column < 1 || p.Hint == "" || p.Message == "" {
					t.Errorf("a problem without place or remedy: %+v", p)
				}
				if c, ok := source.CodeOf(p.Code); !ok || c.Severity != p.Severity {
					t.Errorf("a problem whose code %q is unknown or of another severity: %+v", p.Code, p)
				}
			}
			got := problems.Error() + "\n"
			if *update {
				archive.Files[1].Data = []byte(got)
				if err := os.WriteFile(path, txtar.Format(archive), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(string(archive.Files[1].Data), got); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}
