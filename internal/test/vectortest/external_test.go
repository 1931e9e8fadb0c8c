package vectortest_test

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
	"github.com/slotway/slotway/memory/recall"
)

// TestOutsideWork: the job writes what is missing, once, also by an embedder that costs
// nothing; what it wrote is found by another process.
func TestOutsideWork(t *testing.T) {
	for _, e := range []recall.Embedder{&counting{model: "m"}, &swift{counting{model: "m"}}} {
		w := newFixture(t, e)
		w.say("s", "kite kitten", "apple", "?")
		w.drain()
		w.drain()
		if w.place.put != 2 || w.place.held(t, at("s"), "m") != 2 {
			t.Errorf("put %d rows, %d are there, want 2: one text has no direction", w.place.put, w.place.held(t, at("s"), "m"))
		}
		if got := w.similar("kick"); len(got) == 0 || got[0] != "kite kitten" {
			t.Errorf("found %q", got)
		}
		w.say("s", "kangaroo kin")
		w.drain()
		if w.place.put != 3 {
			t.Errorf("one more message: %d rows were put so far, want 3", w.place.put)
		}
		w.open(recall.Options{Embedders: []recall.Embedder{e}})
		if got := w.similar("kick"); !slices.Contains(got, "kangaroo kin") || !slices.Contains(got, "kite kitten") {
			t.Errorf("another process found %q", got)
		}
		p := memory.Progress{Before: 1, NextSeq: 2, Floor: 1, Messages: []memory.Message{{Role: memory.User, Text: "x"}}}
		if !w.tier.Wants(p) || recall.New(w.store, &recall.Options{Vectors: w.place}).Wants(p) {
			t.Error("the job is wanted where there are no embedders, or is not where there are")
		}
	}
}

// TestOutsideCleared: what was cleared is not found even before the job ran, and does not
// keep what is there from being found.
func TestOutsideCleared(t *testing.T) {
	w := newFixture(t, &swift{counting{model: "m"}})
	var old []string
	for i := range 60 {
		old = append(old, fmt.Sprint("kite ", i))
	}
	w.say("s", old...)
	w.say("s2", "kite apple")
	w.drain()
	if got := w.similar("kite"); len(got) != 5 {
		t.Fatalf("found %q", got)
	}
	p := w.clear("s")
	if !w.tier.Wants(p) {
		t.Error("no job is wanted after clearing")
	}
	if got := w.similar("kite"); !slices.Equal(got, []string{"kite apple"}) {
		t.Errorf("found %q before the job, want what was not cleared", got)
	}
	w.say("s", "kite again")
	w.drain()
	if n := w.place.held(t, at("s"), "m"); n != 1 {
		t.Errorf("%d rows are left of the session, want what was said since", n)
	}
	if got := w.similar("kite"); !slices.Contains(got, "kite again") || len(got) != 2 {
		t.Errorf("found %q", got)
	}
}

// TestOutsideLate: a job that is overtaken by a deletion, or a clearing, leaves nothing.
func TestOutsideLate(t *testing.T) {
	for _, what := range []string{"deleted", "cleared", "replaced"} {
		e := &counting{model: "m"}
		w := newFixture(t, e)
		w.say("s", "kite", "kitten")
		w.place.onPut = func() {
			w.place.onPut = nil
			if what == "cleared" {
				w.clear("s")
				return
			}
			if err := w.store.Delete(t.Context(), at("s")); err != nil {
				t.Fatal(err)
			}
			if what == "replaced" {
				w.now = w.now.Add(time.Hour)
				w.say("s", "kite two")
				w.drain()
			}
		}
		if err := w.tier.Work(t.Context(), memory.Job{Key: at("s"), Target: 2}); err != nil {
			t.Fatal(err)
		}
		want := 0
		if what == "replaced" {
			want = 1
			if got := w.similar("kite"); !slices.Equal(got, []string{"kite two"}) {
				t.Errorf("%s: found %q", what, got)
			}
			if _, err := w.tier.Backfill(t.Context(), "", nil); err != nil {
				t.Fatal(err)
			}
		}
		if n := w.place.held(t, at("s"), "m"); n != want {
			t.Errorf("%s: %d rows are left, want %d", what, n, want)
		}
	}
}

