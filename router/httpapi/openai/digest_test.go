package openai

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/seal"
	"github.com/slotway/slotway/router"
)

// Nothing that is stored readably in an encrypted store is a digest that somebody without its
// key can make of what was said: neither of the history, nor of what follows from it.
func TestNoDigestCanBeGuessed(t *testing.T) {
	keys, err := seal.ParseKeys(strings.Repeat("4d", 32))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	w := newFixtureOver(t, seal.New(openStore(t, filepath.Join(dir, "memory.db")), keys), router.Options{})
	c := &client{w: w}
	c.say("buy I-7")
	c.say("yes")
	c.say("price I-4711")
	w.complete("price I-9", "It is 5.", "price I-4712") // a history of which nobody knows
	owner := memory.Key{UserID: "ann", AgentID: "stall"}
	var guesses []string
	for n := range 6 {
		said := make([]line, min(n, len(c.said)))
		for i := range said {
			said[i] = line{[]string{user, assistant}[i%2], c.said[i]}
		}
		guesses = append(guesses, (digests{}).history(owner, "history", said, len(said))...)
	}
	stored := readable(t, dir)
	for _, g := range guesses {
		if strings.Contains(stored, g) || strings.Contains(stored, g[:32]) {
			t.Errorf("a digest that anybody can make is stored: %s", g)
		}
	}
	if !strings.Contains(stored, w.adapter.digests.history(owner, "history", []line{{user, c.said[0]}}, 1)[0]) {
		t.Error("what the test looks at does not hold the digests that there are")
	}
}

// readable is all of the files of a store.
func readable(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	var out strings.Builder
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(data)
	}
	return out.String()
}
