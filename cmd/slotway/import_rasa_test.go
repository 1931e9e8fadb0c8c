package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/convert/rasa"
	"github.com/slotway/slotway/router/replay"
)

// held counts the messages of a bot's own tests.
type held struct{ messages, checked, held int }

// add counts n messages more.
func (h *held) add(o held) {
	h.messages, h.checked, h.held = h.messages+o.messages, h.checked+o.checked, h.held+o.held
}

// share is the part of the messages that holds. A message without an expectation does not count as held.
func (h held) share() float64 { return float64(h.held) / float64(max(h.messages, 1)) }

// playImported imports a bot, plays its tests, and counts.
func playImported(t *testing.T, bot string) held {
	t.Helper()
	b, err := rasa.Read(bot)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "agent")
	if err := b.Write(dir); err != nil {
		t.Fatal(err)
	}
	agent := filepath.Join(dir, convert.AgentFile)
	if out, code := runCommand(t, "check", agent, "--no-nlu"); code != exitOK {
		t.Errorf("check: exit code %d\n%s", code, out)
	}
	if len(b.Tests) == 0 {
		return held{}
	}
	out, _ := runCommand(t, "test", filepath.Join(dir, filepath.FromSlash(convert.TestsFile)), "--json")
	var result struct{ Conversations []replay.Result }
	if err := json.Unmarshal([]byte(out[strings.Index(out, "{"):]), &result); err != nil || len(result.Conversations) != len(b.Tests) {
		t.Fatalf("test: %d of %d conversations, %v\n%s", len(result.Conversations), len(b.Tests), err, out)
	}
	var h held
	for i, c := range b.Tests {
		failed := map[int]bool{}
		for _, f := range result.Conversations[i].Failures {
			if failed[f.Turn] = true; os.Getenv("SLOTWAY_RASA_SHOW") != "" {
				t.Logf("%s, turn %d: %s%s", c.Name, f.Turn, f.Diff, f.Why)
			}
		}
		for n, turn := range c.Turns {
			switch {
			case turn.Intent+turn.Asked == "" && len(turn.Calls)+len(turn.Matches)+len(turn.Params) == 0:
				h.messages++
			case failed[0] || failed[n+1]:
				h.add(held{1, 1, 0})
			default:
				h.add(held{1, 1, 1})
			}
		}
	}
	return h
}

// TestImportedRasaBots plays the tests of public bots, each in a folder of its own below
// SLOTWAY_RASA_BOTS, and prints the share that holds.
func TestImportedRasaBots(t *testing.T) {
	root := os.Getenv("SLOTWAY_RASA_BOTS")
	if root == "" {
		t.Skip("set SLOTWAY_RASA_BOTS to a folder with the folders of Rasa bots")
	}
	list, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	var all held
	table := "| bot | messages | with an expectation | held | share |\n| --- | --- | --- | --- | --- |\n"
	row := func(name string, h held) {
		table += fmt.Sprintf("| %s | %d | %d | %d | %.0f %% |\n", name, h.messages, h.checked, h.held, 100*h.share())
	}
	for _, e := range list {
		if !e.IsDir() {
			continue
		}
		h := playImported(t, filepath.Join(root, e.Name()))
		row(e.Name(), h)
		all.add(h)
	}
	row("all", all)
	t.Log("\n" + table)
}
