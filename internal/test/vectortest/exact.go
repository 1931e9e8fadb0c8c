package vectortest

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/slotway/slotway/memory/recall"
)

// Cloud returns n vectors of length d, the same at every call: half of them around 200 centres,
// half in any direction. Rows are numbered from 1 and 11 seconds apart.
func Cloud(n, d int) []recall.VectorRow {
	r := rand.New(rand.NewPCG(11, 13))
	direction := func(v []float32, spread float64) {
		for i := range v {
			v[i] += float32(r.NormFloat64() * spread)
		}
	}
	centres := make([][]float32, 200)
	for i := range centres {
		centres[i] = make([]float32, d)
		direction(centres[i], 1)
	}
	rows := make([]recall.VectorRow, n)
	for i := range rows {
		v := make([]float32, d)
		if i%2 == 0 {
			copy(v, centres[r.IntN(len(centres))])
		}
		direction(v, 1)
		rows[i] = recall.VectorRow{
			Seq: int64(i + 1), Check: uint32(i), At: int64(i) * 11_000_000, Agent: i%2 == 1, Importance: i % 4, Vector: v,
		}
	}
	return rows
}

// Fill writes rows to one session of a scope.
func Fill(ctx context.Context, v recall.VectorStore, s recall.VectorSet, rows []recall.VectorRow) error {
	const batch = 500
	for from := 0; from < len(rows); from += batch {
		if err := v.Put(ctx, s, rows[from:min(from+batch, len(rows))]); err != nil {
			return err
		}
	}
	return nil
}

// recallDim is the length of the vectors of Recall.
const recallDim = 128

// RecallSet is the session whose rows Recall searches.
func RecallSet() recall.VectorSet {
	s := set("recall", "s")
	s.Dim = recallDim
	return s
}

// RecallRows returns n rows of RecallSet.
func RecallRows(n int) []recall.VectorRow { return Cloud(n, recallDim) }

// Recall measures which share of the true ten nearest a store finds in rows, which it holds for
// RecallSet and no others, with and without limits. The test fails below the wanted share.
func Recall(t *testing.T, v recall.VectorStore, rows []recall.VectorRow, want float64) {
	t.Helper()
	const k = 10
	s, n := RecallSet(), len(rows)
	var ref Reference
	if err := Fill(t.Context(), &ref, s, rows); err != nil {
		t.Fatal(err)
	}
	since := rows[n*9/10].At
	for _, limit := range []struct {
		name string
		set  func(q *recall.VectorQuery)
	}{
		{"no limit", func(*recall.VectorQuery) {}},
		{"importance", func(q *recall.VectorQuery) { q.MinImportance = 3 }},
		{"a tenth", func(q *recall.VectorQuery) { q.Since = &since }},
		{"a fortieth", func(q *recall.VectorQuery) { q.Since, q.MinImportance = &since, 3 }},
	} {
		const questions = 40
		r := rand.New(rand.NewPCG(1, 2))
		found, all := 0, 0
		for i := range questions {
			q := recall.VectorQuery{Scope: s.Scope, Model: s.Model, K: k, Vector: make([]float32, recallDim)}
			if i%2 == 0 { // near to a row, as questions are
				copy(q.Vector, rows[r.IntN(n)].Vector)
			}
			for j := range q.Vector {
				q.Vector[j] += float32(r.NormFloat64() * .5)
			}
			limit.set(&q)
			f, a := share(t, v, &ref, q)
			found, all = found+f, all+a
		}
		got := float64(found) / float64(all)
		t.Logf("%s: %.4f of the true %d nearest of %d", limit.name, got, k, n)
		if all != questions*k || got < want {
			t.Errorf("%s: found %.4f of the true %d nearest, want %.2f", limit.name, got, k, want)
		}
	}
}

func share(t *testing.T, v recall.VectorStore, ref *Reference, q recall.VectorQuery) (found, all int) {
	t.Helper()
	truth, err := ref.Nearest(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	got, err := v.Nearest(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	is := map[recall.VectorKey]bool{}
	for _, n := range truth {
		is[n.VectorKey] = true
	}
	for _, n := range got {
		if is[n.VectorKey] {
			found++
		}
	}
	if len(got) > q.K {
		t.Errorf("found %d rows, want %d at most", len(got), q.K)
	}
	return found, len(truth)
}
