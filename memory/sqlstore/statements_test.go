package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"
)

// recorder is a database that has nothing, takes everything, and keeps what it is sent: by transaction.
type recorder struct{ sent [][]string }

func (r *recorder) note(list []*Query) error {
	var texts []string
	for _, q := range list {
		texts = append(texts, strings.Join(strings.Fields(q.Text), " "))
	}
	r.sent = append(r.sent, texts)
	return nil
}

func (r *recorder) Read(_ context.Context, list ...*Query) error  { return r.note(list) }
func (r *recorder) Write(_ context.Context, list ...*Query) error { return r.note(list) }

func (r *recorder) Change(_ context.Context, f func(run Run) error) error {
	return f(func(q *Query) error { return r.note([]*Query{q}) })
}

func (r *recorder) Confirm(context.Context) error { return nil }
func (r *recorder) Position(part, whole string) string {
	return "position(" + part + " in " + whole + ")"
}
func (r *recorder) Numbers() bool              { return false }
func (r *recorder) Now() string                { return "0" }
func (r *recorder) Ping(context.Context) error { return nil }
func (r *recorder) Close() error               { return nil }
func (r *recorder) fresh() (sent [][]string)   { sent, r.sent = r.sent, nil; return sent }

// shardTables are the tables whose rows lie with their session, on one shard of many.
var shardTables = regexp.MustCompile(`(?:FROM|INTO|UPDATE|JOIN) (sessions|messages|turns|plan_steps|jobs|views|leases)\b`)

// named is a condition or a value that names one session, or the one of the row around it.
var named = regexp.MustCompile(`session = (?:\$\d+(?:::uuid)?|[a-z]\.session)|VALUES \(\$1(?:::uuid)?,`)

// notOfShards are what a database of many shards cannot do, or only slowly.
var notOfShards = regexp.MustCompile(`(?i)\bWITH\b|SKIP LOCKED|advisory|INSERT INTO \w+ \([^)]*\) SELECT|LISTEN|NOTIFY|\bserial\b|nextval`)

// The store runs on one PostgreSQL and on one that shards: whatever is of one session, a turn first of all, names it
// wherever it names a table, a turn reads once and writes once, and nothing in it needs another shard. Only listings, and
// the search for jobs that are due and for sessions that are idle, look at all shards.
func TestStatementsNameTheirSession(t *testing.T) {
	db := &recorder{}
	s := New(db, 0)
	key := memory.Key{UserID: "ann", AgentID: "shop", SessionID: "one"}
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	step := memory.Step{IdempotencyKey: "k", Origin: "m", Tool: "buy", Status: memory.StepDone, Args: []byte(`{}`), StartedAt: at}
	delta := func(base int64) *memory.Delta {
		n := base + 1
		return &memory.Delta{
			Key: key, Base: base, At: at, State: memory.State{Params: map[string]any{"a": "b"}},
			Messages: []memory.Message{{Seq: 2*base + 1, Turn: n, Role: memory.User, Text: "x", Timestamp: at}, {Seq: 2*base + 2, Turn: n, Role: memory.Agent, Text: "y", Timestamp: at}},
			Turn:     &memory.Turn{RequestID: fmt.Sprint(n), Number: n, At: at}, Steps: []memory.Step{step}, Jobs: []memory.WantedJob{{Kind: "summary"}},
		}
	}
	load := func(opts memory.LoadOptions) func() error {
		return func() error { _, err := s.Load(t.Context(), key, opts); return err }
	}
	undone := delta(2)
	undone.Turn, undone.Steps, undone.Messages, undone.Undo = nil, nil, nil, &memory.Undo{Turn: 2, From: 3, Until: 5}
	leases := NewLeases(s, time.Hour)
	row, listed := &sessionRow{digest: digestOf(key), key: key}, memory.Query{UserID: key.UserID, AgentID: key.AgentID, SessionID: key.SessionID}
	unless := func(expected error, do func() error) func() error { // of a store that has nothing
		return func() error {
			if err := do(); !errors.Is(err, expected) {
				return err
			}
			return nil
		}
	}
	for _, c := range []struct {
		name         string
		do           func() error
		transactions int
	}{
		{"lease", func() error { _, err := leases.Enter(t.Context(), key); return err }, 1},
		{"first load", load(memory.LoadOptions{Recent: 24, RequestID: "1"}), 1},
		{"first commit", func() error { return s.Commit(t.Context(), delta(0)) }, 1},
		{"load", load(memory.LoadOptions{Recent: 24, RequestID: "2", Fresh: true}), 1},
		{"load of a known session", load(memory.LoadOptions{Recent: 24, RequestID: "2"}), 2}, // it has changed meanwhile
		{"call", func() error { return s.Start(t.Context(), key, 1, step) }, 1},
		{"commit", func() error { return s.Commit(t.Context(), delta(1)) }, 1},
		{"undo", func() error { return s.Commit(t.Context(), undone) }, 2},
		{"describe", func() error { return s.Describe(t.Context(), key, memory.About{Title: "x"}) }, 1},
		{"erase", func() error { return s.Delete(t.Context(), key) }, 1},
		{"erase what is idle", func() error { _, err := s.eraseRow(t.Context(), row, eraseIdle, 1, 1); return err }, 1},
		{"erase what is unused", func() error { _, err := s.eraseRow(t.Context(), row, eraseUnused, 1, 1, 0); return err }, 1},
		{"renew", func() error { _, err := s.Renew(t.Context(), key, at); return err }, 4}, // in one
		{"messages", unless(memory.ErrNotFound, func() error { _, err := s.Messages(t.Context(), key, memory.Page{}); return err }), 1},
		{"turns", unless(memory.ErrNotFound, func() error { _, err := s.Turns(t.Context(), key, memory.Page{}); return err }), 1},
		{"journal", func() error { _, err := s.Steps(t.Context(), key); return err }, 1},
		{"listed", func() error { _, err := s.Sessions(t.Context(), listed); return err }, 1},
		{"put views", func() error {
			_, err := s.PutViews(t.Context(), []memory.View{{Key: key, Tier: "a", ID: "b"}})
			return err
		}, 1},
		{"views", func() error { _, err := s.Views(t.Context(), memory.ViewsOf(key, "a", "b")); return err }, 1},
		{"drop views", func() error { _, err := s.DropViews(t.Context(), memory.ViewsOf(key, "a", "b")); return err }, 1},
		{"a job is done", unless(memory.ErrLease, func() error { return s.Finish(t.Context(), memory.Job{Key: key, Kind: "a"}) }), 1},
		{"jobs", func() error {
			return s.db.Write(t.Context(), &Query{Text: takeJob}, &Query{Text: changeJob}, &Query{Text: endJob}, &Query{Text: putView}, &Query{Text: replaceRow})
		}, 1},
	} {
		db.fresh()
		if err := c.do(); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		sent := db.fresh()
		if len(sent) != c.transactions {
			t.Errorf("%s: %d transactions, want %d", c.name, len(sent), c.transactions)
		}
		for _, text := range slices.Concat(sent...) {
			tables, names := len(shardTables.FindAllString(text, -1)), len(named.FindAllString(text, -1))
			if tables == 0 || names < tables {
				t.Errorf("%s: %d tables, and a session is named %d times:\n%s", c.name, tables, names, text)
			}
			if found := notOfShards.FindString(text); found != "" {
				t.Errorf("%s: %q in\n%s", c.name, found, text)
			}
		}
	}
	_ = leases.Close()
}
