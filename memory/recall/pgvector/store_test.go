package pgvector

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/slotway/slotway/internal/test/postgrestest"
	"github.com/slotway/slotway/internal/test/vectortest"
	"github.com/slotway/slotway/memory/recall"
)

const dsnVariable = "SLOTWAY_TEST_PGVECTOR_DSN"

// dsn is the test server's.
func dsn(t testing.TB) string {
	t.Helper()
	return postgrestest.Server(t, dsnVariable)
}

// open gives an empty store whose tables are dropped in the end.
func open(t testing.TB, opts Options, params ...string) *Store {
	t.Helper()
	var address strings.Builder
	address.WriteString(dsn(t))
	for _, p := range params { // of the server, as name=value
		address.WriteString("&" + p)
	}
	opts.Collection = fmt.Sprintf("test_%d_%d", os.Getpid(), rand.Uint32())
	s, err := Open(t.Context(), address.String(), &opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx := context.Background()
		rows, err := s.pool.Query(ctx, "SELECT tablename FROM pg_tables WHERE tablename = $1::text OR tablename LIKE $1::text || '\\_%'", opts.Collection)
		if err != nil {
			t.Error(err)
			return
		}
		names, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			t.Error(err)
		}
		for _, name := range names {
			if _, err := s.pool.Exec(ctx, "DROP TABLE "+name); err != nil {
				t.Error(err)
			}
		}
		s.Close()
		s.Close()
	})
	return s
}

// TestCompared runs the suite where all rows of a scope are compared.
func TestCompared(t *testing.T) {
	vectortest.Run(t, func(t *testing.T) recall.Vectors { return open(t, Options{}) }, nil)
}

// TestIndexed runs it where every scope is a large one.
func TestIndexed(t *testing.T) {
	vectortest.Run(t, func(t *testing.T) recall.Vectors { return open(t, Options{ExactRows: 1}) }, nil)
}

// TestRecall measures the index on 20,000 rows. The server is kept from comparing them all,
// which it may find cheaper.
func TestRecall(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds an index of 20,000 rows")
	}
	if raceEnabled {
		t.Skip("one client measures what the server finds; TestIndexed goes the same way with few rows")
	}
	s := open(t, Options{ExactRows: math.MaxInt}, "enable_sort=off")
	rows, set := vectortest.RecallRows(20_000), vectortest.RecallSet()
	if err := vectortest.Fill(t.Context(), s, set, rows); err != nil {
		t.Fatal(err)
	}
	index(t, s, set.Dim)
	vectortest.Recall(t, s, rows, .95)
	if plan := explain(t, s, set.Dim); !strings.Contains(plan, "_near") {
		t.Errorf("the index was not asked:\n%s", plan)
	}
}

// explain is the plan of a search in the only scope of a store.
func explain(t *testing.T, s *Store, dim int) string {
	t.Helper()
	v := make([]float32, dim)
	v[0] = 1
	vector, _ := vectorText(v)
	var lines []string
	err := pgx.BeginFunc(t.Context(), s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(t.Context(), fmt.Sprint("SET LOCAL hnsw.ef_search = ", effortLeast)); err != nil {
			return err
		}
		rows, err := tx.Query(t.Context(), "EXPLAIN SELECT seq FROM "+s.rows(dim)+" WHERE scope = (SELECT scope FROM "+s.scopes()+
			" LIMIT 1) AND model = (SELECT model FROM "+s.scopes()+" LIMIT 1) AND big ORDER BY v <=> $1::halfvec LIMIT 10", vector)
		if err != nil {
			return err
		}
		lines, err = pgx.CollectRows(rows, pgx.RowTo[string])
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, "\n")
}

func TestTier(t *testing.T) { vectortest.Tier(t, open(t, Options{})) }
