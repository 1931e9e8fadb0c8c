package main

import (
	"bufio"
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router"
)

// takenBackend is a backend whose conversation a person has.
type takenBackend struct {
	chatBackend
	by string
}

func (h *takenBackend) send(context.Context, string, string, *int64) (router.Reply, error) {
	return router.Reply{Turn: 3, Handoff: true, Person: &router.Person{By: h.by}}, nil
}

func (h *takenBackend) history(context.Context, string) ([]memory.Message, error) {
	return []memory.Message{
		{Seq: 1, Role: memory.User, Text: "hello"}, {Seq: 2, Role: memory.Agent, Text: "Hello.", Metadata: memory.SaidBy(h.by, nil)},
	}, nil
}

// TestChatWithAPerson: in place of an empty reply, a chat says who has the conversation.
func TestChatWithAPerson(t *testing.T) {
	for by, want := range map[string]string{"Ann": "(Ann has taken over this conversation)\n", "": "(A person has taken over this conversation)\n"} {
		var screen, pipe bytes.Buffer
		session := &chatSession{chatFlags: &chatFlags{session: "s"}, backend: &takenBackend{by: by}}
		c := &console{chatSession: session, screen: &screen}
		if err := c.line(t.Context(), "hello"); err != nil || screen.String() != want {
			t.Errorf("a terminal shows %q, %v; want %q", screen.String(), err, want)
		}
		reply, err := session.backend.send(t.Context(), "s", "hello", nil)
		if err == nil {
			err = session.write(bufio.NewWriter(&pipe), reply, nil)
		}
		if err != nil || pipe.String() != want {
			t.Errorf("a pipe gets %q, %v; want %q", pipe.String(), err, want)
		}
		screen.Reset()
		if err := c.line(t.Context(), "/history"); err != nil || !strings.Contains(screen.String(), strings.TrimSpace(by+" (a person) Hello.")) && by != "" {
			t.Errorf("/history shows %q, %v", screen.String(), err)
		}
	}
}
