package archive

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/embed"
	"github.com/slotway/slotway/memory/recall"
)

// slow is an embedder that takes time: it knows a few words, and puts two of them together.
type slow struct {
	model string
	down  bool
	seen  []string
}

var errDown = errors.New("down")

func (s *slow) Model() string  { return s.model }
func (s *slow) Dimension() int { return 64 }

func (s *slow) Embed(_ context.Context, texts []string) ([][]float32, error) {
	if s.down {
		return nil, errDown
	}
	s.seen = append(s.seen, texts...)
	out := make([][]float32, len(texts))
	for i, text := range texts {
		out[i] = make([]float32, 64)
		for at, words := range [][]string{{"lamp", "luminaire"}, {"headphones", "earpieces"}, {"kettle", "boiler"}} {
			for _, word := range words {
				if strings.Contains(text, word) {
					out[i][at] = 8
				}
			}
		}
		for word := range strings.FieldsSeq(text) {
			out[i][3+checkOf(word)%61] += .1
		}
	}
	return out, nil
}

// place is one that keeps documents outside; it can do something in the middle of a put.
type place struct {
	recall.VectorStore // the rest is not called

	rows  map[recall.VectorKey]recall.VectorRow
	sets  map[recall.VectorKey]recall.VectorSet
	down  bool
	onPut func()
}

func (*place) Name() string { return "place" }

func (p *place) Put(_ context.Context, set recall.VectorSet, docs []recall.VectorRow) error {
	if p.down {
		return errDown
	}
	if p.rows == nil {
		p.rows, p.sets = map[recall.VectorKey]recall.VectorRow{}, map[recall.VectorKey]recall.VectorSet{}
	}
	for _, d := range docs {
		at := recall.VectorKey{Session: set.Session, Seq: d.Seq}
		p.rows[at], p.sets[at] = d, set
	}
	if p.onPut != nil {
		p.onPut()
	}
	return nil
}

func (p *place) Drop(_ context.Context, d recall.VectorDrop) error {
	if p.down {
		return errDown
	}
	for at := range p.rows {
		set := p.sets[at]
		if set.User == d.User && (d.Session == set.Session) && (d.Seqs == nil || slices.Contains(d.Seqs, at.Seq)) && (d.Before == nil || set.Fence.Before(*d.Before)) {
			delete(p.rows, at)
		}
	}
	return nil
}

func (w *fixture) embed(path string) {
	w.Helper()
	if _, err := w.tier.Backfill(w.ctx, keyOf(path)); err != nil {
		w.Fatal(err)
	}
}

// TestWantedEmbedder: an embedder that takes time finds what no word does, in the store's
// views or outside; while its vectors are missing, and while it is down, words serve.
func TestWantedEmbedder(t *testing.T) { synctest.Test(t, testWantedEmbedder) }

func testWantedEmbedder(t *testing.T) {
	for _, outside := range []*place{nil, {}} {
		e := &slow{model: "m"}
		opts := &Options{Preferred: e}
		if outside != nil {
			opts.External = outside
		}
		w := newFixture(t, opts)
		w.talk("ada/shop/one", refunded...)
		w.talk("bob/shop/one", refunded...)
		w.archive("ada/shop/one")
		w.archive("bob/shop/one")
		if got := w.found("ada", "the luminaire"); len(got) != 0 || len(e.seen) != 0 {
			t.Errorf("before the job it finds %q, and asked for %q", got, e.seen)
		}
		w.work("ada/shop/one")
		w.embed("bob/shop/one")
		if got := w.found("ada", "the luminaire"); !slices.Equal(got, []string{"one"}) {
			t.Errorf("by meaning it finds %q", got)
		}
		if got := w.found("ada", "the earpieces"); len(got) != 0 {
			t.Errorf("of nothing it finds %q", got)
		}
		for range 2 {
			if got := w.search(Query{Key: keyOf("ada/shop/one"), Text: "the luminaire", Exclude: "one"}); len(got) != 0 {
				t.Errorf("a session that is left out is found: %+v", got)
			}
		}
		asked := len(e.seen)
		w.work("ada/shop/one")
		if len(e.seen) != asked {
			t.Errorf("asked again for %q", e.seen[asked:])
		}
		w.open(opts) // what another process made is taken up
		if got := w.found("ada", "the luminaire"); len(got) != 1 {
			t.Errorf("another process finds %q", got)
		}
		e.down = true
		for range 5 {
			if got := w.found("ada", "the luminaire"); len(got) != 0 {
				t.Errorf("without the embedder %q", got)
			}
			if got := w.found("ada", "refund for the lamp"); len(got) != 1 {
				t.Errorf("by words %q", got)
			}
		}
		w.talk("ada/shop/two", cancelled...)
		if err := w.tier.Work(w.ctx, memory.Job{Key: keyOf("ada/shop/two"), Kind: Kind}); err != nil {
			t.Errorf("a job with nothing to embed: %v", err)
		}
		w.archive("ada/shop/two")
		if err := w.tier.Work(w.ctx, memory.Job{Key: keyOf("ada/shop/two"), Kind: Kind}); !errors.Is(err, errDown) {
			t.Errorf("a job without the embedder: %v", err)
		}
		e.down = false
		time.Sleep(10 * time.Second)
		w.embed("ada/shop/two")
		if got := w.found("ada", "earpieces"); !slices.Equal(got, []string{"two"}) {
			t.Errorf("back again it finds %q", got)
		}
	}
}

