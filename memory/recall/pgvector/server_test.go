package pgvector

import (
	"context"
	"errors"
	"fmt"
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
		{"postgres://u:canary@host:port/db", "slotway", ErrDSN},
		{"postgres://host/db", "a; drop", ErrCollection},
		{"postgres://host/db", "Agent", ErrCollection},
		{"postgres://host/db", strings.Repeat("a", 41), ErrCollection},
	} {
		s, err := Open(t.Context(), test.dsn, test.collection)
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
	s, err := Open(t.Context(), "postgres://canary:canary@127.0.0.1:1/canary", "slotway")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	set := recall.VectorSet{Model: "m", Dim: 1}
	_, nearest := s.Nearest(t.Context(), recall.VectorQuery{Model: "m", Vector: []float32{1}, K: 1})
	_, held := s.Stored(t.Context(), set)
	_, owners := s.Owners(t.Context())
	for what, err := range map[string]error{
		"nearest": nearest, "held": held, "put": s.Put(t.Context(), set, []recall.VectorRow{{Seq: 1, Vector: []float32{1}}}),
		"drop": s.Drop(t.Context(), recall.VectorDrop{}), "owners": owners,
	} {
		if !errors.Is(err, ErrDatabase) || strings.Contains(err.Error(), "canary") || strings.Contains(err.Error(), "127.0.0.1") {
			t.Errorf("%s gives %q, want ErrDatabase alone", what, err)
		}
	}
}

func setOf(user, session string, dim int) recall.VectorSet {
	return recall.VectorSet{
		Owner: recall.Owner{User: recall.UserID(user), Scope: recall.ScopeID(user, "a"), Session: recall.ScopeID(user, session)}, Model: "m", Dim: dim,
	}
}

// TestAtOnce has processes make the schema, put and drop at the same time.
func TestAtOnce(t *testing.T) {
	first := open(t)
	var wg sync.WaitGroup
	rows := vectortest.Cloud(40, 4)
	for n := range 4 {
		s, err := Open(t.Context(), dsn(t), first.documents)
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
}

// TestPatience: a search ends with its caller's patience, and says so.
func TestPatience(t *testing.T) {
	s := open(t)
	set := setOf("u", "s", 4)
	if err := s.Put(t.Context(), set, vectortest.Cloud(10, 4)); err != nil {
		t.Fatal(err)
	}
	tx, err := s.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(context.Background()) }() // the test is over
	if _, err := tx.Exec(t.Context(), "LOCK TABLE "+s.messages+" IN ACCESS EXCLUSIVE MODE"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	_, err = s.Nearest(ctx, recall.VectorQuery{Scope: set.Scope, Model: "m", Vector: []float32{1, 0, 0, 0}, K: 5})
	if !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, ErrDatabase) {
		t.Errorf("a search gives %v", err)
	}
}
