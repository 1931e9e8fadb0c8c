package vectortest

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/recall"
)

// Options of a run.
type Options struct {
	Cosine float64 // tolerance of cosines, for stores that round; default 1e-3
}

// Run tests a store. open returns an empty one, which it closes when the test ends.
func Run(t *testing.T, open func(t *testing.T) recall.VectorStore, opts *Options) {
	t.Helper()
	o := Options{}
	if opts != nil {
		o = *opts
	}
	if o.Cosine == 0 {
		o.Cosine = 1e-3
	}
	for _, test := range []struct {
		name string
		run  func(t *testing.T, w *bench)
	}{
		{"Put", put},
		{"Filters", filters},
		{"Also", also},
		{"Scopes", isolation},
		{"Models", models},
		{"Fence", fences},
		{"Ties", ties},
		{"Held", held},
		{"Drop", drops},
		{"Owners", owners},
		{"Cancelled", cancelled},
		{"Random", random},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.run(t, &bench{v: open(t), eps: o.Cosine})
		})
	}
}

// bench is a store beside the reference.
type bench struct {
	v   recall.VectorStore
	ref Reference
	eps float64
}

const dim = 16

// key returns the key of a user's session with the one agent.
func key(user, session string) memory.Key {
	return memory.Key{UserID: user, AgentID: "agent", SessionID: session}
}

func set(user, session string) recall.VectorSet {
	return recall.VectorSet{Owner: recall.OwnerOf(key(user, session)), Model: "model", Dim: dim, Fence: recall.Fence{Born: 1_700_000_000_000_000, Epoch: 2}}
}

// vector returns a vector with a cosine of about c to vector(1).
func vector(c float64) []float32 {
	v := make([]float32, dim)
	v[0], v[1] = float32(c), float32(math.Sqrt(max(1-c*c, 0)))
	return v
}

func (w *bench) put(t *testing.T, s recall.VectorSet, rows ...recall.VectorRow) {
	t.Helper()
	for _, v := range []recall.VectorStore{w.v, &w.ref} {
		if err := v.Put(t.Context(), s, rows); err != nil {
			t.Fatal(err)
		}
	}
}

