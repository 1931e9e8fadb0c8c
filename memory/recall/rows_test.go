package recall

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/jobs"
)

// talk says n messages in a session, 50 a turn.
func (w *fixture) talk(path string, n int) {
	w.Helper()
	for n > 0 {
		var lines []string
		for range min(n, 50) {
			lines = append(lines, fmt.Sprintf("user: kitten number %d", n))
			n--
		}
		w.say(path, lines...)
	}
}

func (w *fixture) drain() {
	w.Helper()
	runner := jobs.New(w.store, map[string]jobs.Func{Kind: w.tier.Work}, nil)
	if _, err := runner.Drain(w.ctx); err != nil {
		w.Fatal(err)
	}
}

// rows counts the stored vectors of a model.
func (w *fixture) rows(path, model string) int {
	w.Helper()
	key := keyOf(path)
	views, err := w.store.Views(w.ctx, memory.ViewQuery{
		UserID: key.UserID, AgentID: key.AgentID, SessionID: key.SessionID, Tier: Name, Prefix: segmentPrefix(model),
	})
	if err != nil {
		w.Fatal(err)
	}
	n := 0
	for _, v := range views {
		n += (len(v.Data) - segmentHeader) / (rowHeader + clusterDim)
	}
	return n
}

func TestWants(t *testing.T) {
	p := memory.Progress{Messages: said("tool: kite", "user: kite")}
	p.Messages[0].Role = memory.Tool
	silent := p
	silent.Messages = p.Messages[:1]
	remote, local := New(nil, &Options{Embedders: []Embedder{&server{}}}), New(nil, &Options{Embedders: []Embedder{clusters{}}})
	for _, test := range []struct {
		name string
		tier *Tier
		p    memory.Progress
		want bool
	}{
		{"said", remote, p, true}, {"nothing said", remote, silent, false}, {"costs nothing", local, p, false}, {"none", New(nil, nil), p, false},
	} {
		if got := test.tier.Wants(test.p); got != test.want {
			t.Errorf("%s: %t, want %t", test.name, got, test.want)
		}
	}
}

func TestWork(t *testing.T) {
	remote := &server{model: "remote"}
	w := newFixture(t, &Options{Embedders: []Embedder{remote}})
	w.talk("u/a/s", 150)
	w.drain()
	if got := w.rows("u/a/s", "remote"); got != 150 || remote.asked != 150 {
		t.Errorf("%d rows after %d texts, want 150", got, remote.asked)
	}
	w.find(scoped("kitty"))
	before := remote.asked
	w.talk("u/a/s", 20)
	w.drain()
	if remote.asked-before != 20 || w.rows("u/a/s", "remote") != 170 {
		t.Errorf("20 more messages: %d texts, %d rows", remote.asked-before, w.rows("u/a/s", "remote"))
	}
	if got := w.tier.Stats().Vectors["remote"]; got != 150 {
		t.Errorf("%d vectors before the next search, want 150 and none of messages that are not indexed", got)
	}
	found, err := w.tier.Similar(w.ctx, scoped("kitty"))
	if err != nil || len(found) != 10 || w.tier.Stats().Vectors["remote"] != 170 {
		t.Errorf("found %d, %v; %d vectors", len(found), err, w.tier.Stats().Vectors["remote"])
	}
	fresh := New(w.store, &Options{Embedders: []Embedder{remote}})
	if found, err := fresh.Similar(w.ctx, scoped("kitty")); err != nil || len(found) != 10 {
		t.Errorf("another process found %d, %v", len(found), err)
	}
}

