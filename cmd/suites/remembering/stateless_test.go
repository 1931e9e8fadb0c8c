package remembering

import (
	"bytes"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router"

	"github.com/slotway/slotway/internal/test/runtimetest"
)

// stored is all that a store has on disk: its files, or its tables as text.
func stored(t *testing.T, dir string, set []string) string {
	t.Helper()
	var all bytes.Buffer
	if err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Base(path) == "shop.db" || strings.Contains(path, "classifiers") {
			return err
		}
		data, err := os.ReadFile(path)
		all.Write(data)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(set, func(s string) bool { return strings.HasPrefix(s, "memory.dsn=") })
	if i < 0 {
		return all.String()
	}
	c, err := pgx.Connect(t.Context(), strings.TrimPrefix(set[i], "memory.dsn="))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(t.Context())
	for _, table := range []string{"sessions", "messages", "turns", "plan_steps", "jobs", "views"} {
		var text string
		row := c.QueryRow(t.Context(), `SELECT coalesce(string_agg(encode(convert_to(x::text, 'UTF8'), 'escape'), E'\n'), '') FROM `+table+` x`)
		if err := row.Scan(&text); err != nil {
			t.Fatal(err)
		}
		all.WriteString(text)
	}
	return all.String()
}

// TestStatelessCannotConfirm: without memory no confirmation is asked for, since nobody could
// answer it. The start says so.
func TestStatelessCannotConfirm(t *testing.T) {
	var logs bytes.Buffer
	a := runtimetest.Open(t, runtimetest.Config{Set: []string{"memory.enabled=false", "telemetry.log=none"}, Options: slotway.Options{NoHTTP: true, Stderr: &logs}})
	if !strings.Contains(logs.String(), "nobody can confirm") || !strings.Contains(logs.String(), "cancel_order") {
		t.Errorf("the start says %q", logs.String())
	}
	reply := a.Say("ann", "s", "cancel order O-12345")
	if reply.Confirming != nil || len(reply.Options) > 0 || !strings.Contains(reply.Reply, "nothing has been done") {
		t.Errorf("the reply is %+v", reply)
	}
}

// TestStatelessKeepsNoText: with memory.enabled: false a repeated message has its effect once and
// gets its reply, after another message too. No message, value, argument or reply is on the disk.
func TestStatelessKeepsNoText(t *testing.T) {
	runtimetest.EveryStore(t, func(t *testing.T, set ...string) {
		dir := t.TempDir()
		set = append(set, "memory.enabled=false")
		open := func() *runtimetest.Runtime {
			return runtimetest.Open(t, runtimetest.Config{Data: dir, Set: set, Options: slotway.Options{NoHTTP: true}})
		}
		a := open()
		sayIn := func(session, id, text string) router.Reply {
			t.Helper()
			return a.Send(router.Interaction{ID: id, Text: text, Context: router.Context{UserID: "ann", SessionID: session}})
		}
		say := func(id, text string) router.Reply {
			t.Helper()
			return sayIn("s", id, text)
		}
		first := say("m1", "where is my order O-12345?")
		if first.Params["order_id"] != "O-12345" || len(first.ToolCalls) != 2 {
			t.Fatalf("the reply is %+v", first)
		}
		if second := say("m2", "thank you kindly"); second.Params["order_id"] != nil {
			t.Errorf("the second message knows %v", second.Params)
		}
		if again := say("m1", "where is my order O-12345?"); again.Reply != first.Reply || len(again.ToolCalls) != 2 {
			t.Errorf("again: %+v", again)
		}
		// A message id counts within its conversation, and in one without an id by itself.
		for _, session := range []string{"another", ""} {
			if other := sayIn(session, "m1", "where is my order O-20075?"); other.Params["order_id"] != "O-20075" || other.SessionID == first.SessionID {
				t.Errorf("the same message id in conversation %q: %+v", session, other)
			}
		}
		if again := say("m1", "where is my order O-12345?"); again.Reply != first.Reply {
			t.Errorf("after another conversation: %+v", again)
		}
		a.Close()
		text := stored(t, dir, set)
		for _, said := range []string{"12345", "20075", "wool", "kindly", "Friday", "pending"} {
			if strings.Contains(text, said) || strings.Contains(text, hex.EncodeToString([]byte(said))) { // PostgreSQL shows bytes so
				t.Errorf("%q is on disk", said)
			}
		}
		if slices.Contains(set, "memory.storage=inmem") {
			return
		}
		if !strings.Contains(text, "m1") {
			t.Error("the id is not on disk")
		}
		a = open()
		again := say("m1", "where is my order O-12345?")
		if again.Error == nil || *again.Error != "not_kept" || again.Reply == "" {
			t.Errorf("after a restart: %+v", again)
		}
		list, err := a.Store().Messages(t.Context(), memory.Key{UserID: "ann", AgentID: a.Agent().ID, SessionID: first.SessionID}, memory.Page{Inactive: true})
		if err != nil || len(list) != 0 {
			t.Errorf("messages %v, %v", list, err)
		}
	})
}
