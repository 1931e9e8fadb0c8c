package programtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// NodeFolder returns the folder in which an npm package is installed, as an environment variable
// says. service is its name for scripts/services.sh.
func NodeFolder(t *testing.T, variable, service, module string) string {
	t.Helper()
	folder := os.Getenv(variable)
	if folder == "" {
		Missing(t, variable+" names no folder; run scripts/services.sh start "+service+" and scripts/services.sh env "+service)
	}
	if _, err := os.Stat(filepath.Join(folder, "node_modules", filepath.FromSlash(module), "package.json")); err != nil {
		Missing(t, variable+" names a folder without node_modules/"+module)
	}
	if _, err := exec.LookPath("node"); err != nil {
		Missing(t, "node is not installed")
	}
	return folder
}
