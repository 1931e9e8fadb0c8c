package pgvector

import (
	"fmt"
	"math"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/slotway/slotway/internal/test/vectortest"
)

// BenchmarkNearest searches a scope of n rows by comparing all, and by the index, which is
// built at once rather than row by row.
func BenchmarkNearest(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		rows := vectortest.Cloud(n, vectortest.BenchDim)
		s := open(b, Options{ExactRows: math.MaxInt})
		if err := vectortest.Fill(b.Context(), s, vectortest.BenchSet(), rows); err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("compared/%d", n), func(b *testing.B) { vectortest.Bench(b, s, rows) })
		index(b, s, vectortest.BenchDim)
		b.Run(fmt.Sprintf("indexed/%d", n), func(b *testing.B) { vectortest.Bench(b, s, rows) })
	}
}

// index lets all rows of a length into the index, at once.
func index(t testing.TB, s *Store, dim int) {
	t.Helper()
	v := schema{s.opts.Collection, dim, true}
	again, err := v.write("rows.sql")
	if err != nil {
		t.Fatal(err)
	}
	table := s.rows(dim)
	for _, statement := range []string{
		"DROP INDEX " + table + "_near", "UPDATE " + table + " SET big = true", "UPDATE " + s.scopes() + " SET big = true",
		"VACUUM ANALYZE " + table, again,
	} {
		if _, err := s.pool.Exec(t.Context(), statement, pgx.QueryExecModeSimpleProtocol); err != nil {
			t.Fatal(err)
		}
	}
}

// BenchmarkPut writes ten rows of a session, which is a few turns, and the same again.
func BenchmarkPut(b *testing.B) {
	s := open(b, Options{})
	rows := vectortest.Cloud(10, vectortest.BenchDim)
	for b.Loop() {
		if err := s.Put(b.Context(), vectortest.BenchSet(), rows); err != nil {
			b.Fatal(err)
		}
	}
}
