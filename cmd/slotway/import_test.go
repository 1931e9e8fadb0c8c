package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/slotway/slotway/config/convert"
)

// ownBots are the folders of small bots of our own, which use what their formats have.
const ownBots = "../../config/convert/rasa/testdata"

// TestImportedBotsHold imports our own bots, and plays the tests that came with them.
func TestImportedBotsHold(t *testing.T) {
	for name, want := range map[string]held{"library": {17, 16, 16}, "parcels": {8, 8, 8}} {
		t.Run(name, func(t *testing.T) {
			if got := playImported(t, filepath.Join(ownBots, name)); got != want {
				t.Errorf("messages, with an expectation, held: %v, want %v", got, want)
			}
		})
	}
}

func TestImportCommand(t *testing.T) {
	dir := t.TempDir()
	bot, err := filepath.Abs(filepath.Join(ownBots, "library"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	out, code := runCommand(t, "import", "rasa", bot)
	if code != exitOK {
		t.Fatalf("exit code %d\n%s", code, out)
	}
	for _, want := range []string{
		"carried over: 8 conversations, ", "data/stories.yml:49: the checkpoint after_the_room", "to decide (also comments in the files)",
		"library/agent.yaml: 0 errors, ", "slotway test library/tests",
	} {
		if !strings.Contains(filepath.ToSlash(out), want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "library", convert.AgentFile)); err != nil {
		t.Error(err)
	}
	if out, code := runCommand(t, "import", "rasa", bot); code != exitCheck || !strings.Contains(out, "is there already") {
		t.Errorf("written over an agent: exit code %d\n%s", code, out)
	}
	out, code = runCommand(t, "import", "rasa", bot, "--output", "other", "--json")
	var result importResult
	if err := json.Unmarshal([]byte(out), &result); err != nil || code != exitOK || result.Dir != "other" || result.Tests != 8 || len(result.Report.Notes) == 0 || result.Report.Counts["intents"] == 0 {
		t.Errorf("--json: exit code %d, %v\n%s", code, err, out)
	}
	if out, code := runCommand(t, "import", "rasa"); code != exitUsage || !strings.Contains(out, "its folder or its files") {
		t.Errorf("without a path: exit code %d\n%s", code, out)
	}
	if out, code := runCommand(t, "import", "rasa", "nowhere"); code != exitCheck || !strings.Contains(out, "nowhere") {
		t.Errorf("a missing folder: exit code %d\n%s", code, out)
	}
	if out, code := runCommand(t, "import", "fax", "x"); code != exitUsage {
		t.Errorf("an unknown format: exit code %d\n%s", code, out)
	}
}
