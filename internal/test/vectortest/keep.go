package vectortest

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/memory/recall"
)

func held(t *testing.T, w *bench) {
	var rows []recall.VectorRow
	for i := range 25 {
		rows = append(rows, recall.VectorRow{Seq: int64(3*i + 1), Check: uint32(i), Vector: vector(.5)})
	}
	w.put(t, set("u", "s"), rows...)
	later := set("u", "s")
	later.Fence.Epoch++
	w.put(t, later, recall.VectorRow{Seq: 500, Vector: vector(1)})
	w.put(t, set("u", "s2"), recall.VectorRow{Seq: 2, Vector: vector(1)})
	w.sameHeld(t, set("u", "s"))
	w.sameHeld(t, set("v", "s"))
}

func (w *bench) sameHeld(t *testing.T, s recall.VectorSet) {
	t.Helper()
	got, err := w.v.Stored(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	want, err := w.ref.Stored(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) == 0 && len(want) == 0 {
		return
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("held (-want +got):\n%s", diff)
	}
}

func drops(t *testing.T, w *bench) {
	s := set("u", "s1")
	for _, test := range []struct {
		name string
		drop recall.VectorDrop
		left int // rows of u
	}{
		{"nothing", recall.VectorDrop{}, 90},
		{"messages", recall.VectorDrop{Owner: s.Owner, Model: s.Model, Seqs: []int64{1, 2, 30, 31}}, 87},
		{"another model", recall.VectorDrop{Owner: s.Owner, Model: "another"}, 90},
		{"a session", recall.VectorDrop{Owner: s.Owner}, 60},
		{"a scope", recall.VectorDrop{Owner: recall.Owner{User: s.User, Scope: s.Scope}}, 0},
		{"a user", recall.VectorDrop{Owner: recall.Owner{User: s.User}}, 0},
		{"another user", recall.VectorDrop{Owner: recall.Owner{User: recall.UserID("nobody")}}, 90},
		{"documents", recall.VectorDrop{Owner: s.Owner, Model: s.Model, Documents: true}, 90},
	} {
		w.talk(t, "u")
		w.talk(t, "v")
		w.drop(t, test.drop)
		if got := w.same(t, test.name, query("u", 100)); len(got) != test.left {
			t.Errorf("%s: %d rows are left, want %d", test.name, len(got), test.left)
		}
		if got := w.same(t, test.name, query("v", 100)); len(got) != 90 {
			t.Errorf("%s: %d rows of another user are left", test.name, len(got))
		}
	}
}

func owners(t *testing.T, w *bench) {
	w.talk(t, "u")
	w.talk(t, "v")
	w.drop(t, recall.VectorDrop{Owner: set("u", "s1").Owner})
	w.sameOwners(t)
	w.drop(t, recall.VectorDrop{Owner: recall.Owner{User: recall.UserID("v")}})
	w.sameOwners(t)
}

func (w *bench) sameOwners(t *testing.T) {
	t.Helper()
	list := func(v recall.VectorStore) []recall.Owner {
		all, err := v.Owners(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		slices.SortFunc(all, func(a, b recall.Owner) int { return cmp.Compare(a.Session.String(), b.Session.String()) })
		return all
	}
	if diff := gocmp.Diff(list(&w.ref), list(w.v)); diff != "" {
		t.Errorf("owners (-want +got):\n%s", diff)
	}
}

// random puts, drops and searches for several users, sessions and models at random, from a seed,
// and compares with the reference.
func random(t *testing.T, w *bench) {
	r := rand.New(rand.NewPCG(1, 9))
	users, sessions := []string{"u", "v", "w"}, []string{"s0", "s1", "s2", "s3"}
	pick := func(list []string) string { return list[r.IntN(len(list))] }
	some := func() recall.VectorSet {
		s := set(pick(users), pick(sessions))
		s.Model, s.Fence.Epoch = pick([]string{"model", "another"}), int64(r.IntN(3))
		return s
	}
	direction := func() []float32 {
		v := make([]float32, dim)
		for i := range v {
			v[i] = float32(r.NormFloat64())
		}
		return v
	}
	for step := range 60 {
		s := some()
		switch r.IntN(5) {
		case 0:
			d := recall.VectorDrop{Owner: s.Owner}
			switch r.IntN(4) {
			case 0:
				d.Before = &s.Fence
			case 1:
				d.Model, d.Seqs = s.Model, []int64{1, 2, 3, 4}
			case 2:
				d.Session, d.Model = recall.ID{}, "another"
			}
			w.drop(t, d)
		default:
			var rows []recall.VectorRow
			for range 1 + r.IntN(12) {
				rows = append(rows, recall.VectorRow{
					Seq: int64(1 + len(rows) + 12*r.IntN(3)), Check: r.Uint32(), At: r.Int64N(50), Agent: r.IntN(2) == 0, Importance: r.IntN(4), Vector: direction(),
				})
			}
			slices.SortFunc(rows, func(a, b recall.VectorRow) int { return cmp.Compare(a.Seq, b.Seq) })
			rows = slices.CompactFunc(rows, func(a, b recall.VectorRow) bool { return a.Seq == b.Seq })
			w.put(t, s, rows...)
		}
		q := query(pick(users), 1+r.IntN(12))
		q.Model, q.Vector = s.Model, direction()
		w.limit(&q, r)
		w.same(t, fmt.Sprint("step ", step), q)
		w.sameHeld(t, s)
	}
	w.sameOwners(t)
}

// limit adds random limits.
func (*bench) limit(q *recall.VectorQuery, r *rand.Rand) {
	id := func() recall.ID {
		return recall.SessionID(key([]string{"u", "v", "w"}[r.IntN(3)], fmt.Sprint("s", r.IntN(4))))
	}
	maybe := func() bool { return r.IntN(5) == 0 }
	if maybe() {
		q.Session = id()
	}
	if maybe() {
		q.Exclude = id()
	}
	if maybe() {
		q.Recent, q.RecentFrom, q.RecentBefore = id(), r.Int64N(10), 10+r.Int64N(20)
	}
	if maybe() {
		q.NoUser = true
	}
	if maybe() {
		q.NoAgent = true
	}
	if maybe() {
		since := r.Int64N(40)
		q.Since = &since
	}
	if maybe() {
		until := r.Int64N(60)
		q.Until = &until
	}
	q.MinImportance = max(r.IntN(6)-3, 0)
	for range r.IntN(4) {
		q.Include = append(q.Include, recall.VectorKey{Session: id(), Seq: 1 + r.Int64N(30)})
	}
}
