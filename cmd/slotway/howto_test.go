package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/slotway/slotway/internal/test/programtest"
)

// TestHowtoAgents holds that the agents of the how-tos check without a doubt and pass their
// conversations.
func TestHowtoAgents(t *testing.T) {
	if programtest.Race {
		t.Skip("trains classifiers, which takes long under the race detector")
	}
	for _, name := range []string{"TRACKING_URL", "TRACKING_KEY", "ACTIONS_URL"} {
		t.Setenv(name, "http://unused.example")
	}
	agents, err := filepath.Glob(filepath.Join("..", "..", "docs", "howto", "agents", "*.yaml"))
	if err != nil || len(agents) == 0 {
		t.Fatal("no agents", err)
	}
	for _, agent := range agents {
		if out, code := runCommand(t, "check", agent); code != exitOK || !strings.HasSuffix(out, ": 0 errors, 0 warnings\n") {
			t.Errorf("exit code %d\n%s", code, out)
		}
		test := filepath.Join(filepath.Dir(agent), "tests", filepath.Base(agent))
		if out, code := runCommand(t, "replay", test); code != exitOK {
			t.Errorf("exit code %d\n%s", code, out)
		}
	}
}