// TestOutsideDown: while the place outside is down words serve, and it is left alone; a job
// says that it failed by it.
func TestOutsideDown(t *testing.T) { synctest.Test(t, testOutsideDown) }

func testOutsideDown(t *testing.T) {
	p := &place{}
	var calls []recall.VectorCall
	w := newFixture(t, &Options{Preferred: &slow{model: "m"}, External: p, OnCall: func(c recall.VectorCall) { calls = append(calls, c) }})
	w.talk("ada/shop/one", refunded...)
	w.archive("ada/shop/one")
	w.embed("ada/shop/one")
	p.down = true
	for range 20 {
		if got := w.found("ada", "refund for the lamp"); len(got) != 1 {
			t.Errorf("by words it finds %q", got)
		}
	}
	w.talk("ada/shop/two", cancelled...)
	w.archive("ada/shop/two")
	time.Sleep(10 * time.Second)
	if err := w.tier.Work(w.ctx, memory.Job{Key: keyOf("ada/shop/two"), Kind: Kind}); !errors.Is(err, recall.ErrVectors) {
		t.Errorf("a job: %v, want ErrVectors", err)
	}
	if last := calls[len(calls)-1]; last.Op != "put" || last.Code != "unavailable" {
		t.Errorf("the last call was told as %+v", last)
	}
	p.down = false
	time.Sleep(10 * time.Second)
	w.work("ada/shop/two")
	if got := w.found("ada", "earpieces"); !slices.Equal(got, []string{"two"}) {
		t.Errorf("back again it finds %q", got)
	}
}

// TestEmbeddedModelOutside: what the embedded model makes is kept outside for others, and a
// search does not ask for it.
func TestEmbeddedModelOutside(t *testing.T) {
	model, err := embed.New()
	if err != nil {
		t.Fatal(err)
	}
	p := &place{}
	w := newFixture(t, &Options{Embedder: model, Preferred: model, External: p})
	w.talk("ada/shop/one", refunded...)
	w.archive("ada/shop/one")
	w.work("ada/shop/one")
	w.work("ada/shop/one")
	if got := w.found("ada", "refund for the lamp"); len(got) != 1 || len(p.rows) != 1 {
		t.Errorf("found %q; %d are kept outside", got, len(p.rows))
	}
}

// TestAddedDocumentsAreEmbedded by the job that adding asks for.
func TestAddedDocumentsAreEmbedded(t *testing.T) {
	w := newFixture(t, &Options{Preferred: &slow{model: "m"}, ChunkSize: 30, ChunkOverlap: 5})
	w.add("shop", "lamp.md", manual)
	jobs, err := w.store.Jobs(w.ctx, memory.JobQuery{Kind: Kind})
	if err != nil || len(jobs) != 1 {
		t.Fatalf("%d jobs, %v", len(jobs), err)
	}
	if err := w.tier.Work(w.ctx, jobs[0]); err != nil {
		t.Fatal(err)
	}
	if got := w.search(Query{Key: keyOf("ada/shop/now"), Text: "luminaire"}); len(got) == 0 || !strings.Contains(got[0].Text, "lamp") {
		t.Errorf("found %+v", got)
	}
}

