package hostile

import (
	"database/sql"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	_ "modernc.org/sqlite"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/transfer"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/telemetry"

	"github.com/slotway/slotway/internal/test/programtest"
	"github.com/slotway/slotway/internal/test/runtimetest"
)

// shopkeeper is the embedded agent over a store that a test damages.
type shopkeeper struct {
	t      *testing.T
	dir    string
	set    []string
	app    *slotway.Runtime
	events telemetry.Recorder
	change func(text string)
}

// newShopkeeper returns nil for a store without rows to damage.
func newShopkeeper(t *testing.T, set []string) *shopkeeper {
	t.Helper()
	k := &shopkeeper{t: t, dir: t.TempDir(), set: set}
	at := func(name string) string {
		for _, s := range set {
			if value, ok := strings.CutPrefix(s, name+"="); ok {
				return value
			}
		}
		return ""
	}
	switch at("memory.storage") {
	case "sqlite":
		k.change = func(text string) {
			db, err := sql.Open("sqlite", filepath.Join(k.dir, "memory.db"))
			if err == nil {
				_, err = db.ExecContext(t.Context(), text)
			}
			if err := errors.Join(err, db.Close()); err != nil {
				t.Fatal(err)
			}
		}
	case "postgres":
		k.change = func(text string) {
			c, err := pgx.Connect(t.Context(), at("memory.dsn"))
			if err == nil {
				_, err = c.Exec(t.Context(), text)
			}
			if err := errors.Join(err, c.Close(t.Context())); err != nil {
				t.Fatal(err)
			}
		}
	default:
		return nil
	}
	k.open()
	t.Cleanup(k.close)
	return k
}

func (k *shopkeeper) open() {
	k.t.Helper()
	var err error
	if k.app, err = runtimetest.Try(k.t.Context(), runtimetest.Config{Data: k.dir, Set: k.set, Options: slotway.Options{NoHTTP: true, Sink: &k.events}}); err != nil {
		k.t.Fatal(err)
	}
}

func (k *shopkeeper) close() {
	if err := k.app.Close(); err != nil {
		k.t.Error(err)
	}
}

// damage changes rows while the runtime is closed, and opens it again, so that nothing is cached.
func (k *shopkeeper) damage(text string) {
	k.t.Helper()
	k.close()
	k.change(text)
	k.open()
}

func (k *shopkeeper) say(text string) router.Reply {
	k.t.Helper()
	reply, err := k.app.Router().Handle(k.t.Context(), router.Interaction{Text: text, Context: router.Context{UserID: "ann", SessionID: "s"}})
	if err != nil {
		k.t.Fatalf("%q: %v", text, err)
	}
	return reply
}

// logged counts the events that report damage and name a command to run.
func (k *shopkeeper) logged() int {
	n := 0
	for _, e := range k.events.Events() {
		if f, ok := e.Payload.(telemetry.Failure); ok && f.Code == "damaged" && strings.Contains(f.Message.String(), "Run 'slotway ") {
			n++
		}
	}
	return n
}

const lostWords = "I can't read any more what we said before, so please begin again with what you need."

// TestDamagedRows: a damaged row visibly degrades its session. The conversation goes on, in this
// turn and in the next.
func TestDamagedRows(t *testing.T) {
	for _, c := range []struct {
		name   string
		damage string // of both databases
		lost   bool   // the state cannot be had back
	}{
		{"a message", `UPDATE messages SET importance = 3`, false},
		{"a message that is gone", `DELETE FROM messages WHERE role = 'user'`, false},
		{"the state, with its copy in the turn", `UPDATE sessions SET updated_at = updated_at + 1`, false},
		{"the state's version", `UPDATE sessions SET version = version + 7`, true},
		{"the state and the turn", `UPDATE turns SET created_at = created_at + 1; UPDATE sessions SET updated_at = updated_at + 1`, true},
		{"the state's row is gone", `DELETE FROM sessions`, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			runtimetest.EveryStore(t, func(t *testing.T, set ...string) {
				k := newShopkeeper(t, set)
				if k == nil {
					t.Skip("no rows")
				}
				if r := k.say("where is my order?"); r.WaitingForParam == nil {
					t.Fatalf("the reply is %+v", r)
				}
				table := "sessions"
				if slices.Contains(set, "memory.storage=postgres") {
					table = "sessions"
				}
				k.damage(strings.ReplaceAll(c.damage, "STATE", table))
				r := k.say("O-12345")
				cached := strings.Contains(c.damage, "messages") && slices.ContainsFunc(set, func(s string) bool { return strings.HasPrefix(s, "memory.redis_url=") })
				if !cached && (r.Error == nil || *r.Error != "damaged" || k.logged() == 0) {
					t.Errorf("the error is %v, %d lines of the log say what to run; %q", r.Error, k.logged(), r.Reply)
				}
				if strings.HasPrefix(r.Reply, lostWords) != c.lost {
					t.Errorf("the reply is %q, lost: %t", r.Reply, c.lost)
				}
				if !c.lost && r.Params["order_id"] != "O-12345" {
					t.Errorf("the plan did not go on: %q, %v", r.Reply, r.Params)
				}
				next := k.say("where is my order O-12345?")
				if strings.Contains(next.Reply, lostWords) || next.Params["order_id"] != "O-12345" {
					t.Errorf("the next reply is %q, %v", next.Reply, next.Params)
				}
			})
		})
	}
}