// TestOutsideBackfill: rows that are lost or stray are set right, and what the store's views
// have is not asked for again.
func TestOutsideBackfill(t *testing.T) {
	e := &counting{model: "m"}
	w := newFixture(t, e)
	w.tier = recall.New(w.store, &recall.Options{Embedders: []recall.Embedder{e}}) // as before the backend was set
	w.say("s", "kite", "kitten", "apple")
	w.drain()
	asked := len(e.seen)
	w.open(recall.Options{Embedders: []recall.Embedder{e}})
	if n, err := w.tier.Backfill(t.Context(), "", nil); err != nil || n != 3 || len(e.seen) != asked {
		t.Errorf("moved %d rows, %v; asked for %d texts more", n, err, len(e.seen)-asked)
	}
	views, err := w.store.Views(t.Context(), memory.ViewQuery{Tier: recall.Name, Prefix: "vec/"})
	if err != nil || len(views) != 0 {
		t.Errorf("%d views with vectors are left, %v", len(views), err)
	}
	owner := recall.OwnerOf(at("s"))
	if err := w.place.Drop(t.Context(), recall.VectorDrop{Owner: owner, Model: "m", Seqs: []int64{2}}); err != nil {
		t.Fatal(err)
	}
	stray := recall.VectorSet{Owner: owner, Model: "m", Dim: letters, Fence: recall.Fence{Born: 1}}
	orphan := recall.VectorSet{Owner: recall.OwnerOf(at("gone")), Model: "m", Dim: letters}
	another := recall.VectorSet{Owner: owner, Model: "old", Dim: letters}
	for _, set := range []recall.VectorSet{stray, orphan, another} {
		if err := w.place.Put(t.Context(), set, []recall.VectorRow{{Seq: 77, Vector: make([]float32, letters)}}); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := w.tier.Backfill(t.Context(), "", nil); err != nil || n != 1 {
		t.Errorf("made %d rows, %v, want the one that was lost", n, err)
	}
	if a, b := w.place.held(t, at("s"), "m"), w.place.held(t, at("gone"), "m"); a != 3 || b != 0 {
		t.Errorf("%d rows are there and %d of a session that is not, want 3 and 0", a, b)
	}
}

// TestOutsideReindex changes the model: the old one serves until the new one has seen all.
func TestOutsideReindex(t *testing.T) {
	old, wanted := &counting{model: "old"}, &counting{model: "new"}
	w := newFixture(t, old)
	w.say("s", "kite", "kitten")
	w.drain()
	w.open(recall.Options{Embedders: []recall.Embedder{wanted, old}})
	if got := w.similar("kick"); len(got) != 2 || len(wanted.seen) != 0 {
		t.Errorf("found %q; the new model was asked %d times", got, len(wanted.seen))
	}
	if n, err := w.tier.Backfill(t.Context(), "u", nil); err != nil || n != 2 {
		t.Fatalf("backfill made %d, %v", n, err)
	}
	asked := len(old.seen)
	if got := w.similar("kick"); len(got) != 2 || len(old.seen) != asked {
		t.Errorf("found %q; the old model was asked", got)
	}
	w.open(recall.Options{Embedders: []recall.Embedder{wanted}})
	if _, err := w.tier.Backfill(t.Context(), "", nil); err != nil || w.place.held(t, at("s"), "old") != 0 || w.place.held(t, at("s"), "new") != 2 {
		t.Errorf("%v; %d rows of the old model, %d of the new", err, w.place.held(t, at("s"), "old"), w.place.held(t, at("s"), "new"))
	}
}

// TestOutsideDown: words are enough where the backend is down, and it is left alone; a
// search by meaning alone says so.
func TestOutsideDown(t *testing.T) { synctest.Test(t, testOutsideDown) }

func testOutsideDown(t *testing.T) {
	w := newFixture(t, &swift{counting{model: "m"}})
	w.say("s", "kite", "kitten")
	w.drain()
	w.similar("kite")
	w.place.down, w.place.asked = errDown, 0
	for range 20 {
		found, err := w.tier.Search(t.Context(), about("kite"))
		if err != nil || len(found) == 0 || found[0].Message.Text != "kite" {
			t.Fatalf("found %v, %v", texts(found), err)
		}
	}
	if w.place.asked != 3 {
		t.Errorf("a backend that is down was asked %d times, want 3", w.place.asked)
	}
	if _, err := w.tier.Similar(t.Context(), about("kite")); !errors.Is(err, recall.ErrVectors) {
		t.Errorf("by meaning alone: %v, want ErrVectors", err)
	}
	if last := w.calls[len(w.calls)-1]; last.Op != "nearest" || last.Code != "paused" {
		t.Errorf("the last call was told as %+v", last)
	}
	if err := w.tier.Work(t.Context(), memory.Job{Key: at("s"), Target: 2}); err != nil {
		t.Errorf("a job with nothing to do: %v", err)
	}
	w.say("s", "kin")
	if err := w.tier.Work(t.Context(), memory.Job{Key: at("s"), Target: 3}); !errors.Is(err, recall.ErrVectors) {
		t.Errorf("a job: %v, want ErrVectors", err)
	}
	if err := w.store.Delete(t.Context(), at("s")); !errors.Is(err, recall.ErrVectors) {
		t.Errorf("a deletion: %v, want ErrVectors", err)
	}
	w.place.down = nil
	if err := w.store.Delete(t.Context(), at("s")); !errors.Is(err, memory.ErrNotFound) || w.place.held(t, at("s"), "m") != 0 {
		t.Errorf("again: %v, and %d rows are left", err, w.place.held(t, at("s"), "m"))
	}
	w.say("s", "kite")
	time.Sleep(10 * time.Second)
	w.drain()
	if got := w.similar("kite"); !slices.Equal(got, []string{"kite"}) {
		t.Errorf("back again it finds %q", got)
	}
}

// TestOutsideSlow: a turn waits for a slow backend no longer than it is told to.
func TestOutsideSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newFixture(t, &swift{counting{model: "m"}})
		w.say("s", "kite", "kitten")
		w.drain()
		w.place.slow = true
		for n := range 6 {
			begun := time.Now()
			var c memory.Context
			req := memory.Request{Key: at("s"), Text: "kite", NextSeq: 3, Floor: 1}
			if err := w.tier.Contribute(t.Context(), req, &c); err != nil || len(c.Recalled) == 0 {
				t.Fatalf("recalled %v, %v", texts(c.Recalled), err)
			}
			want := 250 * time.Millisecond
			if n >= 3 {
				want = 0
			}
			if took := time.Since(begun); took != want {
				t.Errorf("turn %d waited %v, want %v", n, took, want)
			}
		}
		if got := w.calls[len(w.calls)-4]; got.Code != "timeout" {
			t.Errorf("the third call was told as %+v", got)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		w.now = w.now.Add(time.Minute)
		if _, err := w.tier.Similar(ctx, about("kite")); err == nil {
			t.Error("a search that was given up has an answer")
		}
	})
}

