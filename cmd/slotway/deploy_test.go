package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/slotway/slotway/config/source"
)

var (
	deployFolder = filepath.Join("..", "..", "deploy")
	settingName  = regexp.MustCompile(`SLOTWAY_[A-Z_]+`)
	probedPath   = regexp.MustCompile(`path: (/[a-z]+),`)
)

// TestDeployFilesFitTheProgram compares the files for containers, clusters and systemd with the
// existing settings, paths and commands.
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

// TestDeployFilesAreUnderstood runs the programs that read these files on them, where they are
// installed.
func TestDeployFilesAreUnderstood(t *testing.T) {
	t.Setenv("POSTGRES_PASSWORD", "p")
	t.Setenv("ID_KEY", "k")
	for _, c := range []struct {
		args []string
		want string
		fine string // an error that says this alone is none
	}{
		{[]string{"kubectl", "kustomize", filepath.Join(deployFolder, "kubernetes")}, "    - podSelector:\n        matchLabels:\n          app.kubernetes.io/name: postgres\n", ""},
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

// TestDeployFilesNameWhatIsReached: each network rule names a peer and a port.
func TestDeployFilesNameWhatIsReached(t *testing.T) {
	read := func(name string) *source.Node {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(deployFolder, name))
		if err != nil {
			t.Fatal(err)
		}
		root, problems := source.Parse(name, text)
		if err := problems.Err(); err != nil {
			t.Fatal(err)
		}
		return root
	}
	rules := read("kubernetes/network.yaml").Get("spec").Get("egress").Items()
	if len(rules) < 2 {
		t.Errorf("%d rules", len(rules))
	}
	for _, rule := range rules {
		if len(rule.Get("to").Items()) == 0 || len(rule.Get("ports").Items()) == 0 {
			t.Errorf("%s: a rule for everybody, or for every port", rule.Pos())
		}
	}
	compose := read("compose/compose.yaml")
	for _, service := range []string{"postgres", "redis", "slotway"} {
		networks := compose.Get("services").Get(service).Get("networks").Items()
		if len(networks) != 1 || networks[0].Text() != "back" {
			t.Errorf("%s is in %d networks", service, len(networks))
		}
	}
	if internal, ok := compose.Get("networks").Get("back").Get("internal").Bool(); !ok || !internal {
		t.Error("the network of the services reaches beyond them")
	}
	unit, err := os.ReadFile(filepath.Join(deployFolder, "systemd", "slotway.service"))
	if err != nil || !strings.Contains(string(unit), "\nIPAddressDeny=any\n") {
		t.Errorf("the unit may connect to everybody: %v", err)
	}
}

// pinnable is the name of an image that a digest can be given for without a change of the file.
var pinnable = regexp.MustCompile(`^(\$\{[A-Z]+_IMAGE(:-[^}]+)?\}|slotway|scratch)$`)

func TestImagesCanBePinned(t *testing.T) {
	images := regexp.MustCompile(`(?m)^(?:FROM|\s+(?:- )?image:) (\S+)`)
	found := 0
	for _, name := range []string{"Dockerfile", "compose/compose.yaml", "kubernetes/deployment.yaml"} {
		text, err := os.ReadFile(filepath.Join(deployFolder, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range images.FindAllStringSubmatch(string(text), -1) {
			if found++; !pinnable.MatchString(m[1]) && !strings.Contains(m[1], "@sha256:") {
				t.Errorf("%s: the image %s has neither a digest nor a place for one", name, m[1])
			}
		}
	}
	if found != 7 {
		t.Errorf("%d images", found)
	}
}
