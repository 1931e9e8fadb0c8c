package archive

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/embed"
	"github.com/slotway/slotway/memory/scopes"
)

// full is a world with n archived conversations of a user, and a question that has a
// frequent, a less frequent and a rare word of theirs.
func full(b testing.TB, n int, opts *Options) (*fixture, string) {
	b.Helper()
	w := newFixture(b, opts)
	r := rand.New(rand.NewPCG(1, 2))
	words := make([]string, 3000)
	for i := range words {
		words[i] = fmt.Sprintf("%c%cword%d", 'a'+r.IntN(26), 'a'+r.IntN(26), i)
	}
	for i := range n {
		s := w.session(fmt.Sprintf("ada/shop/s%d", i))
		for range 20 {
			var text strings.Builder
			for range 12 {
				text.WriteString(words[min(int(r.ExpFloat64()*300), len(words)-1)] + " ")
			}
			w.clock = w.clock.Add(time.Second)
			s.Append(memory.Message{Role: memory.User, Text: text.String() + ".", Timestamp: w.clock})
		}
		if err := s.Commit(w.ctx, w.clock); err != nil {
			b.Fatal(err)
		}
		// As the job does, but without looking at all the others' rarity each time.
		snap, err := w.store.Load(w.ctx, s.Key(), memory.LoadOptions{Recent: 20})
		if err != nil {
			b.Fatal(err)
		}
		d := &Document{Version: version, To: 20, Messages: 20, Begun: w.clock, Ended: w.clock, Digest: Digest{Title: snap.Recent[0].Text, Summary: snap.Recent[1].Text}, Words: map[string]int{}}
		for i := range snap.Recent {
			countTerms(d.Words, snap.Recent[i].Text)
		}
		d.From = 1
		v, err := d.view(s.Key(), 0, w.clock)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := w.store.PutViews(w.ctx, []memory.View{v}); err != nil {
			b.Fatal(err)
		}
	}
	return w, "What did we say about the " + words[10] + " with the " + words[300] + " and the " + words[1200] + "?"
}

// Searching a thousand documents of one user, the listing of what is new included.
func BenchmarkSearch(b *testing.B) {
	model, err := embed.New()
	if err != nil {
		b.Fatal(err)
	}
	for name, opts := range map[string]*Options{"words": {}, "meaning": {Embedder: model}} {
		b.Run(name, func(b *testing.B) {
			w, question := full(b, 1000, opts)
			q := Query{Key: keyOf("ada/shop/now"), Text: question, Threshold: new(.3), Limit: 5}
			if len(w.search(q)) != 5 {
				b.Fatal("the words of the question are not those of the documents")
			}
			b.ReportAllocs()
			for b.Loop() {
				w.search(q)
			}
			b.ReportMetric(float64(bytesOf(w.tier))/1000, "B/document")
		})
	}
}

// Ranking alone: what the store is not asked for.
func BenchmarkRank(b *testing.B) {
	w, question := full(b, 1000, nil)
	w.search(Query{Key: keyOf("ada/shop/now"), Text: question})
	sc := w.tier.scope(scopes.Key{User: "ada", Agent: "shop"})
	terms := w.tier.questionTerms(question)
	b.ReportAllocs()
	for b.Loop() {
		sc.rank(&preparedQuery{terms: terms}, .3, "", false)
	}
}

// Making a document of forty messages.
func BenchmarkDigest(b *testing.B) {
	w := newFixture(b, nil)
	for range 10 {
		w.talk("ada/shop/one", refunded...)
	}
	messages, _, err := w.tier.originals(w.ctx, keyOf("ada/shop/one"), 0, 40)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := w.tier.digest(w.ctx, keyOf("ada/shop/one"), messages, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkChunk(b *testing.B) {
	text := strings.Repeat("The order is late because of the weather. ", 1<<20/42)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Chunk(text, 800, 100)
	}
}

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

func bytesOf(t *Tier) int64 {
	_, bytes := t.scopes.All()
	return bytes
}