// TestOutsideHides: no embedder sees what is to be hidden, for its vectors leave the process.
func TestOutsideHides(t *testing.T) {
	e := &swift{counting{model: "m"}}
	w := newFixture(t)
	w.open(recall.Options{Embedders: []recall.Embedder{e}, Redact: func(context.Context, ...memory.Key) (func(string) string, error) {
		return func(text string) string { return strings.ReplaceAll(text, "secret", "x") }, nil
	}})
	w.say("s", "kite secret")
	w.drain()
	if got := w.similar("secret kite"); len(got) != 1 {
		t.Errorf("found %q", got)
	}
	if len(e.seen) < 2 || strings.Contains(strings.Join(e.seen, " "), "secret") {
		t.Errorf("the embedder saw %q", e.seen)
	}
}

// TestOutsidePrune prunes any number of sessions: the vectors of those that stay, stay.
func TestOutsidePrune(t *testing.T) {
	for _, idle := range []int{0, 1, 2, 7, 12} {
		w := newFixture(t, &counting{model: "m"})
		start := w.now
		for i := range 12 {
			w.now = start.Add(time.Duration(i) * time.Hour)
			w.say(fmt.Sprint("s", i), "kite")
		}
		w.drain()
		n, err := w.store.Prune(t.Context(), start.Add(time.Duration(idle)*time.Hour))
		if err != nil || n != idle {
			t.Fatalf("pruned %d, %v, want %d", n, err, idle)
		}
		for i := range 12 {
			want := 1
			if i < idle {
				want = 0
			}
			if got := w.place.held(t, at(fmt.Sprint("s", i)), "m"); got != want {
				t.Errorf("%d pruned: session %d has %d rows, want %d", idle, i, got, want)
			}
		}
	}
}

