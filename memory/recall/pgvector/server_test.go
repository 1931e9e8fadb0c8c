package pgvector

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/slotway/slotway/internal/test/vectortest"
	"github.com/slotway/slotway/memory/recall"
)

func TestOpen(t *testing.T) {
	for _, test := range []struct {
		dsn, collection string
		want            error
	}{
		{"postgres://u:canary@host/db", "agent_1", nil},
		{"postgres://u:canary@host:port/db", "", ErrDSN},
		{"postgres://host/db", "a; drop", ErrCollection},
		{"postgres://host/db", "Agent", ErrCollection},
		{"postgres://host/db", strings.Repeat("a", 41), ErrCollection},
	} {
		s, err := Open(t.Context(), test.dsn, &Options{Collection: test.collection})
		if !errors.Is(err, test.want) || (err == nil) != (test.want == nil) {
			t.Errorf("Open(%q) gives %v, want %v", test.collection, err, test.want)
		}
		if err != nil && strings.Contains(err.Error(), "canary") {
			t.Errorf("the error tells %q", err)
		}
		if s != nil {
			s.Close()
		}
	}
}

// TestDown: a database that cannot be reached is told without its address and password.
func TestDown(t *testing.T) {
	s, err := Open(t.Context(), "postgres://canary:canary@127.0.0.1:1/canary", &Options{Connect: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	set := recall.VectorSet{Model: "m", Dim: 1}
	_, nearest := s.Nearest(t.Context(), recall.VectorQuery{Model: "m", Vector: []float32{1}, K: 1})
	_, held := s.Stored(t.Context(), set, 0, 1)
	for what, err := range map[string]error{
		"nearest": nearest, "held": held, "put": s.Put(t.Context(), set, []recall.VectorRow{{Seq: 1, Vector: []float32{1}}}),
		"drop": s.Drop(t.Context(), recall.VectorDrop{}), "owners": s.Owners(t.Context(), func(recall.Owner) error { return nil }),
	} {
		if !errors.Is(err, ErrDatabase) || strings.Contains(err.Error(), "canary") || strings.Contains(err.Error(), "127.0.0.1") {
			t.Errorf("%s gives %q, want ErrDatabase alone", what, err)
		}
	}
}

func TestUnstorable(t *testing.T) {
	nan := float32(math.NaN())
	s := open(t, Options{})
	for _, v := range [][]float32{{0, 0}, {1}, nil, {nan, 1}} {
		set := recall.VectorSet{Model: "m", Dim: 2}
		if err := s.Put(t.Context(), set, []recall.VectorRow{{Seq: 1, Vector: v}}); !errors.Is(err, ErrVector) {
			t.Errorf("putting %v gives %v, want ErrVector", v, err)
		}
	}
}

func setOf(user, session string, dim int) recall.VectorSet {
	return recall.VectorSet{
		Owner: recall.Owner{User: recall.UserID(user), Scope: recall.ScopeID(user, "a"), Session: recall.ScopeID(user, session)}, Model: "m", Dim: dim,
	}
}

// TestGrows: a scope that becomes large is found in full before, while and after its rows get
// into the index, and no other scope's rows get there.
func TestGrows(t *testing.T) {
	s := open(t, Options{ExactRows: 600})
	var ref vectortest.Reference
	rows := vectortest.Cloud(1_500, 8)
	small := setOf("small", "s", 8)
	if err := s.Put(t.Context(), small, rows[:100]); err != nil {
		t.Fatal(err)
	}
	set := setOf("u", "s", 8)
	for from := 0; from < len(rows); from += 300 {
		part := rows[from : from+300]
		for _, v := range []recall.Vectors{s, &ref} {
			if err := v.Put(t.Context(), set, part); err != nil {
				t.Fatal(err)
			}
		}
		q := recall.VectorQuery{Scope: set.Scope, Model: "m", Vector: rows[from].Vector, K: 20}
		got, err := s.Nearest(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		want, err := ref.Nearest(t.Context(), q)
		if err != nil || len(got) != len(want) || math.Abs(float64(got[19].Cosine-want[19].Cosine)) > 2e-3 {
			t.Errorf("after %d rows: found %d, %v", from+300, len(got), err)
		}
		var marked, held int
		var big bool
		if err := s.pool.QueryRow(t.Context(), "SELECT count(*) FROM "+s.rows(8)+" WHERE big").Scan(&marked); err != nil {
			t.Fatal(err)
		}
		if err := s.pool.QueryRow(t.Context(), "SELECT held, big FROM "+s.scopes()+" WHERE scope = $1::uuid", set.Scope.String()).Scan(&held, &big); err != nil {
			t.Fatal(err)
		}
		large := from+300 >= 600
		if held != from+300 || big != large || large && marked != held || !large && marked != 0 {
			t.Errorf("after %d rows: %d are counted, %d marked, large: %t", from+300, held, marked, big)
		}
	}
	// A limit that lets few rows through: the index may give up, the answer may not.
	last := rows[len(rows)-3].At
	q := recall.VectorQuery{Scope: set.Scope, Model: "m", Vector: rows[0].Vector, K: 20, Since: &last}
	if got, err := s.Nearest(t.Context(), q); err != nil || len(got) != 3 {
		t.Errorf("with a limit that three rows pass: found %d, %v", len(got), err)
	}
}

// TestAtOnce has processes make the schema, put and drop at the same time.
func TestAtOnce(t *testing.T) {
	first := open(t, Options{ExactRows: 50})
	var wg sync.WaitGroup
	rows := vectortest.Cloud(40, 4)
	for n := range 4 {
		s, err := Open(t.Context(), dsn(t), &Options{Collection: first.opts.Collection, ExactRows: 50})
		if err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			defer s.Close()
			for i := range 12 {
				set := setOf(fmt.Sprint("u", (n+i)%2), fmt.Sprint("s", i%3), 4)
				if err := s.Put(t.Context(), set, rows); err != nil {
					t.Errorf("put: %v", err)
				}
				if i%4 == 3 {
					if err := s.Drop(t.Context(), recall.VectorDrop{Owner: set.Owner}); err != nil {
						t.Errorf("drop: %v", err)
					}
				}
				if _, err := s.Nearest(t.Context(), recall.VectorQuery{Scope: set.Scope, Model: "m", Vector: rows[0].Vector, K: 5}); err != nil {
					t.Errorf("nearest: %v", err)
				}
			}
		})
	}
	wg.Wait()
	var wrong int
	err := first.pool.QueryRow(t.Context(), "SELECT count(*) FROM "+first.scopes()+" s WHERE held <> (SELECT count(*) FROM "+
		first.rows(4)+" t WHERE t.scope = s.scope AND t.model = s.model)").Scan(&wrong)
	if err != nil || wrong != 0 {
		t.Errorf("%d scopes have a wrong count, %v", wrong, err)
	}
}

// TestPatience: a search ends with its caller's patience, and says so.
func TestPatience(t *testing.T) {
	s := open(t, Options{})
	set := setOf("u", "s", 4)
	if err := s.Put(t.Context(), set, vectortest.Cloud(10, 4)); err != nil {
		t.Fatal(err)
	}
	tx, err := s.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(context.Background()) }() // the test is over
	if _, err := tx.Exec(t.Context(), "LOCK TABLE "+s.rows(4)+" IN ACCESS EXCLUSIVE MODE"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	_, err = s.Nearest(ctx, recall.VectorQuery{Scope: set.Scope, Model: "m", Vector: []float32{1, 0, 0, 0}, K: 5})
	if !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, ErrDatabase) {
		t.Errorf("a search gives %v", err)
	}
}

func TestDocuments(t *testing.T) { vectortest.Documents(t, open(t, Options{})) }
