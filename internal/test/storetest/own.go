package storetest

import (
	"time"

	"github.com/slotway/slotway/memory"
)

// A value stays as it was first stored, and no session shows it.
func meta(s *suite) {
	for _, value := range []string{"first", "second"} {
		if err := s.AddMeta(s.Context(), "key/1", []byte(value)); err != nil {
			s.Fatalf("AddMeta: %v", err)
		}
	}
	for _, name := range []string{"flag/x", "other"} {
		if err := s.AddMeta(s.Context(), name, nil); err != nil {
			s.Fatalf("AddMeta: %v", err)
		}
	}
	read := func(prefix string) map[string]string {
		s.Helper()
		values, err := s.Meta(s.Context(), prefix)
		if err != nil {
			s.Fatalf("Meta: %v", err)
		}
		out := map[string]string{}
		for name, value := range values {
			out[name] = string(value)
		}
		return out
	}
	s.same("a value", map[string]string{"key/1": "first"}, read("key/"))
	s.same("a flag", map[string]string{"flag/x": ""}, read("flag/"))
	s.same("none", map[string]string{}, read("x"))
	if list, err := s.Sessions(s.Context(), memory.Query{All: true}); err != nil || len(list) > 0 {
		s.Errorf("Sessions = %v, %v", list, err)
	}
}

// A message stays in the inbox, as it first came, until it is handled; no agent sees those of another.
func inbox(s *suite) {
	receive := func(agent, conversation, id, text string, after time.Duration) memory.Received {
		s.Helper()
		m := memory.Received{Agent: agent, Conversation: conversation, ID: id, At: t0.Add(after), Data: []byte(text)}
		if err := s.Receive(s.Context(), &m); err != nil {
			s.Fatalf("Receive: %v", err)
		}
		return m
	}
	read := func(agent, conversation string) []memory.Received {
		s.Helper()
		list, err := s.Inbox(s.Context(), agent, conversation)
		if err != nil {
			s.Fatalf("Inbox: %v", err)
		}
		return list
	}
	first, second := receive("shop", "a", "1", "hello", 0), receive("shop", "a", "2", "are you there?", time.Second)
	receive("shop", "a", "1", "hello again", time.Minute)
	other, third := receive("desk", "c", "1", "hi", 0), receive("shop", "b", "1", "x", 0)
	s.same("a conversation", []memory.Received{first, second}, read("shop", "a"))
	s.same("an agent", []memory.Received{first, second, third}, read("shop", ""))
	for _, m := range []memory.Received{first, first, {Agent: "shop", Conversation: "c", ID: "1"}} {
		if err := s.Handled(s.Context(), &m); err != nil {
			s.Fatalf("Handled: %v", err)
		}
	}
	s.same("what is left", []memory.Received{second, third}, read("shop", ""))
	s.same("another agent", []memory.Received{other}, read("desk", ""))
}
