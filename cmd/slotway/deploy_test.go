package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	deployFolder = filepath.Join("..", "..", "deploy")
	settingName  = regexp.MustCompile(`SLOTWAY_[A-Z_]+`)
	probedPath   = regexp.MustCompile(`path: (/[a-z]+),`)
)

// TestDeployFilesFitTheProgram holds the files for containers, clusters and systemd to the
// settings, paths and commands that there are.
func TestDeployFilesFitTheProgram(t *testing.T) {
	_, shown, _ := command(t, "config", "show")
	settings := map[string]bool{}
	for line := range strings.Lines(shown) {
		path, _, _ := strings.Cut(line, " ")
		settings["SLOTWAY_"+strings.ToUpper(strings.ReplaceAll(path, ".", "_"))] = true
	}
	var all strings.Builder
	for _, name := range []string{
		"Dockerfile", "compose/compose.yaml", "compose/nginx.conf", "kubernetes/deployment.yaml", "kubernetes/service.yaml",
		"kubernetes/disruption.yaml", "kubernetes/network.yaml", "kubernetes/kustomization.yaml", "systemd/slotway.service",
	} {
		text, err := os.ReadFile(filepath.Join(deployFolder, name))
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
		for _, name := range settingName.FindAllString(string(text), -1) {
			if !settings[name] {
				t.Errorf("there is no setting %s", name)
			}
		}
	}
	named := settingName.FindAllString(all.String(), -1)
	if len(named) < 8 {
		t.Errorf("%d settings are named", len(named))
	}
	routes := map[string]bool{"/healthz": true, "/readyz": true} // held by the tests of httpapi
	probes := probedPath.FindAllStringSubmatch(all.String(), -1)
	if len(probes) != 3 {
		t.Errorf("%d probes", len(probes))
	}
	for _, p := range probes {
		if !routes[p[1]] {
			t.Errorf("a probe asks %s", p[1])
		}
	}
}

// TestDeployFilesAreUnderstood has the programs that read them read them, where they are.
func TestDeployFilesAreUnderstood(t *testing.T) {
	t.Setenv("POSTGRES_PASSWORD", "p")
	t.Setenv("ID_KEY", "k")
	for _, c := range []struct {
		args []string
		want string
		fine string // an error that says this alone is none
	}{
		{[]string{"kubectl", "kustomize", filepath.Join(deployFolder, "kubernetes")}, "kind: PodDisruptionBudget", ""},
		{[]string{"docker-compose", "-f", filepath.Join(deployFolder, "compose", "compose.yaml"), "config"}, "image: slotway", ""},
		{[]string{"systemd-analyze", "verify", filepath.Join(deployFolder, "systemd", "slotway.service")}, "", "is not executable"},
	} {
		t.Run(c.args[0], func(t *testing.T) {
			if _, err := exec.LookPath(c.args[0]); err != nil {
				t.Skipf("there is no %s", c.args[0])
			}
			out, err := exec.CommandContext(t.Context(), c.args[0], c.args[1:]...).CombinedOutput()
			if alone := c.fine != "" && strings.Count(string(out), "\n") == 1 && strings.Contains(string(out), c.fine); err != nil && !alone {
				t.Errorf("%v\n%s", err, out)
			}
			if !strings.Contains(string(out), c.want) {
				t.Errorf("it says\n%s", out)
			}
		})
	}
}