// TestDamagedJournal: when the journal row of a started call is damaged, slotway tells the user
// once that the outcome is unknown. The session makes no other write, since that may be the same
// call, but the conversation goes on.
func TestDamagedJournal(t *testing.T) {
	runtimetest.EveryStore(t, func(t *testing.T, set ...string) {
		k := newShopkeeper(t, set)
		if k == nil {
			t.Skip("no rows")
		}
		k.say("cancel order O-12345")
		key := memory.Key{UserID: "ann", AgentID: k.app.Agent().ID, SessionID: "s"}
		snap, err := k.app.Store().Load(t.Context(), key, memory.LoadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		step := memory.Step{IdempotencyKey: "k", Turn: 2, Plan: "p", Step: "s", Tool: "cancel_order", Args: []byte(`{}`), Status: memory.StepStarted}
		if err := k.app.Store().Start(t.Context(), key, snap.State.Version, step); err != nil {
			t.Fatal(err)
		}
		k.damage(`UPDATE plan_steps SET turn = turn + 1 WHERE turn = 2`)
		r := k.say("no")
		if !strings.HasPrefix(r.Reply, "I couldn't confirm whether that went through") || k.logged() != 1 {
			t.Errorf("%d lines in the log, %q", k.logged(), r.Reply)
		}
		if r := k.say("hello"); strings.Contains(r.Reply, "confirm") || r.Error != nil {
			t.Errorf("the next reply is %+v", r)
		}
	})
}

// TestDamagedDescription: if the description of a session is damaged, a listing marks that session
// and shows the others, and the turns of the session go on.
func TestDamagedDescription(t *testing.T) {
	runtimetest.EveryStore(t, func(t *testing.T, set ...string) {
		k := newShopkeeper(t, set)
		if k == nil {
			t.Skip("no rows")
		}
		k.say("hello")
		key := memory.Key{UserID: "ann", AgentID: k.app.Agent().ID, SessionID: "other"}
		if err := transfer.Create(t.Context(), k.app.Store(), key, memory.About{Title: "Lamp"}, time.Now()); err != nil {
			t.Fatal(err)
		}
		k.damage(`UPDATE sessions SET title = words WHERE session_id = 's'`)
		list, err := k.app.Store().Sessions(t.Context(), memory.Query{})
		if err != nil || len(list) != 2 {
			t.Fatalf("%+v, %v", list, err)
		}
		for _, in := range list {
			if damaged := in.Key.SessionID == "s"; in.Damaged != damaged || damaged == (in.Title == "Lamp") {
				t.Errorf("%+v", in)
			}
		}
		if r := k.say("hello again"); r.Error != nil {
			t.Errorf("the reply is %+v", r)
		}
	})
}

// TestUnreadableStoreStopsTheStart: slotway does not start on a file that it cannot read at all.
// The error says what to do, and the file stays as it is.
func TestUnreadableStoreStopsTheStart(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "memory.db")
	spoilt := strings.Repeat("x", 100) + strings.Repeat("\x00", 8092)
	writeFile(t, file, spoilt)
	out, code := programtest.Run(t, "", "--data", dir, "--set", "memory.storage_path="+file, "chat")
	if code != 1 || !strings.Contains(out, "restore a backup") {
		t.Errorf("exit code %d: %s", code, out)
	}
	if now, err := os.ReadFile(file); err != nil || string(now) != spoilt {
		t.Errorf("the file has changed: %v", err)
	}
}

// TestDamagedDigestKey: slotway does not start with a damaged key of digests, and says which row it is.
func TestDamagedDigestKey(t *testing.T) {
	runtimetest.EveryStore(t, func(t *testing.T, set ...string) {
		k := newShopkeeper(t, set)
		if k == nil {
			t.Skip("no rows")
		}
		k.say("hello")
		k.close()
		k.change(`UPDATE meta SET crc = crc + 1 WHERE name = 'digests/1'`)
		if _, err := runtimetest.Try(t.Context(), runtimetest.Config{Data: k.dir, Set: k.set, Options: slotway.Options{NoHTTP: true, Sink: &k.events}}); err == nil || !strings.Contains(err.Error(), "digests/1") {
			t.Errorf("the start says: %v", err)
		}
		k.change(`UPDATE meta SET crc = crc - 1 WHERE name = 'digests/1'`)
		k.open()
	})
}

