package postgres

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/sqlstore"
)

// Another transaction that sits on a session holds a turn up for no longer than the store
// allows, and the settings of that turn do not stay with the connection.
func TestTimeouts(t *testing.T) {
	t.Parallel()
	dsn := newSchema(t)
	for _, c := range []struct {
		name  string
		opts  Options
		state string
	}{
		{"lock", Options{MaxConns: 1, LockTimeout: 50 * time.Millisecond, StatementTimeout: time.Minute}, "55P03"},
		{"statement", Options{MaxConns: 1, LockTimeout: time.Minute, StatementTimeout: 50 * time.Millisecond}, "57014"},
	} {
		t.Run(c.name, func(t *testing.T) {
			patient := open(t, dsn, nil) // on a busy machine anything takes 50 ms
			database, err := connect(t.Context(), dsn, c.opts.withDefaults())
			if err != nil {
				t.Fatal(err)
			}
			defer database.Close()
			s := sqlstore.New(database, 0)
			key := memory.Key{UserID: "u", AgentID: "a", SessionID: c.name}
			talk(t, patient, key, 1)
			d := turnOf(load(t, patient, key), "r2")
			conn := connectTo(t, dsn)
			defer conn.Close(context.Background())
			tx, err := conn.Begin(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if _, err := tx.Exec(context.Background(), `SELECT 1 FROM sessions WHERE session_id = $1 FOR UPDATE`, key.SessionID); err != nil {
				t.Fatal(err)
			}
			for name, err := range map[string]error{
				"Commit": s.Commit(context.Background(), d),
				"Start":  s.Start(context.Background(), key, 1, memory.Step{IdempotencyKey: "k", StartedAt: noon}),
				"Delete": s.Delete(context.Background(), key),
			} {
				if !errors.Is(err, memory.ErrUnavailable) || errors.Is(err, ErrUnknown) || !strings.Contains(err.Error(), c.state) {
					t.Errorf("%s: %v, want SQLSTATE %s", name, err, c.state)
				}
			}
			load(t, patient, key) // reads do not wait
			var own, lock string
			if err := database.pool.QueryRow(context.Background(), `SELECT current_setting('statement_timeout'), current_setting('lock_timeout')`).Scan(&own, &lock); err != nil {
				t.Fatal(err)
			}
			if own != "0" || lock != "0" {
				t.Errorf("the connection keeps the timeouts %s and %s", own, lock)
			}
			if err := tx.Rollback(context.Background()); err != nil {
				t.Fatal(err)
			}
			err = s.Commit(context.Background(), d)
			for tries := 0; errors.Is(err, memory.ErrUnavailable) && tries < 50; tries++ {
				err = s.Commit(context.Background(), d)
			}
			if err != nil {
				t.Errorf("Commit afterwards: %v", err)
			}
		})
	}
}

// A reader whose context ends gets its error, however long the server takes.
func TestReadsHonourTheContext(t *testing.T) {
	t.Parallel()
	dsn := newSchema(t)
	s := open(t, dsn, &Options{MaxConns: 1})
	talk(t, s, testKey(0), 1)
	conn := connectTo(t, dsn)
	defer conn.Close(context.Background())
	if _, err := conn.Exec(context.Background(), `BEGIN; LOCK TABLE sessions IN ACCESS EXCLUSIVE MODE`); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := s.Load(ctx, testKey(0), memory.LoadOptions{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Load: %v", err)
	}
	if _, err := conn.Exec(context.Background(), `ROLLBACK`); err != nil {
		t.Fatal(err)
	}
	mustHold(t, s, testKey(0), 1)
}
