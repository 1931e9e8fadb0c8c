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

// A seal that is broken is damage like any other: a state is taken from the newest turn that opens, messages
// before a damaged one are left, and the next load finds a sound session. Another key mends nothing.
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
		{"a message", append(covered[:0:0], message), 0, false, "q"},
		{"the newest turn", append(covered[:0:0], newest), 2, true, "p"},
		{"both turns", append(covered[:0:0], newest, before), 2, true, ""},
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
			if _, err := wrong.Renew(t.Context(), ada, "", time.Now()); !errors.Is(err, seal.ErrWrongKey) {
				t.Errorf("Renew with another key: %v", err)
			}
			store := memory.NewConversations(open(t, inner, newKey), 10)
			s, err := store.ForSession(t.Context(), ada)
			var damage []string
			if isTampered := errors.Is(err, seal.ErrTampered); isTampered != c.forgotten {
				t.Fatalf("ForSession: %v", err)
			} else if isTampered {
				damage = append(damage, err.Error())
				s, err = store.Renew(t.Context(), ada, "", time.Now())
			}
			if err != nil {
				t.Fatal(err)
			}
			damage = append(damage, s.Damage()...)
			if named := strings.Join(damage, "\n"); !strings.Contains(named, "seal: ") || !strings.Contains(named, ", session ") {
				t.Errorf("an operator does not find the rows: %q", named)
			}
			if s.StateLost() != c.forgotten || len(s.History()) != c.messages {
				t.Errorf("damage %q, forgotten %t, %d messages", damage, s.StateLost(), len(s.History()))
			}
			if _, kept := s.Params()[c.params]; kept != (c.params != "") {
				t.Errorf("params are %v", s.Params())
			}
			s.Append(memory.Message{Role: memory.User, Text: "on", Timestamp: time.Now()})
			s.RecordTurn(memory.Turn{RequestID: "r3"})
			if err := s.Commit(t.Context(), time.Now()); err != nil {
				t.Fatal(err)
			}
			if s, err = store.ForSession(t.Context(), ada); err != nil || len(s.Damage()) > 0 {
				t.Errorf("the next turn: %v", err)
			}
		})
	}
}