// TestDamagedExpiry: an expiry time with a wrong checksum erases nothing.
func TestDamagedExpiry(t *testing.T) {
	runtimetest.EveryStore(t, func(t *testing.T, set ...string) {
		k := newShopkeeper(t, set)
		if k == nil {
			t.Skip("no rows")
		}
		k.say("hello")
		k.damage(`UPDATE sessions SET expires_at = 5 WHERE session_id = 's'`)
		if n, err := k.app.Store().Expire(t.Context()); n != 0 || err != nil {
			t.Errorf("Expire = %d, %v", n, err)
		}
		table := "sessions"
		if slices.Contains(set, "memory.storage=postgres") {
			table = "sessions"
		}
		k.damage(`UPDATE ` + table + ` SET updated_at = 5`)
		if n, err := k.app.Store().Prune(t.Context(), time.Now().Add(-time.Hour)); n != 0 || err != nil {
			t.Errorf("Prune = %d, %v", n, err)
		}
	})
}

// TestDamagedOwner: a session whose row names another user is not shown to that user.
func TestDamagedOwner(t *testing.T) {
	runtimetest.EveryStore(t, func(t *testing.T, set ...string) {
		k := newShopkeeper(t, set)
		if k == nil {
			t.Skip("no rows")
		}
		k.say("where is my order?")
		k.damage(`UPDATE sessions SET user_id = 'evil' WHERE session_id = 's'`)
		reply, err := k.app.Router().Handle(t.Context(), router.Interaction{Text: "O-12345", Context: router.Context{UserID: "evil", SessionID: "s"}})
		if err == nil && (reply.Turn > 1 || reply.Intent != "") {
			t.Errorf("another user goes on with the plan: %+v", reply)
		}
		if list, err := k.app.Store().Sessions(t.Context(), memory.Query{UserID: "evil", Text: "s"}); err != nil || slices.ContainsFunc(list, func(i memory.Info) bool { return i.Damaged }) {
			t.Errorf("another user's listing is %+v, %v", list, err)
		}
		k.say("hello") // and its owner is answered
	})
}

// TestReadAroundDamage: a damaged message does not hide the others. They are read and exported, and
// a mark stands for the damaged one.
func TestReadAroundDamage(t *testing.T) {
	runtimetest.EveryStore(t, func(t *testing.T, set ...string) {
		k := newShopkeeper(t, set)
		if k == nil {
			t.Skip("no rows")
		}
		k.say("hello")
		k.say("where is my order?")
		k.damage(`UPDATE messages SET importance = 3 WHERE role = 'user' AND turn = 1; UPDATE turns SET created_at = created_at + 1 WHERE turn = 1`)
		ctx, store, key := t.Context(), k.app.Store(), memory.Key{UserID: "ann", AgentID: k.app.Agent().ID, SessionID: "s"}
		list, err := store.Messages(ctx, key, memory.Page{})
		marks := 0
		for i := range list {
			if list[i].Damaged() {
				marks++
			}
		}
		if err != nil || marks == 0 || marks == len(list) || len(list) != 4 {
			t.Fatalf("%d of %d messages are marks, %v", marks, len(list), err)
		}
		var out strings.Builder
		var left transfer.MissingParts
		if err := store.Export(ctx, key, io.MultiWriter(&out, &left)); err != nil || left.Count() != marks+1 {
			t.Fatalf("%d parts left out, %v", left.Count(), err)
		}
		if err := store.Delete(ctx, key); err != nil {
			t.Fatal(err)
		}
		if n, err := store.Import(ctx, strings.NewReader(out.String())); n != 1 || err != nil {
			t.Fatalf("Import = %d, %v", n, err)
		}
		snap, err := store.Load(ctx, key, memory.LoadOptions{Recent: 10})
		if err != nil || len(snap.Recent) != 4-marks || snap.History() != int64(4-marks) {
			t.Errorf("%+v, %v", snap, err)
		}
	})
}

// TestDamagedReply: a repeated message whose turn cannot be read is not handled as a new one.
func TestDamagedReply(t *testing.T) {
	runtimetest.EveryStore(t, func(t *testing.T, set ...string) {
		k := newShopkeeper(t, set)
		if k == nil {
			t.Skip("no rows")
		}
		again := router.Interaction{ID: "m1", Text: "where is my order?", Context: router.Context{UserID: "ann", SessionID: "s"}}
		if _, err := k.app.Router().Handle(t.Context(), again); err != nil {
			t.Fatal(err)
		}
		k.damage(`UPDATE turns SET created_at = created_at + 1`)
		r, err := k.app.Router().Handle(t.Context(), again)
		if err != nil || r.Error == nil || *r.Error != "damaged" || k.logged() != 1 || !strings.Contains(r.Reply, "answered before") {
			t.Errorf("%+v, %v, %d lines in the log", r, err, k.logged())
		}
	})
}
