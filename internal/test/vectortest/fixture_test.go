package vectortest_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/slotway/slotway/internal/test/vectortest"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/memory/jobs"
	"github.com/slotway/slotway/memory/recall"
)

// place is a backend that can fail, and says what was asked of it.
type place struct {
	vectortest.Reference

	mu    sync.Mutex
	down  error
	slow  bool   // Nearest answers when its caller has given up
	onPut func() // before rows are written
	asked int    // searches
	put   int    // rows
}

var errDown = errors.New("down")

func (p *place) Nearest(ctx context.Context, q recall.VectorQuery) ([]recall.VectorMatch, error) {
	p.mu.Lock()
	p.asked++
	down, slow := p.down, p.slow
	p.mu.Unlock()
	if slow {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	if down != nil {
		return nil, down
	}
	return p.Reference.Nearest(ctx, q)
}

func (p *place) Put(ctx context.Context, set recall.VectorSet, rows []recall.VectorRow) error {
	if p.onPut != nil {
		p.onPut()
	}
	if p.down != nil {
		return p.down
	}
	p.put += len(rows)
	return p.Reference.Put(ctx, set, rows)
}

func (p *place) Drop(ctx context.Context, d recall.VectorDrop) error {
	if p.down != nil {
		return p.down
	}
	return p.Reference.Drop(ctx, d)
}

// held counts the rows of a session by a model.
func (p *place) held(t *testing.T, k memory.Key, model string) int {
	t.Helper()
	rows, err := p.Stored(t.Context(), recall.VectorSet{Owner: recall.OwnerOf(k), Model: model, Dim: letters})
	if err != nil {
		t.Fatal(err)
	}
	return len(rows)
}

const letters = 26

// counting embeds a text by how often each letter begins a word of it. It takes time, or so
// it says, and remembers what it saw.
type counting struct {
	model string
	mu    sync.Mutex
	seen  []string
	err   error
}

func (c *counting) Model() string  { return c.model }
func (c *counting) Dimension() int { return letters }

func (c *counting) Embed(_ context.Context, texts []string) ([][]float32, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return nil, c.err
	}
	c.seen = append(c.seen, texts...)
	out := make([][]float32, len(texts))
	for i, text := range texts {
		out[i] = make([]float32, letters)
		c.count(out[i], text)
	}
	return out, nil
}

func (*counting) count(dst []float32, text string) {
	for w := range strings.FieldsSeq(strings.ToLower(text)) {
		if w[0] >= 'a' && w[0] <= 'z' {
			dst[w[0]-'a']++
		}
	}
}

// swift is counting that costs nothing.
type swift struct{ counting }

func (s *swift) EmbedInto(dst []float32, text string) {
	clear(dst)
	s.count(dst, text)
}

type fixture struct {
	*testing.T

	store memory.Backend
	place *place
	tier  *recall.Tier
	calls []recall.VectorCall
	now   time.Time
}

func newFixture(t *testing.T, embedders ...recall.Embedder) *fixture {
	w := &fixture{T: t, place: &place{}, now: time.Now().Truncate(time.Second)}
	w.store = recall.CascadeDeletes(inmem.New(nil), w.place)
	w.open(recall.Options{Embedders: embedders})
	return w
}

func (w *fixture) open(opts recall.Options) {
	opts.Vectors, opts.OnCall = w.place, func(c recall.VectorCall) { w.calls = append(w.calls, c) }
	opts.Now = func() time.Time { return w.now }
	w.tier = recall.New(w.store, &opts)
}

func at(session string) memory.Key {
	return memory.Key{UserID: "u", AgentID: "a", SessionID: session}
}

// say commits texts of the user as a turn; the job is not run.
func (w *fixture) say(session string, texts ...string) {
	w.Helper()
	s, err := memory.NewConversations(w.store, 8).ForSession(w.Context(), at(session))
	if err != nil {
		w.Fatal(err)
	}
	for _, text := range texts {
		s.Append(memory.Message{Role: memory.User, Text: text, Timestamp: w.now})
	}
	s.Enqueue(recall.Kind, time.Time{})
	if err := s.Commit(w.Context(), w.now); err != nil {
		w.Fatal(err)
	}
}

func (w *fixture) clear(session string) memory.Progress {
	w.Helper()
	s, err := memory.NewConversations(w.store, 8).ForSession(w.Context(), at(session))
	if err != nil {
		w.Fatal(err)
	}
	if _, err := s.Clear(); err != nil {
		w.Fatal(err)
	}
	p := s.Progress()
	if err := s.Commit(w.Context(), w.now); err != nil {
		w.Fatal(err)
	}
	return p
}

func (w *fixture) drain() {
	w.Helper()
	runner := jobs.New(w.store, map[string]jobs.Func{recall.Kind: w.tier.Work}, nil)
	if _, err := runner.Drain(w.Context()); err != nil {
		w.Fatal(err)
	}
}

func about(text string) recall.Query {
	return recall.Query{Key: memory.Key{UserID: "u", AgentID: "a"}, Text: text, K: 5}
}

// similar are the texts found by meaning, the best first.
func (w *fixture) similar(text string) []string {
	w.Helper()
	found, err := w.tier.Similar(w.Context(), about(text))
	if err != nil {
		w.Fatal(err)
	}
	return texts(found)
}

func texts(found []memory.Recalled) []string {
	var out []string
	for _, r := range found {
		out = append(out, r.Message.Text)
	}
	return out
}