func (w *bench) drop(t *testing.T, d recall.VectorDrop) {
	t.Helper()
	for _, v := range []recall.VectorStore{w.v, &w.ref} {
		if err := v.Drop(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
}

func query(user string, k int) recall.VectorQuery {
	return recall.VectorQuery{Scope: recall.ScopeID(user, "agent"), Model: "model", Vector: vector(1), K: k}
}

// same checks that the store finds what the reference finds, except for the order of rows with the
// same cosine.
func (w *bench) same(t *testing.T, what string, q recall.VectorQuery) []recall.VectorMatch {
	t.Helper()
	got, err := w.v.Nearest(t.Context(), q)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	want, err := w.ref.Nearest(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(want) {
		t.Errorf("%s: found %d rows, want %d", what, len(got), len(want))
		return got
	}
	wide := q
	wide.K = math.MaxInt
	all, err := w.ref.Nearest(t.Context(), wide)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[recall.VectorKey]bool{}
	for i := range got {
		if d := float64(got[i].Cosine - want[i].Cosine); math.Abs(d) > w.eps {
			t.Errorf("%s: row %d has the cosine %v, want %v", what, i, got[i].Cosine, want[i].Cosine)
		}
		at := slices.IndexFunc(all, func(n recall.VectorMatch) bool { return n.VectorKey == got[i].VectorKey })
		if at < 0 || all[at].Check != got[i].Check || all[at].At != got[i].At || math.Abs(float64(all[at].Cosine-got[i].Cosine)) > w.eps {
			t.Errorf("%s: row %d is none that should be found, or is not what was put: %+v", what, i, got[i])
		}
		if seen[got[i].VectorKey] {
			t.Errorf("%s: row %d is found twice", what, i)
		}
		seen[got[i].VectorKey] = true
	}
	return got
}

func put(t *testing.T, w *bench) {
	if w.v.Name() == "" {
		t.Error("it has no name")
	}
	if got := w.same(t, "nothing is there", query("u", 5)); len(got) != 0 {
		t.Errorf("found %d", len(got))
	}
	rows := []recall.VectorRow{
		{Seq: 1, Check: math.MaxUint32, At: 1_700_000_000_123_456, Vector: vector(.9)},
		{Seq: 1 << 40, Check: 7, At: -5, Agent: true, Importance: 3, Vector: vector(-.5)},
		{Seq: 3, Check: 0, At: 9, Vector: []float32{3, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}}, // not of length 1
	}
	w.put(t, set("u", "s"), rows...)
	w.same(t, "all", query("u", 5))
	w.same(t, "the nearest", query("u", 1))
	w.put(t, set("u", "s"), rows...)
	w.same(t, "put twice", query("u", 5))
	rows[1].Check, rows[1].Vector = 8, vector(.99)
	w.put(t, set("u", "s"), rows[1])
	if got := w.same(t, "put anew", query("u", 5)); len(got) != 3 || got[0].Check != 8 {
		t.Errorf("found %+v, want what was put last first", got)
	}
	if err := w.v.Put(t.Context(), set("u", "s"), nil); err != nil {
		t.Errorf("no rows: %v", err)
	}
	none := query("u", 0)
	if got := w.same(t, "none wanted", none); len(got) != 0 {
		t.Errorf("found %d", len(got))
	}
}

// talk puts 30 rows into each of three sessions.
func (w *bench) talk(t *testing.T, user string) {
	t.Helper()
	for s := range 3 {
		var rows []recall.VectorRow
		for i := range 30 {
			rows = append(rows, recall.VectorRow{
				Seq: int64(i + 1), Check: uint32(100*s + i), At: int64(1_000*s + i), Agent: i%2 == 1, Importance: i % 4,
				Vector: vector(math.Cos(float64(7*i+s) / 40)),
			})
		}
		w.put(t, set(user, fmt.Sprint("s", s)), rows...)
	}
}

func filters(t *testing.T, w *bench) {
	w.talk(t, "u")
	since, until := int64(1_005), int64(2_010)
	session := func(s string) recall.ID { return recall.SessionID(key("u", s)) }
	limits := []struct {
		name string
		set  func(q *recall.VectorQuery)
	}{
		{"session", func(q *recall.VectorQuery) { q.Session = session("s1") }},
		{"without", func(q *recall.VectorQuery) { q.Exclude = session("s0") }},
		{"recent", func(q *recall.VectorQuery) {
			q.Recent, q.RecentFrom, q.RecentBefore = session("s1"), 4, 20
		}},
		{"no user", func(q *recall.VectorQuery) { q.NoUser = true }},
		{"no agent", func(q *recall.VectorQuery) { q.NoAgent = true }},
		{"since", func(q *recall.VectorQuery) { q.Since = &since }},
		{"until", func(q *recall.VectorQuery) { q.Until = &until }},
		{"importance", func(q *recall.VectorQuery) { q.MinImportance = 2 }},
	}
	for mask := range 1 << len(limits) {
		if n := popcount(mask); n > 2 && n < len(limits)-2 && mask%5 != 0 { // singles, pairs, nearly all, and some between
			continue
		}
		q, name := query("u", 7), ""
		for i, l := range limits {
			if mask>>i&1 == 1 {
				l.set(&q)
				name += l.name + ", "
			}
		}
		w.same(t, name, q)
	}
	q := query("u", 7)
	q.Session = recall.SessionID(key("u", "unknown"))
	if got := w.same(t, "an unknown session", q); len(got) != 0 {
		t.Errorf("found %+v", got)
	}
}

func popcount(n int) (ones int) {
	for ; n > 0; n &= n - 1 {
		ones++
	}
	return ones
}

func also(t *testing.T, w *bench) {
	w.talk(t, "u")
	w.talk(t, "other")
	q := query("u", 3)
	q.NoAgent = true
	for s := range 3 {
		for _, seq := range []int64{1, 2, 29, 30, 31, 999} {
			q.Include = append(q.Include, recall.VectorKey{Session: recall.SessionID(key("u", fmt.Sprint("s", s))), Seq: seq})
		}
	}
	q.Include = append(q.Include, recall.VectorKey{Session: recall.SessionID(key("other", "s0")), Seq: 1})
	if got := w.same(t, "also", q); len(got) < 12 || len(got) > 15 {
		t.Errorf("found %d rows, want 12 to 15", len(got))
	}
	q.K = 0
	if got := w.same(t, "those alone", q); len(got) != 12 {
		t.Errorf("found %d rows, want 12", len(got))
	}
}

func isolation(t *testing.T, w *bench) {
	for _, user := range []string{"u", "v", "u/agent", ""} {
		w.put(t, set(user, "s"), recall.VectorRow{Seq: 1, Check: uint32(len(user)), Vector: vector(1)})
	}
	other := key("u", "s")
	other.AgentID = "another"
	s := set("u", "s")
	s.Owner = recall.OwnerOf(other)
	w.put(t, s, recall.VectorRow{Seq: 1, Check: 77, Vector: vector(1)})
	for _, user := range []string{"u", "v", "u/agent", "nobody"} {
		q := query(user, 10)
		q.Include = []recall.VectorKey{{Session: recall.SessionID(key("v", "s")), Seq: 1}}
		for _, n := range w.same(t, user, q) {
			if n.Session != recall.SessionID(key(user, "s")) {
				t.Errorf("%s found a row of another", user)
			}
		}
	}
}

func models(t *testing.T, w *bench) {
	for _, m := range []struct {
		model string
		dim   int
	}{{"model", dim}, {"another", dim}, {"model", dim * 2}, {"model/../é 'x' \"; --", dim}} {
		s := set("u", "s")
		s.Model, s.Dim = m.model, m.dim
		v := make([]float32, m.dim)
		v[0] = 1
		w.put(t, s, recall.VectorRow{Seq: 1, Check: uint32(len(m.model) + m.dim), Vector: v})
	}
	for _, model := range []string{"model", "another", "none", "model/../é 'x' \"; --"} {
		q := query("u", 10)
		q.Model = model
		w.same(t, model, q)
		q.Vector = append(q.Vector, make([]float32, dim)...)
		w.same(t, model+" of another length", q)
	}
	w.drop(t, recall.VectorDrop{Owner: set("u", "s").Owner, Model: "another"})
	q := query("u", 10)
	w.same(t, "another model dropped", q)
	q.Model = "another"
	if got := w.same(t, "dropped", q); len(got) != 0 {
		t.Error("a model that was dropped is there")
	}
}

func fences(t *testing.T, w *bench) {
	s := set("u", "s")
	w.put(t, s, recall.VectorRow{Seq: 1, Check: 1, Vector: vector(.5)}, recall.VectorRow{Seq: 2, Check: 2, Vector: vector(.4)})
	late := s
	late.Fence.Epoch--
	w.put(t, late, recall.VectorRow{Seq: 1, Check: 9, Vector: vector(1)}, recall.VectorRow{Seq: 3, Check: 3, Vector: vector(.3)})
	if got := w.same(t, "a late writer", query("u", 5)); len(got) != 3 || got[0].Check != 1 {
		t.Errorf("found %+v", got)
	}
	older := s
	older.Fence = recall.Fence{Born: s.Fence.Born - 1, Epoch: 99}
	w.put(t, older, recall.VectorRow{Seq: 2, Check: 9, Vector: vector(1)})
	w.same(t, "a writer of an earlier life", query("u", 5))
	w.drop(t, recall.VectorDrop{Owner: s.Owner, Model: s.Model, Before: &s.Fence})
	if got := w.same(t, "earlier ones dropped", query("u", 5)); len(got) != 2 {
		t.Errorf("found %+v", got)
	}
	next := s
	next.Fence.Epoch++
	w.put(t, next, recall.VectorRow{Seq: 1, Check: 5, Vector: vector(.1)})
	w.same(t, "a later writer", query("u", 5))
}

func ties(t *testing.T, w *bench) {
	for _, s := range []string{"s2", "s1"} {
		var rows []recall.VectorRow
		for i := range 20 {
			rows = append(rows, recall.VectorRow{Seq: int64(20 - i), At: int64(i / 3), Vector: vector(.8)})
		}
		w.put(t, set("u", s), rows...)
	}
	got := w.same(t, "all", query("u", 50))
	want, err := w.ref.Nearest(t.Context(), query("u", 50))
	if err != nil {
		t.Fatal(err)
	}
	for i := range min(len(got), len(want)) { // ignore the cosine, which is the same for all
		got[i].Cosine, want[i].Cosine = 0, 0
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows of one cosine are not by time, session and number (-want +got):\n%s", diff)
	}
	w.same(t, "some", query("u", 5))
}

func cancelled(t *testing.T, w *bench) {
	w.talk(t, "u")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.v.Nearest(ctx, query("u", 5)); err == nil {
		t.Error("a search that was given up has an answer")
	}
	if err := w.v.Put(ctx, set("u", "s9"), []recall.VectorRow{{Seq: 1, Vector: vector(1)}}); err == nil {
		t.Error("a writer that gave up is told that it wrote")
	}
	w.same(t, "after it", query("u", 5))
}
