package vectortest

import (
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/embed"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/memory/jobs"
	"github.com/slotway/slotway/memory/recall"
)

// said holds what people talk about, by subject.
var said = [][]string{
	{
		"I adopted a puppy from the shelter last weekend", "He chews on every shoe in the hallway", "The vet gave him his first shots",
		"We walk along the river before breakfast", "My sister is allergic to cats, so it had to be a dog", "He learned to sit in two days",
	},
	{
		"The invoice for March was charged twice", "Please refund the second payment to my credit card", "The bank says the money was taken on Monday",
		"I would rather pay by direct debit from now on", "Could you send a receipt to my accountant?", "The discount code did not work at the checkout",
	},
	{
		"Our flight to Lisbon leaves at six in the morning", "The hotel has a view of the harbour", "We missed the train because of the strike",
		"The airline lost one of our suitcases", "I booked a rental car for three days", "The visa arrived just in time",
	},
	{
		"I started to learn the cello when I was forty", "The concert was sold out within an hour", "My teacher plays in the city's orchestra",
		"I practise scales every evening", "We sang old folk songs around the fire", "The piano in the hall is out of tune",
	},
	{
		"The doctor wants to see the X-ray of my knee", "I cannot run until the sprain has healed", "The physiotherapist showed me some exercises",
		"The pills make me sleepy in the afternoon", "My blood pressure is finally normal", "I have a dentist's appointment on Thursday",
	},
	{
		"The router drops the connection every night", "A technician replaced the cable to the modem", "My laptop does not find the printer any more",
		"The update erased all my settings", "I forgot the password of the old account", "The screen stays black after a restart",
	},
}

// asked holds questions, most of them in other words than their subject.
var asked = []string{
	"When do we travel to Portugal?", "What happened to my luggage?", "pet animal at home", "Which instrument do I play?", "music lessons",
	"Was I billed two times?", "give the money back", "problems with the internet", "I cannot log in", "is my leg injured", "medicine and tiredness",
	"teeth", "computer trouble", "an early plane", "shoes", "the veterinarian", "a sold out show", "wine", "payment by bank", "songs",
}

// tiers are two tiers over one store: one with its vectors in memory, one with a vector store.
type tiers struct {
	store   memory.Backend
	in, out *recall.Tier
}

func newTiers(t *testing.T, v recall.VectorStore) *tiers {
	t.Helper()
	static, err := embed.New()
	if err != nil {
		t.Fatal(err)
	}
	w := &tiers{store: recall.CascadeDeletes(inmem.New(nil), v)}
	opts := recall.Options{Embedders: []recall.Embedder{static}, VectorTimeout: 5 * time.Second}
	w.in = recall.New(w.store, &opts)
	opts.Vectors = v
	w.out = recall.New(w.store, &opts)
	return w
}

