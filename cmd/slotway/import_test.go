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
	for name, want := range map[string]held{"library": {17, 17, 14}, "parcels": {8, 8, 8}} {
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
		"carried over: 9 conversations, ", "data/stories.yml:49: story \"goes on elsewhere\": the bot begins with checkpoint", "to decide (also comments in the files)",
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
	if err := json.Unmarshal([]byte(out), &result); err != nil || code != exitOK || result.Dir != "other" || result.Tests != 9 || len(result.Report.Notes) == 0 || result.Report.Counts["intents"] == 0 {
		t.Errorf("--json: exit code %d, %v\n%s", code, err, out)
	}
	if out, code := runCommand(t, "import", "rasa"); code != exitUsage || !strings.Contains(out, "name what to import: PATH") {
		t.Errorf("without a path: exit code %d\n%s", code, out)
	}
	if out, code := runCommand(t, "import", "rasa", "nowhere"); code != exitCheck || !strings.Contains(out, "nowhere") {
		t.Errorf("a missing folder: exit code %d\n%s", code, out)
	}
	if out, code := runCommand(t, "import", "fax", "x"); code != exitUsage {
		t.Errorf("an unknown format: exit code %d\n%s", code, out)
	}
}

// TestImportOthers imports exports of our own in the other formats.
func TestImportOthers(t *testing.T) {
	const testdata = "../../config/convert/"
	table := filepath.Join(t.TempDir(), "support.csv")
	if err := os.WriteFile(table, []byte("text,intent\nwhere is it,track\nis it on its way,track\nmoney back,refund\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"lex", testdata + "lex/testdata/bakery"}, "connect the fulfillment function of order_cake"},
		{[]string{"lex", testdata + "lex/testdata/bakery", "--locale", "en_US"}, "another language, de_DE"},
		{[]string{"dialogflow", testdata + "dialogflow/testdata/bikes"}, "the webhook of all tools was"},
		{[]string{"dialogflow", testdata + "dialogflow/testdata/cinema"}, "repromptEventHandlers has no counterpart"},
		{[]string{"lines", table}, "say what track does"},
	} {
		dir := filepath.Join(t.TempDir(), "new")
		out, code := runCommand(t, append(append([]string{"import"}, c.args...), "--output", dir)...)
		if code != exitOK || !strings.Contains(out, c.want) || !strings.Contains(out, "agent.yaml: 0 errors") {
			t.Errorf("%v: exit code %d, want %q in\n%s", c.args, code, c.want, out)
		}
	}
	if out, code := runCommand(t, "import", "lex", testdata+"lex/testdata/bakery", "--locale", "fr_FR"); code != exitCheck || !strings.Contains(out, "no language fr_FR") {
		t.Errorf("a missing language: exit code %d\n%s", code, out)
	}
	if out, code := runCommand(t, "import", "lex", "a", "b"); code != exitUsage {
		t.Errorf("two exports: exit code %d\n%s", code, out)
	}
}
