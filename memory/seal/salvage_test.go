package seal_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/seal"
	memorysqlite "github.com/slotway/slotway/memory/sqlite"
)

// A seal that is broken is damage like any other: what opens is kept, a state is taken from the
// newest turn, and the next load finds a sound session. Another key mends nothing.
func TestSalvage(t *testing.T) {
	message, newest := covered[2], covered[3]
	before := newest
	before.where = "turn = 1"
	for _, c := range []struct {
		name      string
		broken    []struct{ table, where, crc, columns string }
		messages  int
		forgotten bool
		params    string // what is left of them: the name of one
	}{
		{"a message", append(covered[:0:0], message), 1, false, "q"},
		{"the newest turn", append(covered[:0:0], newest), 2, true, "p"},
		{"both turns", append(covered[:0:0], newest, before), 0, true, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filled(t)
			for _, b := range c.broken {
				column := "intent"
				if b.table == "messages" {
					column = "role"
				}
				forge(t, path, b.table, b.where, b.crc, b.columns, column)
			}
			inner, err := memorysqlite.Open(t.Context(), path, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = inner.Close() }()
			wrong := memory.NewConversations(seal.New(inner, keys(t, oldKey)), 10)
			if _, err := wrong.Salvage(t.Context(), ada, "", time.Now()); !errors.Is(err, seal.ErrWrongKey) {
				t.Errorf("Salvage with another key: %v", err)
			}
			store := memory.NewConversations(open(t, inner, newKey), 10)
			if _, err := store.ForSession(t.Context(), ada); !errors.Is(err, seal.ErrTampered) {
				t.Fatalf("ForSession: %v", err)
			}
			s, err := store.Salvage(t.Context(), ada, "", time.Now())
			if err != nil {
				t.Fatal(err)
			}
			if named := strings.Join(s.Damage(), "\n"); !strings.Contains(named, "seal: ") || !strings.Contains(named, ", session ") {
				t.Errorf("an operator does not find the rows: %q", named)
			}
			if len(s.Damage()) == 0 || s.StateLost() != c.forgotten || len(s.History()) != c.messages {
				t.Errorf("damage %q, forgotten %t, %d messages", s.Damage(), s.StateLost(), len(s.History()))
			}
			if _, kept := s.Params()[c.params]; kept != (c.params != "") {
				t.Errorf("params are %v", s.Params())
			}
			s.Append(memory.Message{Role: memory.User, Text: "on", Timestamp: time.Now()})
			s.RecordTurn(memory.Turn{RequestID: "r3"})
			if err := s.Commit(t.Context(), time.Now()); err != nil {
				t.Fatal(err)
			}
			if _, err := store.Salvage(t.Context(), ada, "", time.Now()); err != nil {
				t.Errorf("the next turn: %v", err)
			}
		})
	}
}
