package archive

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/embed"
)

// TestConversationsFound measures, on the files turns.jsonl and questions.jsonl of the folder
// SLOTWAY_RECALL_DATA, how often one of the conversations that answer a question is among
// the first found.
func TestConversationsFound(t *testing.T) {
	dir := os.Getenv("SLOTWAY_RECALL_DATA")
	if dir == "" {
		t.Skip("SLOTWAY_RECALL_DATA names no folder")
	}
	model, err := embed.New()
	if err != nil {
		t.Fatal(err)
	}
	turns := linesOf[struct {
		Conv, ID, Speaker, Text string
		Session                 json.RawMessage
	}](t, filepath.Join(dir, "turns.jsonl"))
	questions := linesOf[struct {
		Conv, Question string
		Evidence       []string
	}](t, filepath.Join(dir, "questions.jsonl"))
	for name, opts := range map[string]*Options{"words": {}, "meaning": {Embedder: model}} {
		w := newFixture(t, opts)
		where := map[string]memory.Key{}
		sessions := map[memory.Key]*memory.Session{}
		for _, turn := range turns {
			w.clock = w.clock.Add(time.Minute)
			key := memory.Key{UserID: turn.Conv, AgentID: "a", SessionID: "s" + strings.Trim(string(turn.Session), `"`)}
			if sessions[key] == nil {
				sessions[key] = w.session(key.UserID + "/a/" + key.SessionID)
			}
			sessions[key].Append(memory.Message{Role: memory.User, Text: turn.Speaker + ": " + turn.Text, Timestamp: w.clock})
			where[turn.Conv+" "+turn.ID] = key
		}
		for key, s := range sessions {
			if err := s.Commit(w.ctx, w.clock); err != nil {
				t.Fatal(err)
			}
			if _, err := w.tier.Archive(w.ctx, key); err != nil {
				t.Fatal(err)
			}
		}
		var first, five, passing, results, asked int
		for _, q := range questions {
			if len(q.Evidence) == 0 {
				continue
			}
			asked++
			right := func(f *Result) bool {
				for _, e := range q.Evidence {
					if where[q.Conv+" "+e] == f.Key {
						return true
					}
				}
				return false
			}
			hit := 0
			for i, f := range w.search(Query{Key: memory.Key{UserID: q.Conv, AgentID: "a"}, Text: q.Question, Threshold: new(float64(0)), Limit: 5}) {
				if right(&f) && hit == 0 {
					hit = i + 1
				}
			}
			if hit == 1 {
				first++
			}
			if hit > 0 {
				five++
			}
			found := w.search(Query{Key: memory.Key{UserID: q.Conv, AgentID: "a"}, Text: q.Question, Limit: 5})
			results += len(found)
			for i := range found {
				if right(&found[i]) {
					passing++
					break
				}
			}
		}
		share := func(n int) float64 { return 100 * float64(n) / float64(asked) }
		t.Logf("%s: %d conversations, %d questions: first %.1f %%, among five %.1f %%; above the threshold of %.1f: %.1f %% with %.2f results", name,
			len(sessions), asked, share(first), share(five), defaultThreshold, share(passing), float64(results)/float64(asked))
	}
}

func linesOf[T any](t *testing.T, path string) []T {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []T
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var v T
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}
