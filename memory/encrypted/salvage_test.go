package encrypted_test

import (
	"errors"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/encrypted"
	"github.com/slotway/slotway/memory/inmem"
)

// A seal that is broken is damage like any other: what opens is kept, a state is taken from the
// newest turn, and the next load finds a sound session. Another key mends nothing.
func TestSalvage(t *testing.T) {
	for _, c := range []struct {
		name      string
		break_    func(*memory.Snapshot)
		messages  int
		forgotten bool
		turns     bool // broken, too
	}{
		{"a message", func(s *memory.Snapshot) { s.Recent[0].Text = s.Recent[1].Text }, 1, false, false},
		{"the state", func(s *memory.Snapshot) { s.State.WaitingForParam = "another" }, 2, false, false},
		{"the state and the turn", func(s *memory.Snapshot) { s.State.WaitingForParam = "another" }, 0, true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			inner := inmem.New(nil)
			sound := encrypted.New(inner, keys(t, newKey))
			fill(t, sound)
			more(t, sound)
			break_ := c.break_
			f := &forged{Backend: inner, snapshot: func(s *memory.Snapshot) {
				if break_ != nil && len(s.Recent) > 1 {
					break_(s)
				}
			}}
			if c.turns {
				f.turn = func(turn *memory.Turn) { turn.Intent = "another" }
			}
			store := memory.NewConversations(encrypted.New(f, keys(t, newKey)), 10)
			if _, err := store.ForSession(t.Context(), ada); !errors.Is(err, memory.ErrCorrupt) {
				t.Fatalf("ForSession: %v", err)
			}
			wrong := memory.NewConversations(encrypted.New(inner, keys(t, oldKey)), 10)
			if _, err := wrong.Salvage(t.Context(), ada, "", time.Now()); !errors.Is(err, encrypted.ErrWrongKey) {
				t.Errorf("Salvage with another key: %v", err)
			}
			if c.name != "a message" { // what is mended is not broken again
				was := break_
				break_ = func(s *memory.Snapshot) { break_ = nil; was(s) }
			}
			s, err := store.Salvage(t.Context(), ada, "", time.Now())
			if err != nil {
				t.Fatal(err)
			}
			if len(s.Damage()) == 0 || s.StateLost() != c.forgotten || len(s.History()) != c.messages {
				t.Errorf("damage %q, forgotten %t, %d messages", s.Damage(), s.StateLost(), len(s.History()))
			}
			if got := s.Params()["q"]; !c.forgotten && got != "later" {
				t.Errorf("params are %v", s.Params())
			}
			s.Append(memory.Message{Role: memory.User, Text: "on", Timestamp: time.Now()})
			s.RecordTurn(memory.Turn{RequestID: "r3"})
			if err := s.Commit(t.Context(), time.Now()); err != nil {
				t.Fatal(err)
			}
			break_ = nil
			if _, err := store.ForSession(t.Context(), ada); err != nil {
				t.Errorf("the next turn: %v", err)
			}
		})
	}
}