// TestWorkGoesOn stops half-way, as a process that is killed does.
func TestWorkGoesOn(t *testing.T) {
	remote := &server{model: "remote", after: 100}
	w := newFixture(t, &Options{Embedders: []Embedder{remote}})
	w.talk("u/a/s", 300)
	job := memory.Job{Key: keyOf("u/a/s"), Kind: Kind, Target: 300}
	if err := w.tier.Work(w.ctx, job); !errors.Is(err, errDown) {
		t.Fatalf("work gives %v", err)
	}
	half := w.rows("u/a/s", "remote")
	if half == 0 || half >= 300 {
		t.Fatalf("%d rows half-way", half)
	}
	if got := w.find(scoped("kitten")); len(got) != 10 {
		t.Errorf("found %d messages without the embedder", len(got))
	}
	if _, err := w.tier.Similar(w.ctx, scoped("kitten")); !errors.Is(err, errDown) {
		t.Errorf("a search by meaning gives %v", err)
	}
	remote.down, remote.after = false, 0
	before := remote.asked
	if err := w.tier.Work(w.ctx, job); err != nil {
		t.Fatal(err)
	}
	if again := remote.asked - before; w.rows("u/a/s", "remote") != 300 || again != 300-half {
		t.Errorf("%d rows after %d more texts, want 300 after %d", w.rows("u/a/s", "remote"), again, 300-half)
	}
}

func TestWorkAfterClear(t *testing.T) {
	remote := &server{model: "remote"}
	w := newFixture(t, &Options{Embedders: []Embedder{remote}})
	w.talk("u/a/s", 70)
	w.drain()
	w.clear("u/a/s")
	if err := w.tier.Work(w.ctx, memory.Job{Key: keyOf("u/a/s"), Target: 70}); err != nil || remote.asked != 70 {
		t.Errorf("a late job gives %v and asks for %d texts", err, remote.asked-70)
	}
	w.talk("u/a/s", 5)
	w.drain()
	if remote.asked != 75 {
		t.Errorf("asked for %d texts, want those that are active", remote.asked-70)
	}
	if err := w.store.Delete(w.ctx, keyOf("u/a/s")); err != nil {
		t.Fatal(err)
	}
	if err := w.tier.Work(w.ctx, memory.Job{Key: keyOf("u/a/s"), Target: 75}); err != nil || w.rows("u/a/s", "remote") != 0 {
		t.Errorf("a job for a deleted session gives %v", err)
	}
}

// TestReindex changes the model: the old one's vectors serve until the new one's are made.
func TestReindex(t *testing.T) {
	old, wanted := &server{model: "old"}, &server{model: "new"}
	w := newFixture(t, &Options{Embedders: []Embedder{old}})
	w.talk("u/a/s1", 100)
	w.talk("u/a/s2", 30)
	if n, err := w.tier.Backfill(w.ctx, "", nil); err != nil || n != 130 {
		t.Fatalf("backfill made %d, %v", n, err)
	}

	w.tier = New(w.store, &Options{Embedders: []Embedder{wanted, old}, Now: w.tier.opts.Now})
	similar := func() {
		t.Helper()
		if found, err := w.tier.Similar(w.ctx, scoped("kitty")); err != nil || len(found) != 10 {
			t.Fatalf("found %d, %v", len(found), err)
		}
	}
	similar()
	if wanted.asked != 0 {
		t.Error("the new model was asked although it has no vectors")
	}
	wanted.after = 60
	if _, err := w.tier.Backfill(w.ctx, "u", nil); !errors.Is(err, errDown) {
		t.Fatalf("backfill gives %v", err)
	}
	wanted.down, wanted.after = false, 0
	asked := wanted.asked
	if similar(); wanted.asked != asked {
		t.Error("the new model was asked although the old one has more vectors")
	}
	var seen []int
	if _, err := w.tier.Backfill(w.ctx, "u", func(done, total int) { seen = append(seen, done, total) }); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int{1, 2, 2, 2}, seen); diff != "" {
		t.Errorf("progress (-want +got):\n%s", diff)
	}
	asked = old.asked
	if similar(); old.asked != asked || w.rows("u/a/s1", "old") != 100 {
		t.Error("the old model serves although the new one has all vectors")
	}

	w.tier = New(w.store, &Options{Embedders: []Embedder{wanted}})
	if n, err := w.tier.Backfill(w.ctx, "", nil); err != nil || n != 0 || w.rows("u/a/s1", "old") != 0 || w.rows("u/a/s1", "new") != 100 {
		t.Errorf("the last backfill made %d, %v; %d old rows, %d new", n, err, w.rows("u/a/s1", "old"), w.rows("u/a/s1", "new"))
	}
	similar()
}

