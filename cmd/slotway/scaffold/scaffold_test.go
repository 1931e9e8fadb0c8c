package scaffold

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/slotway/slotway/config"
)

// TestTemplatesLoad holds that the agent of each template loads without a problem, and that its
// first line leads an editor to the schema beside it.
func TestTemplatesLoad(t *testing.T) {
	for _, template := range List() {
		dir := filepath.Join(t.TempDir(), template.Name)
		files, err := Write(dir, template.Name, false)
		if err != nil {
			t.Fatal(err)
		}
		agent := filepath.Join(dir, "agent.yaml")
		if _, problems := config.Examine(agent); len(problems) > 0 {
			t.Errorf("%s: %v", template.Name, problems)
		}
		if first, _, _ := strings.Cut(read(t, agent), "\n"); first != "# yaml-language-server: $schema="+SchemaFile {
			t.Errorf("%s: the first line is %q", template.Name, first)
		}
		names := map[string]bool{}
		for _, f := range files {
			names[f.Path] = true
			if f.Kept {
				t.Errorf("%s: %s was there before", template.Name, f.Path)
			}
		}
		for _, want := range []string{SchemaFile, ".gitignore", ".github/workflows/agent.yml", "README.md", "slotway.yaml"} {
			if !names[want] {
				t.Errorf("%s: %s is missing", template.Name, want)
			}
		}
		readme := read(t, filepath.Join(dir, "README.md"))
		if !strings.HasPrefix(readme, "# ") || !strings.Contains(readme, "## Work on it") {
			t.Errorf("%s: the README lacks its own or the common part:\n%s", template.Name, readme)
		}
	}
}

func TestWriteOverwritesNothing(t *testing.T) {
	dir := t.TempDir()
	mine := filepath.Join(dir, "agent.yaml")
	if err := os.WriteFile(mine, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	var full *NotEmptyError
	if _, err := Write(dir, Default, false); !errors.As(err, &full) {
		t.Fatalf("a folder with a file: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "README.md")); err == nil {
		t.Error("a refused folder was written to")
	}
	files, err := Write(dir, Default, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if want := f.Path == "agent.yaml"; f.Kept != want {
			t.Errorf("%s: kept is %t", f.Path, f.Kept)
		}
	}
	if got := read(t, mine); got != "mine" {
		t.Errorf("agent.yaml was overwritten with %q", got)
	}
}

func TestWriteAcceptsAnEmptyRepository(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := Write(dir, Default, false); err != nil {
		t.Error(err)
	}
}

func TestWriteNamesTheNearestTemplate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	for name, want := range map[string]string{"apointments": `did you mean "appointments"?`, "zoo": "known are minimal, order-support"} {
		if _, err := Write(dir, name, false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("a folder was made for an unknown template")
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
