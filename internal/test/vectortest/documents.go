package vectortest

import (
	"slices"
	"testing"

	"github.com/slotway/slotway/memory/recall"
)

// Documents tests a store of vectors and documents: documents are found only within their scope, a
// deletion includes documents, and a model with another vector length replaces the first one.
func Documents(t *testing.T, v recall.VectorStore) {
	t.Helper()
	ada, bob, other := set("ada", "s"), set("bob", "s"), set("ada", "t")
	row := func(seq int64, towards float64) recall.VectorRow {
		return recall.VectorRow{Seq: seq, Check: uint32(100 + seq), At: seq, Vector: vector(towards), Document: &recall.Document{
			Text: "# Lamps\nbroken", Namespace: "conversations:ada", Type: "conversation",
			Metadata: map[string]any{
				"session_id": "s", "message_count": 4, "conversation_topics": []string{"lamps", `"quoted"`},
				"date_range": map[string]string{"start": "2026-03-01T09:00:00Z", "end": "2026-03-01T10:00:00Z"},
			},
		}}
	}
	put := func(s recall.VectorSet, rows ...recall.VectorRow) {
		t.Helper()
		s.Documents = true
		if err := v.Put(t.Context(), s, rows); err != nil {
			t.Fatal(err)
		}
	}
	put(ada, row(1, .1), row(5, .9))
	put(ada, row(1, .1)) // again: nothing is duplicated
	put(other, row(2, .2))
	put(bob, row(9, .1))
	find := func(sets ...recall.VectorSet) (seqs []int64) {
		t.Helper()
		for _, s := range sets {
			s.Documents = true
			rows, err := v.Stored(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range rows {
				if seqs = append(seqs, r.Seq); r.Check != uint32(100+r.Seq) {
					t.Errorf("found %+v", r)
				}
			}
		}
		slices.Sort(seqs)
		return seqs
	}
	drop := func(d recall.VectorDrop) {
		t.Helper()
		if err := v.Drop(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
	same := func(what string, got []int64, want ...int64) {
		t.Helper()
		if len(got) != len(want) {
			t.Fatalf("%s: found %v, want %v", what, got, want)
		}
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("%s: found %v, want %v", what, got, want)
			}
		}
	}
	same("of ada", find(ada, other), 1, 2, 5)
	same("of one session of ada", find(ada), 1, 5)
	same("of bob", find(bob), 9)
	early := ada
	early.Fence.Born--
	early.Dim = ada.Dim
	put(early, row(1, .9)) // of an earlier life: the later one stays
	same("after an earlier life", find(ada, other), 1, 2, 5)
	drop(recall.VectorDrop{Owner: ada.Owner, Model: ada.Model})
	same("after messages were dropped", find(ada, other), 1, 2, 5)
	drop(recall.VectorDrop{Owner: ada.Owner, Documents: true, Model: ada.Model, Seqs: []int64{5}})
	same("after one was dropped", find(ada, other), 1, 2)
	owned := map[recall.ID]bool{}
	owners, err := v.Owners(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range owners {
		owned[o.Session] = true
	}
	if !owned[ada.Session] || !owned[bob.Session] || !owned[other.Session] {
		t.Errorf("owners are %v", owned)
	}
	drop(recall.VectorDrop{Owner: ada.Owner})
	same("after the session was deleted", find(ada, other), 2)
	same("of bob", find(bob), 9)
	longer := set("ada", "t")
	longer.Model, longer.Dim = "longer", 2*len(vector(.1))
	wide := row(2, .2)
	wide.Vector = append(vector(.2), vector(.2)...)
	put(longer, wide)
	same("by the first model", find(ada, other))
	same("by another model", find(longer), 2)
}