// say commits texts as turns of two messages and writes their vectors.
func (w *tiers) say(t *testing.T, k memory.Key, at time.Time, texts ...string) {
	t.Helper()
	s, err := memory.NewConversations(w.store, 8).ForSession(t.Context(), k)
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range texts {
		s.Append(memory.Message{Role: []memory.Role{memory.User, memory.Agent}[i%2], Text: text, Timestamp: at.Add(time.Duration(i) * time.Minute)})
	}
	if w.out.Wants(s.Progress()) {
		s.Enqueue(w.out.Kind(), time.Time{})
	}
	if err := s.Commit(t.Context(), at); err != nil {
		t.Fatal(err)
	}
	runner := jobs.New(w.store, map[string]jobs.Func{w.out.Kind(): w.out.Work}, nil)
	if _, err := runner.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// Tier tests that a tier over an empty vector store answers like one with its vectors in memory:
// every search finds the same messages with the same scores, except for rounding. It also tests
// that cleared, deleted and pruned sessions leave the vector store.
func Tier(t *testing.T, v recall.VectorStore) {
	t.Helper()
	w := newTiers(t, v)
	start := time.Date(2024, 5, 1, 9, 0, 0, 0, time.UTC)
	for u := range 2 {
		for s := range said {
			var texts []string
			for i := range said[s] {
				texts = append(texts, said[s][i], said[(s+u+1)%len(said)][i]) // the other one's answers do not matter
			}
			w.say(t, key(fmt.Sprint("u", u), fmt.Sprint("s", s)), start.Add(time.Duration(s)*24*time.Hour), texts...)
		}
	}
	found, all := 0, 0
	for _, q := range questions(start) {
		f, a := w.compare(t, q)
		found, all = found+f, all+a
	}
	t.Logf("%d of %d messages are found with the backend as without", found, all)
	if all < 500 || float64(found) < .98*float64(all) {
		t.Errorf("%d of %d messages are found with the backend as without, want 0.98", found, all)
	}
	w.gone(t, v)
}

// questions returns the questions, with and without limits.
func questions(start time.Time) []recall.Query {
	var all []recall.Query
	for i, text := range asked {
		q := recall.Query{Key: memory.Key{UserID: "u0", AgentID: "agent"}, Text: text, K: 8}
		all = append(all, q)
		switch i % 5 {
		case 0:
			q.Key.SessionID = fmt.Sprint("s", i%len(said))
		case 1:
			q.ExcludeSession = fmt.Sprint("s", i%len(said))
		case 2:
			q.Roles = []memory.Role{memory.Agent}
		case 3:
			q.Since, q.Until = start.Add(24*time.Hour), start.Add(97*time.Hour)
		case 4:
			q.Roles, q.Since = []memory.Role{memory.User}, start.Add(48*time.Hour)
		}
		all = append(all, q)
	}
	return all
}

// compare searches with both tiers, by words and meaning and by meaning alone, and counts what both
// find.
func (w *tiers) compare(t *testing.T, q recall.Query) (found, all int) {
	t.Helper()
	type searcher func(context.Context, recall.Query) ([]memory.Recalled, error)
	for _, pair := range [][2]searcher{{w.in.Search, w.out.Search}, {w.in.Similar, w.out.Similar}} {
		want, err := pair[0](t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		got, err := pair[1](t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		scores := map[memory.Key]map[int64]float64{}
		for _, r := range got {
			if scores[r.Key] == nil {
				scores[r.Key] = map[int64]float64{}
			}
			scores[r.Key][r.Message.Seq] = r.Score
		}
		for _, r := range want {
			all++
			score, ok := scores[r.Key][r.Message.Seq]
			if !ok {
				continue
			}
			found++
			if math.Abs(score-r.Score) > .02 {
				t.Errorf("%q: message %d of %s has the score %.4f, want %.4f", q.Text, r.Message.Seq, r.Key.SessionID, score, r.Score)
			}
		}
	}
	return found, all
}

// gone tests clearing, deleting and pruning.
func (w *tiers) gone(t *testing.T, v recall.VectorStore) {
	t.Helper()
	left := func(what string, want int) {
		t.Helper()
		owners, err := v.Owners(t.Context())
		if err != nil || len(owners) != want {
			t.Errorf("%s: %d sessions have vectors, %v, want %d", what, len(owners), err, want)
		}
	}
	left("at first", 2*len(said))
	cleared := key("u0", "s0")
	s, err := memory.NewConversations(w.store, 8).ForSession(t.Context(), cleared)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Clear(); err != nil {
		t.Fatal(err)
	}
	if err := s.Commit(t.Context(), time.Now()); err != nil {
		t.Fatal(err)
	}
	if err := w.out.Work(t.Context(), memory.Job{Key: cleared, Target: math.MaxInt64}); err != nil {
		t.Fatal(err)
	}
	left("cleared", 2*len(said)-1)
	if err := w.store.Delete(t.Context(), key("u0", "s1")); err != nil {
		t.Fatal(err)
	}
	left("deleted", 2*len(said)-2)
	if _, err := w.store.Prune(t.Context(), time.Date(2024, 5, 4, 0, 0, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	left("pruned", 2*len(said)-2-4)
	if err := w.out.Forget(t.Context(), memory.Key{UserID: "u0"}); err != nil {
		t.Fatal(err)
	}
	left("a user forgotten", 3)
}
