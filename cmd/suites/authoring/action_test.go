package authoring

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/slotway/slotway/config/source"
	"github.com/slotway/slotway/internal/test/programtest"
)

// TestAction runs the scripts of action.yml on a new agent, as GitHub's runner does, with the program of
// this tree in place of an installed one.
func TestAction(t *testing.T) {
	programtest.TakesLong(t)
	dir := t.TempDir()
	if out, code := programtest.Run(t, "", "init", filepath.Join(dir, "bot"), "--template", "minimal"); code != 0 {
		t.Fatalf("init: %s", out)
	}
	if out, code := runAction(t, dir, "bot"); code != 0 || strings.Contains(out, "::error") {
		t.Errorf("a new agent fails: exit code %d\n%s", code, out)
	}
	tests, err := filepath.Glob(filepath.Join(dir, "bot/tests/*.yaml"))
	if err != nil || len(tests) == 0 {
		t.Fatal("the template has no tests", err)
	}
	broken := "conversation: it says goodbye\nagent: ../agent.yaml\nturns:\n  - user: hello\n    expect: {reply: Goodbye}\n"
	if err := os.WriteFile(tests[0], []byte(broken), 0o600); err != nil {
		t.Fatal(err)
	}
	want := "::error file=bot/tests/" + filepath.Base(tests[0]) + ",line=5,title=slotway test%3A it says goodbye::"
	if out, code := runAction(t, dir, "bot"); code == 0 || !strings.Contains(out, want) {
		t.Errorf("a failing test: exit code %d, want %q in\n%s", code, want, out)
	}
}

// runAction runs the scripts after the installation until one fails.
func runAction(t *testing.T, workspace, folder string) (out string, code int) {
	const file = "../../../action.yml"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	root, problems := source.Parse(file, data)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	fill := func(text string) string {
		for _, e := range root.Get("inputs").Entries() {
			value := e.Value.Get("default").Text()
			if e.Key == "folder" {
				value = folder
			}
			text = strings.ReplaceAll(text, "${{ inputs."+e.Key+" }}", value)
		}
		return text
	}
	bin := t.TempDir()
	if err := os.Symlink(programtest.Binary(t), filepath.Join(bin, "slotway")); err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, step := range root.Get("runs").Get("steps").Items() {
		script := step.Get("run").Text()
		if script == "" || step.Get("name").Text() == "Install" {
			continue
		}
		cmd := exec.Command("bash", "-e", "-o", "pipefail", "-c", script)
		cmd.Dir = filepath.Join(workspace, fill(step.Get("working-directory").Text()))
		cmd.Env = append(os.Environ(), "GITHUB_WORKSPACE="+workspace, "PATH="+bin+":"+os.Getenv("PATH"), "HOME="+t.TempDir())
		for _, e := range step.Get("env").Entries() {
			cmd.Env = append(cmd.Env, e.Key+"="+fill(e.Value.Text()))
		}
		said, err := cmd.CombinedOutput()
		out += string(said)
		ran++
		if err != nil {
			return out, 1
		}
	}
	if ran < 2 {
		t.Errorf("%s has %d scripts besides the installation", file, ran)
	}
	return out, 0
}