// TestOutsideForgets: what was cleared, undone or replaced is kept outside no longer, also
// where it happens while the job is at it.
func TestOutsideForgets(t *testing.T) {
	clearing := func(w *fixture) {
		s := w.session("ada/shop/one")
		if _, err := s.Clear(); err != nil {
			t.Fatal(err)
		}
		p := s.Progress()
		if err := s.Commit(w.ctx, w.clock); err != nil {
			t.Fatal(err)
		}
		if !w.tier.Wants(p) {
			t.Error("no job is wanted after clearing")
		}
	}
	for what, change := range map[string]func(w *fixture){
		"cleared": clearing,
		"undone": func(w *fixture) {
			for range 2 {
				s := w.session("ada/shop/one")
				if _, err := s.Undo(w.ctx); err != nil {
					t.Fatal(err)
				}
				if err := s.Commit(w.ctx, w.clock); err != nil {
					t.Fatal(err)
				}
			}
		},
		"deleted": func(w *fixture) {
			if err := w.store.Delete(w.ctx, keyOf("ada/shop/one")); err != nil {
				t.Fatal(err)
			}
		},
	} {
		for _, late := range []bool{false, true} {
			p := &place{}
			w := newFixture(t, &Options{Preferred: &slow{model: "m"}, External: p})
			w.talk("ada/shop/one", refunded...)
			w.archive("ada/shop/one")
			if late {
				p.onPut = func() { p.onPut = nil; change(w) }
			}
			w.embed("ada/shop/one")
			if !late {
				change(w)
			}
			w.archiveIf("ada/shop/one")
			w.embed("ada/shop/one")
			if len(p.rows) != 0 {
				t.Errorf("%s, late: %t: kept is %d", what, late, len(p.rows))
			}
		}
	}
}

// archiveIf archives a session that may be gone.
func (w *fixture) archiveIf(path string) {
	w.Helper()
	if _, err := w.tier.Archive(w.ctx, keyOf(path)); err != nil && !errors.Is(err, memory.ErrNotFound) {
		w.Fatal(err)
	}
}

// TestOutsideHides: neither the embedder nor the place outside is given what is to be hidden.
func TestOutsideHides(t *testing.T) {
	e, p := &slow{model: "m"}, &place{}
	hide := strings.NewReplacer("O-12345", "<order>", "Greta", "<name>", "Malmo", "<town>").Replace
	w := newFixture(t, &Options{
		Preferred: e, External: p, Redact: func(context.Context, ...memory.Key) (func(string) string, error) { return hide, nil },
		Pseudonyms: func(context.Context, memory.Key) (_, _ func(string) string, err error) { return hide, hide, nil },
	})
	w.talk("ada/shop/one", cancelled...)
	w.archive("ada/shop/one")
	w.embed("ada/shop/one")
	w.found("ada", "order O-12345")
	if len(p.rows) != 1 {
		t.Fatalf("kept are %d", len(p.rows))
	}
	var given strings.Builder
	given.WriteString(strings.Join(e.seen, "\n"))
	for _, row := range p.rows {
		given.WriteString(row.Document.Text + fmt.Sprint(row.Document.Metadata))
	}
	for _, secret := range []string{"O-12345", "Greta", "Malmo"} {
		if strings.Contains(given.String(), secret) {
			t.Errorf("%s was given away: %s", secret, given.String())
		}
	}
	if !strings.Contains(given.String(), "<order>") {
		t.Errorf("nothing was hidden: %s", given.String())
	}
}

// TestAnotherModel: the vectors of a model that nobody asks for any more are dropped, those of
// the new one made.
func TestAnotherModel(t *testing.T) {
	w := newFixture(t, &Options{Preferred: &slow{model: "old"}})
	w.talk("ada/shop/one", refunded...)
	w.archive("ada/shop/one")
	w.embed("ada/shop/one")
	count := func(prefix string) int {
		views, err := w.store.Views(w.ctx, memory.ViewQuery{Tier: VectorsName, Prefix: prefix})
		if err != nil {
			t.Fatal(err)
		}
		return len(views)
	}
	w.open(&Options{Preferred: &slow{model: "new"}})
	w.embed("ada/shop/one")
	if a, b := count("here/old/"), count("here/new/"); a != 0 || b != 1 {
		t.Errorf("%d of the old model, %d of the new", a, b)
	}
}
