package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	driver "zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/sqlite"
)

// Of a store with a damaged message and a damaged newest turn all the rest is copied, and the copy is sound.
func TestSalvage(t *testing.T) {
	dir := t.TempDir()
	file, whole := filepath.Join(dir, "memory.db"), filepath.Join(dir, "whole.db")
	store, err := sqlite.Open(t.Context(), file, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"sound", "message", "turn"} {
		session, err := memory.NewConversations(store, 10).ForSession(t.Context(), memory.Key{UserID: "ann", AgentID: "shop", SessionID: id})
		for n := range 2 {
			if err != nil {
				t.Fatal(err)
			}
			session.Append(memory.Message{Role: memory.User, Text: "hello", Timestamp: time.Now()})
			session.RecordTurn(memory.Turn{RequestID: fmt.Sprint(n), Outcome: "responded"})
			err = session.Commit(t.Context(), time.Now())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	c, err := driver.OpenConn(file, driver.OpenReadWrite)
	if err != nil {
		t.Fatal(err)
	}
	err = sqlitex.ExecuteScript(c, `UPDATE messages SET content = CAST('x' AS BLOB) WHERE seq = 1 AND session = (SELECT session FROM sessions WHERE session_id = 'message');
		UPDATE turns SET crc = crc + 2 WHERE turn = 2 AND session = (SELECT session FROM sessions WHERE session_id = 'turn');`, nil)
	if closed := c.Close(); err != nil || closed != nil {
		t.Fatal(err, closed)
	}
	code, out, errs := command(t, "--data", dir, "db", "salvage", whole)
	if code != exitCheck || !strings.Contains(out, "3 sessions copied, 2 of them in part") || strings.Contains(out, "not at all: ") {
		t.Errorf("db salvage: %d\n%s%s", code, out, errs)
	}
	if code, out, errs = command(t, "db", "check", whole); strings.Contains(out, "checksum") {
		t.Errorf("db check: %d\n%s%s", code, out, errs)
	}
	if code, _, errs = command(t, "--data", dir, "db", "restore", whole); code != exitOK {
		t.Errorf("db restore: %d %s", code, errs)
	}
}
