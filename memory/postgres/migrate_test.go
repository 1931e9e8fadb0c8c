package postgres

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/migration"
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

// toFirst takes back every migration but the first, which loses nothing where no call was made.
func toFirst(t *testing.T, dsn string) {
	t.Helper()
	for range len(losses) - 1 {
		if _, err := Migrate(t.Context(), dsn, "down"); err != nil {
			t.Fatal(err)
		}
	}
}

// A step down that would lose sessions is refused, names them, and changes nothing.
func TestDownLoses(t *testing.T) {
	t.Parallel()
	dsn := newSchema(t)
	key := memory.Key{UserID: "u", AgentID: "a", SessionID: "s"}
	store, err := Open(t.Context(), dsn, nil)
	if err == nil {
		err = store.Commit(t.Context(), &memory.Delta{Key: key, At: time.Unix(1, 0), Messages: []memory.Message{{Seq: 1, Turn: 1, Role: memory.User, Text: "hello", Timestamp: time.Unix(1, 0)}}})
	}
	if err != nil {
		t.Fatal(err)
	}
	store.Close()
	toFirst(t, dsn)
	if _, err := Migrate(t.Context(), dsn, "down"); !errors.Is(err, migration.ErrDataLoss) || !strings.Contains(err.Error(), "1 sessions") || !strings.Contains(err.Error(), "--lose") {
		t.Errorf("down with a session: %v", err)
	}
	if store, err = Open(t.Context(), dsn, nil); err != nil {
		t.Fatal(err)
	}
	if snap, err := store.Load(t.Context(), key, memory.LoadOptions{Recent: 9}); err != nil || len(snap.Recent) != 1 {
		t.Errorf("after a step that was refused: %+v, %v", snap, err)
	}
	store.Close()
	toFirst(t, dsn)
	if _, err := Migrate(t.Context(), dsn, migration.DownLosingData); err != nil {
		t.Errorf("down, losing: %v", err)
	}
	for _, direction := range []string{"up", "down", "up"} { // nothing is left to lose
		if _, err := Migrate(t.Context(), dsn, direction); err != nil {
			t.Errorf("%s: %v", direction, err)
		}
	}
	names, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil || len(names) != len(losses) {
		t.Errorf("%d migrations, and %d say what they lose on their way down; %v", len(names), len(losses), err)
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
		return list[len(list)-1].Applied // one at a time goes down, all go up
	}
	for _, c := range []struct {
		direction string
		want      bool
	}{{"status", false}, {"up", true}, {"up", true}, {"status", true}, {"down", false}, {"up", true}} {
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
		for _, direction := range []string{"up", "down"} {
			if _, err := Migrate(t.Context(), dsn, direction); !errors.Is(err, ErrNewer) {
				t.Errorf("Migrate %s: %v", direction, err)
			}
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
			if _, err := Open(t.Context(), "postgres://127.0.0.1:1/x", &Options{ListenDSN: dsn}); err == nil {
				t.Error("Open without a server")
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Open(ctx, "postgres://127.0.0.1:1/x", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("Open with a context that has ended: %v", err)
	}
}

// A step down never takes a session with it, not even one that has only a journal, and what
// comes after it finds every turn as it was.
func TestMigrateDownKeepsSessions(t *testing.T) {
	t.Parallel()
	dsn := newSchema(t)
	s, key := open(t, dsn, nil), testKey(0)
	talk(t, s, key, 2)
	toFirst(t, dsn)
	for range 3 {
		if _, err := Migrate(t.Context(), dsn, "down"); !errors.Is(err, migration.ErrDataLoss) {
			t.Errorf("down: %v, want %v", err, migration.ErrDataLoss)
		}
	}
	if _, err := Migrate(t.Context(), dsn, "up"); err != nil {
		t.Errorf("up: %v", err)
	}
	talk(t, s, key, 1)
	mustHold(t, s, key, 3)
	if err := s.Delete(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	if err := s.Start(t.Context(), testKey(1), 0, memory.Step{IdempotencyKey: "k", StartedAt: noon}); err != nil {
		t.Fatal(err)
	}
	toFirst(t, dsn)
	if _, err := Migrate(t.Context(), dsn, "down"); !errors.Is(err, migration.ErrDataLoss) {
		t.Errorf("down with a journal: %v, want %v", err, migration.ErrDataLoss)
	}
	execute(t, dsn, `DELETE FROM sessions`)
	for _, direction := range []string{"down", "up"} {
		if _, err := Migrate(t.Context(), dsn, direction); err != nil {
			t.Errorf("%s without sessions: %v", direction, err)
		}
	}
}
