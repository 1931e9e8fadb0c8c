package postgres

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/slotway/slotway/memory"
)

// Replicas that start at the same time on an empty database make one schema.
func TestOpenRaced(t *testing.T) {
	t.Parallel()
	const replicas = 8
	dsn := newSchema(t)
	var wg sync.WaitGroup
	for range replicas {
		wg.Go(func() {
			s, err := Open(t.Context(), dsn, &Options{MaxConns: 1})
			if err != nil {
				t.Errorf("Open: %v", err)
				return
			}
			if _, err := s.Sessions(t.Context(), memory.Query{}); err != nil {
				t.Errorf("Sessions: %v", err)
			}
			s.Close()
		})
	}
	wg.Wait()
	if n := value[int](t, dsn, `SELECT count(*) FROM slotway_migrations WHERE version_id = 1`); n != 1 {
		t.Errorf("migration 1 was applied %d times", n)
	}
}

func TestMigrate(t *testing.T) {
	t.Parallel()
	dsn := newSchema(t)
	applied := func(direction string) bool {
		t.Helper()
		list, err := Migrate(t.Context(), dsn, direction)
		if err != nil || len(list) == 0 || list[0].Version != 1 || list[0].Name != "00001_init" {
			t.Fatalf("Migrate %s = %+v, %v", direction, list, err)
		}
		return list[len(list)-1].Applied
	}
	for _, c := range []struct {
		direction string
		want      bool
	}{{"status", false}, {"up", true}, {"up", true}, {"status", true}} {
		if got := applied(c.direction); got != c.want {
			t.Errorf("after %s: applied is %t", c.direction, got)
		}
	}
	if _, err := Migrate(t.Context(), dsn, "sideways"); err == nil {
		t.Error("a direction that is none")
	}
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	t.Run("newer", func(t *testing.T) {
		dsn := newSchema(t)
		open(t, dsn, nil)
		execute(t, dsn, `INSERT INTO slotway_migrations (version_id, is_applied) VALUES (99, true)`)
		if _, err := Open(t.Context(), dsn, nil); !errors.Is(err, ErrNewer) {
			t.Errorf("Open: %v", err)
		}
		if _, err := Migrate(t.Context(), dsn, "up"); !errors.Is(err, ErrNewer) {
			t.Errorf("Migrate up: %v", err)
		}
	})
	t.Run("foreign", func(t *testing.T) {
		dsn := newSchema(t)
		execute(t, dsn, `CREATE TABLE turns (mine text)`)
		if _, err := Open(t.Context(), dsn, nil); !errors.Is(err, ErrForeign) {
			t.Errorf("Open: %v", err)
		}
		if n := value[int](t, dsn, `SELECT count(*) FROM pg_tables WHERE schemaname = current_schema() AND tablename NOT LIKE 'slotway%'`); n != 1 {
			t.Errorf("%d tables, want the other program's alone", n)
		}
	})
	t.Run("no schema", func(t *testing.T) {
		dsn := testDSN(t) + "&search_path=no_such_schema"
		if _, err := Open(t.Context(), dsn, nil); !errors.Is(err, ErrUnsuitable) {
			t.Errorf("Open: %v", err)
		}
	})
	t.Run("encoding", func(t *testing.T) {
		name := newDatabase(t)
		execute(t, testDSN(t), `DROP DATABASE `+name)
		execute(t, testDSN(t), `CREATE DATABASE `+name+` ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`)
		if _, err := Open(t.Context(), withDatabase(t, name), nil); !errors.Is(err, ErrUnsuitable) {
			t.Errorf("Open: %v", err)
		}
	})
}

// No error quotes what is in a dsn.
func TestOpenKeepsSecrets(t *testing.T) {
	t.Parallel()
	for name, dsn := range map[string]string{
		"refused":      "postgres://canaryuser:canarypass@127.0.0.1:1/canarydb",
		"unknown host": "postgres://canaryuser:canarypass@canaryhost.invalid/canarydb",
		"bad URL":      "postgres://canaryuser:canarypass@[canaryhost/canarydb",
		"bad words":    "host=canaryhost password=canarypass port=canary",
		"bad setting":  "postgres://canaryuser:canarypass@127.0.0.1:1/canarydb?sslmode=canary",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Open(t.Context(), dsn, nil)
			if !errors.Is(err, memory.ErrUnavailable) {
				t.Errorf("Open: %v", err)
			}
			if err != nil && strings.Contains(err.Error(), "canary") {
				t.Errorf("the error quotes the dsn: %v", err)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Open(ctx, "postgres://127.0.0.1:1/x", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("Open with a context that has ended: %v", err)
	}
}