// TestOutsideBound: vectors go with the session that a bound erases, and with one that has expired.
func TestOutsideBound(t *testing.T) {
	w := newFixture(t, &counting{model: "m"})
	w.store.Keep(memory.Rules{Max: 2, Now: func() time.Time { return w.now }})
	for i := range 3 {
		w.say(fmt.Sprint("s", i), "kite")
		w.drain()
		w.now = w.now.Add(time.Hour)
	}
	if err := w.store.Describe(t.Context(), at("s2"), memory.About{ExpiresAt: w.now}); err != nil {
		t.Fatal(err)
	}
	if n, err := w.store.Expire(t.Context()); n != 1 || err != nil {
		t.Fatalf("Expire = %d, %v", n, err)
	}
	for i, want := range []int{0, 1, 0} {
		if got := w.place.held(t, at(fmt.Sprint("s", i)), "m"); got != want {
			t.Errorf("session %d has %d rows, want %d", i, got, want)
		}
	}
}

// restless is a store in which a session changes between two pages of a listing.
type restless struct {
	memory.Backend

	change func() // once
}

func (s *restless) Sessions(ctx context.Context, q memory.Query) ([]memory.Info, error) {
	if q.After != nil && s.change != nil {
		change := s.change
		s.change = nil
		change()
	}
	return s.Backend.Sessions(ctx, q)
}

// TestOutsideMissed: a session that a listing misses, because it changes meanwhile, is not
// taken for one that is gone.
func TestOutsideMissed(t *testing.T) {
	e := &counting{model: "m"}
	w := newFixture(t, e)
	start := w.now
	const sessions = 1_005
	for i := range sessions {
		w.now = start.Add(time.Duration(i) * time.Second)
		w.say(fmt.Sprint("s", i), "kite")
	}
	w.drain()
	w.now = w.now.Add(time.Hour)
	store := &restless{Backend: w.store}
	store.change = func() { w.say("s2", "kitten") } // s2 becomes the one that was used last
	tier := recall.New(store, &recall.Options{Embedders: []recall.Embedder{e}, Vectors: w.place, Now: func() time.Time { return w.now }})
	if err := w.place.Put(t.Context(), recall.VectorSet{Owner: recall.OwnerOf(at("gone")), Model: "m", Dim: letters},
		[]recall.VectorRow{{Seq: 1, Vector: make([]float32, letters)}}); err != nil {
		t.Fatal(err)
	}
	if _, err := tier.Backfill(t.Context(), "", nil); err != nil || store.change != nil {
		t.Fatalf("backfill: %v; a session changed meanwhile: %t", err, store.change == nil)
	}
	if got := w.place.held(t, at("s2"), "m"); got == 0 {
		t.Error("the vectors of a living session were dropped")
	}
	if got := w.place.held(t, at("gone"), "m"); got != 0 {
		t.Error("the vectors of no session were not dropped")
	}
}

// TestOutsideRetracted: a backfill drops the rows of a turn that was undone.
func TestOutsideRetracted(t *testing.T) {
	w := newFixture(t, &counting{model: "m"})
	for _, text := range []string{"kite", "kitten"} {
		s, err := memory.NewConversations(w.store, 8).ForSession(t.Context(), at("s"))
		if err != nil {
			t.Fatal(err)
		}
		s.Append(memory.Message{Role: memory.User, Text: text, Timestamp: w.now})
		s.RecordTurn(memory.Turn{RequestID: text})
		s.Enqueue(recall.Kind, time.Time{})
		if err := s.Commit(t.Context(), w.now); err != nil {
			t.Fatal(err)
		}
	}
	w.drain()
	s, err := memory.NewConversations(w.store, 8).ForSession(t.Context(), at("s"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Undo(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.Commit(t.Context(), w.now); err != nil {
		t.Fatal(err)
	}
	if got := w.similar("kick"); !slices.Equal(got, []string{"kite"}) {
		t.Errorf("found %q", got)
	}
	if _, err := w.tier.Backfill(t.Context(), "", nil); err != nil || w.place.held(t, at("s"), "m") != 1 {
		t.Errorf("%v; %d rows are left", err, w.place.held(t, at("s"), "m"))
	}
}
