package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// repository makes a repository with the script, a commit and the version's heading.
func repository(t *testing.T) (dir string, git func(args ...string)) {
	t.Helper()
	for _, program := range []string{"bash", "git"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("there is no %s", program)
		}
	}
	dir = t.TempDir()
	script, err := os.ReadFile(filepath.Join("..", "release.sh"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "scripts"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"scripts/release.sh": string(script), "CHANGELOG.md": "# Changelog\n\n## [1.2.3] - 2026-01-02\n\n## [2.0.0]\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	git = func(args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "git", append([]string{"-C", dir, "-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "--quiet")
	git("add", ".")
	git("commit", "--quiet", "-m", "one")
	return dir, git
}

// The script refuses a release that no one could build again, before it builds anything.
func TestScriptRefuses(t *testing.T) {
	dir, git := repository(t)
	refuses := func(want string, args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "bash", append([]string{filepath.Join(dir, "scripts", "release.sh")}, args...)...)
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), want) || strings.Contains(string(out), "building") {
			t.Errorf("release.sh %v: %v, it does not say %q:\n%s", args, err, want, out)
		}
	}
	refuses("the commit has no tag")
	for _, version := range []string{"1.2.3", "v1.2", "v01.2.3", "v1.2.3+dirty", "v1.2.3-", "latest", "v1.2.3; ls"} {
		refuses("is no version", version)
	}
	refuses("no heading ## [1.2.4]", "v1.2.4")
	refuses("no heading ## [1.2.3-rc.1]", "--verify", "v1.2.3-rc.1")
	refuses("no heading ## [2.0.0]", "v2.0.0") // it has no day
	refuses("one version at most", "v1.2.3", "v1.2.4")
	git("tag", "v1.2.3")
	git("commit", "--quiet", "--allow-empty", "-m", "two")
	refuses("is the tag of another commit", "v1.2.3")
	git("checkout", "--quiet", "v1.2.3")
	if err := os.WriteFile(filepath.Join(dir, "new.go"), []byte("package main\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	refuses("the tree has changes", "v1.2.3")
	refuses("the tree has changes") // the version is that of the tag
	if err := os.Remove(filepath.Join(dir, "new.go")); err != nil {
		t.Fatal(err)
	}
	// The script refuses nothing now: it fails at the build.
	cmd := exec.CommandContext(t.Context(), "bash", filepath.Join(dir, "scripts", "release.sh"), "v1.2.3")
	if out, err := cmd.CombinedOutput(); err == nil || strings.Contains(string(out), "release.sh: ") || !strings.Contains(string(out), "scripts/release") {
		t.Errorf("a clean tree: %v\n%s", err, out)
	}
}
