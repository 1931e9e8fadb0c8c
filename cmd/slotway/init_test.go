package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/slotway/slotway/cmd/slotway/scaffold"
	"github.com/slotway/slotway/internal/test/programtest"
)

// TestInitMakesAgentsThatWork holds that each template loads without a problem and passes its own
// conversations. With SLOTWAY_TEST_HEAVY the examples are cross-validated too.
func TestInitMakesAgentsThatWork(t *testing.T) {
	if programtest.Race {
		t.Skip("trains five classifiers, which takes minutes under the race detector")
	}
	for _, template := range scaffold.List() {
		t.Run(template.Name, func(t *testing.T) {
			dir := newAgent(t, template.Name)
			t.Chdir(dir) // slotway.yaml is read from there
			args := []string{"check", "agent.yaml"}
			if !programtest.Heavy() {
				args = append(args, "--no-nlu")
			}
			out, code := runCommand(t, args...)
			if code != exitOK || !strings.Contains(out, "agent.yaml: 0 errors, 0 warnings\n") {
				t.Errorf("check: exit code %d\n%s", code, out)
			}
			out, code = runCommand(t, "test", "--coverage", "--coverage-min", "95")
			if code != exitOK || strings.Contains(out, "\n0 passed") {
				t.Errorf("test: exit code %d\n%s", code, out)
			}
		})
	}
}

// newAgent writes an agent by the command, and returns its folder.
func newAgent(t *testing.T, template string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), template)
	if out, code := runCommand(t, "init", dir, "--template", template); code != exitOK {
		t.Fatalf("init: exit code %d\n%s", code, out)
	}
	return dir
}

func TestInitCommand(t *testing.T) {
	if out, code := runCommand(t, "init", "--list"); code != exitOK || strings.Count(out, "\n") != len(scaffold.List()) {
		t.Errorf("--list: exit code %d\n%s", code, out)
	}
	if out, code := runCommand(t, "init"); code != exitUsage || !strings.Contains(out, "expected the folder of the new agent") {
		t.Errorf("no folder: exit code %d\n%s", code, out)
	}
	dir := filepath.Join(t.TempDir(), "my agent")
	if out, code := runCommand(t, "init", dir, "--template", "fax"); code == exitOK || !strings.Contains(out, `did you mean "faq"?`) {
		t.Errorf("an unknown template: exit code %d\n%s", code, out)
	}
	out, code := runCommand(t, "init", dir)
	if code != exitOK || !strings.Contains(out, "wrote "+filepath.Join(dir, "agent.yaml")) || !strings.Contains(out, "  cd '"+dir+"'\n") {
		t.Errorf("exit code %d\n%s", code, out)
	}
	if out, code = runCommand(t, "init", dir); code == exitOK || !strings.Contains(out, "--force") {
		t.Errorf("a folder with files: exit code %d\n%s", code, out)
	}
	out, code = runCommand(t, "init", dir, "--force", "--json")
	var result initResult
	if err := json.NewDecoder(bytes.NewBufferString(out)).Decode(&result); err != nil || code != exitOK {
		t.Fatalf("%v, exit code %d\n%s", err, code, out)
	}
	for _, f := range result.Files {
		if !f.Kept {
			t.Errorf("%s was written again", f.Path)
		}
	}
}

// TestInitNamesTheAgent holds that the commands which init names next find the new agent, also
// beside settings that were there before and name none.
func TestInitNamesTheAgent(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "old"), 0o700); err != nil {
		t.Fatal(err)
	}
	writeTestFile(t, filepath.Join(dir, "old", "slotway.yaml"), "memory: {storage: inmem}\n")
	for _, c := range []struct{ dir, check string }{{"new", "check"}, {"old", "check --agent agent.yaml"}} {
		out, code := runCommand(t, "init", filepath.Join(dir, c.dir), "--force")
		if code != exitOK || !strings.Contains(out, "  slotway "+c.check+"\n") {
			t.Errorf("%s: exit code %d\n%s", c.dir, code, out)
		}
		t.Chdir(filepath.Join(dir, c.dir))
		if out, code = runCommand(t, append(strings.Fields(c.check), "--no-nlu")...); code != exitOK || !strings.Contains(out, "agent.yaml: 0 errors") {
			t.Errorf("%s: check: exit code %d\n%s", c.dir, code, out)
		}
	}
}