// TestDamagedSegment holds that vectors that cannot be read are passed over, and made
// again by a backfill.
func TestDamagedSegment(t *testing.T) {
	remote := &server{model: "remote"}
	w := newFixture(t, &Options{Embedders: []Embedder{remote}})
	w.talk("u/a/s", 100)
	w.drain()
	view := memory.View{Key: keyOf("u/a/s"), Tier: Name, ID: segmentName("remote", 0), UpTo: 64, Data: []byte("no vectors")}
	if n, err := w.store.PutViews(w.ctx, []memory.View{view}); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	w.find(scoped("kitten"))
	if got := w.tier.Stats().Vectors["remote"]; got != 36 {
		t.Errorf("%d vectors of 100 with a damaged segment, want 36", got)
	}
	if n, err := w.tier.Backfill(w.ctx, "", nil); err != nil || n != 64 {
		t.Errorf("backfill made %d, %v, want 64", n, err)
	}
	if got := w.tier.Stats().Vectors["remote"]; got != 100 {
		t.Errorf("%d vectors after the backfill", got)
	}
}

// TestOtherProcessEmbeds holds that a process finds the vectors that another made.
func TestOtherProcessEmbeds(t *testing.T) {
	remote := &server{model: "remote"}
	w := newFixture(t, &Options{Embedders: []Embedder{remote}})
	w.talk("u/a/s", 10)
	w.find(scoped("kitten"))
	other := New(w.store, &Options{Embedders: []Embedder{remote}})
	if _, err := other.Backfill(w.ctx, "", nil); err != nil {
		t.Fatal(err)
	}
	w.clock = w.clock.Add(pollInterval)
	w.find(scoped("kitten"))
	if got := w.tier.Stats().Vectors["remote"]; got != 10 {
		t.Errorf("%d vectors, want the 10 that the other process made", got)
	}
}

func TestBadEmbedder(t *testing.T) {
	for _, dim := range []int{clusterDim - 1, 0} {
		w := newFixture(t, &Options{Embedders: []Embedder{short{dim}}})
		w.talk("u/a/s", 3)
		if err := w.tier.Work(w.ctx, memory.Job{Key: keyOf("u/a/s"), Target: 3}); !errors.Is(err, ErrEmbedder) {
			t.Errorf("vectors of %d numbers: %v, want ErrEmbedder", dim, err)
		}
	}
}

// weighed is a store that counts the bytes of views that are read.
type weighed struct {
	memory.Backend
	bytes int
}

func (s *weighed) Views(ctx context.Context, q memory.ViewQuery) ([]memory.View, error) {
	views, err := s.Backend.Views(ctx, q)
	for _, v := range views {
		s.bytes += len(v.Data)
	}
	return views, err
}

// TestLongSessionReadsLittle holds that one more turn of a long session reads the vectors of
// a segment or two, not all.
func TestLongSessionReadsLittle(t *testing.T) {
	w := newFixture(t, &Options{Embedders: []Embedder{&server{model: "remote"}}})
	store := &weighed{Backend: w.store}
	w.store, w.tier = store, New(store, &w.tier.opts)
	w.talk("u/a/s", 2_000)
	w.drain()
	w.find(scoped("kitten"))
	w.talk("u/a/s", 2)
	w.drain()
	store.bytes = 0
	w.find(scoped("kitten"))
	if limit := 2 * (segmentHeader + segmentMessages*(rowHeader+clusterDim)); store.bytes == 0 || store.bytes > limit {
		t.Errorf("a turn later a search reads %d bytes of vectors, want at most %d", store.bytes, limit)
	}
	if got := w.tier.Stats().Vectors["remote"]; got != 2_002 {
		t.Errorf("%d vectors", got)
	}
}
