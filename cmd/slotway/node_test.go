package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// nodeFolder is where an npm package is installed, as the environment variable says; service
// is what scripts/services.sh calls it.
func nodeFolder(t *testing.T, variable, service, module string) string {
	t.Helper()
	folder := os.Getenv(variable)
	problem := ""
	if folder == "" {
		problem = variable + " names no folder; run scripts/services.sh start " + service + " and scripts/services.sh env " + service
	} else if _, err := os.Stat(filepath.Join(folder, "node_modules", filepath.FromSlash(module), "package.json")); err != nil {
		problem = variable + " names a folder without node_modules/" + module
	} else if _, err := exec.LookPath("node"); err != nil {
		problem = "node is not installed"
	}
	switch {
	case problem == "":
		return folder
	case os.Getenv("SLOTWAY_REQUIRE_SERVICES") == "1":
		t.Fatal(problem)
	default:
		t.Skip(problem)
	}
	return ""
}
