package converttest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/convert"
)

// Names that bots have: some mean something to an agent, some are the same id, some have no letter of ours.
var Names = []string{"Order", "order", "stop", "Greet", "help me", "天气", "a/b", "2nd", "yes", "Order - no", "date"}

// said matches what a generated export says: each text is another one.
var said = regexp.MustCompile(`Say \d+`)

// Loads holds that every export that files generates becomes an agent without errors, each time the same, and that
// the agent has each text that it says and each sentence of its intents, or the report names its file.
func Loads(t *testing.T, read Read, files func(t *rapid.T) map[string]string) {
	t.Helper()
	dir, count := t.TempDir(), 0
	rapid.Check(t, func(t *rapid.T) {
		count++
		at := filepath.Join(dir, fmt.Sprint(count))
		made := files(t)
		for name, text := range made {
			file := filepath.Join(at, "in", name)
			if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		in, err := convert.OpenFiles(filepath.Join(at, "in"))
		if err != nil {
			t.Fatal(err)
		}
		bot, err := read(in, "")
		if err != nil {
			t.Fatalf("%v\n%v", err, made)
		}
		again, err := read(in, "")
		if err != nil {
			t.Fatal(err)
		}
		first, _ := bot.Files()
		second, _ := again.Files()
		if diff := cmp.Diff(first, second); diff != "" {
			t.Fatalf("the second time another agent (-first +second):\n%s", diff)
		}
		if err := bot.Write(filepath.Join(at, "out")); err != nil {
			if len(bot.Intents) == 0 {
				return
			}
			t.Fatalf("%v\n%v", err, made)
		}
		agent := first[convert.AgentFile]
		var whole strings.Builder // with the answers to questions, which have files of their own
		for _, text := range first {
			whole.WriteString(text)
		}
		if _, err := config.Load(filepath.Join(at, "out", convert.AgentFile)); err != nil {
			t.Fatalf("%v\n%v\n%s", err, made, agent)
		}
		for name, text := range made {
			for _, text := range said.FindAllString(text, -1) {
				noted := slices.ContainsFunc(bot.Report.Notes, func(n convert.Note) bool { return n.At.File == name })
				if !strings.Contains(whole.String(), text) && !noted {
					t.Fatalf("%s says %q, and neither the agent nor the report does\n%v\n%s\n%v", name, text, made, agent, bot.Report.Notes)
				}
			}
		}
	})
}
