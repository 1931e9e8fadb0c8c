package config

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the expected problems")

// TestBroken reads every broken agent of testdata and compares all its problems. Each
// must say where it is and what to do.
func TestBroken(t *testing.T) {
	files, err := filepath.Glob("testdata/broken/*.txtar")
	if err != nil || len(files) < 25 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			problems := CheckSource(archive.Files[0].Name, archive.Files[0].Data, "testdata")
			if len(problems.Errors()) == 0 {
				t.Error("no errors")
			}
			for _, p := range problems {
				if p.Pos.Line < 1 || p.Pos.Column < 1 || p.Hint == "" || p.Message == "" {
					t.Errorf("a problem without place or remedy: %+v", p)
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
