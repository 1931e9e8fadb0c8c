package router_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/sessions"
	"github.com/slotway/slotway/tools"
)

// A state that no turn has just left has a question in it that nobody has just been asked: the
// first yes has it put, the second one is a yes.
func TestAQuestionThatWasGoneBackToIsPutAgain(t *testing.T) {
	for name, c := range map[string]struct {
		session string
		do      func(context.Context, memory.Backend) error
	}{
		"undo": {"s", func(ctx context.Context, s memory.Backend) error {
			_, err := sessions.Undo(ctx, s, oneSession, time.Now())
			return err
		}},
		"fork": {"copy", func(ctx context.Context, s memory.Backend) error {
			to := oneSession
			to.SessionID = "copy"
			return sessions.Fork(ctx, s, oneSession, to, 1)
		}},
		"import": {"s", func(ctx context.Context, s memory.Backend) error {
			var export bytes.Buffer
			if err := sessions.Fork(ctx, s, oneSession, memory.Key{UserID: "local", AgentID: "test", SessionID: "then"}, 1); err != nil {
				return err
			}
			if err := s.Export(ctx, memory.Key{UserID: "local", AgentID: "test", SessionID: "then"}, &export); err != nil {
				return err
			}
			if err := s.Delete(ctx, oneSession); err != nil {
				return err
			}
			text := strings.Replace(export.String(), `"session_id":"then"`, `"session_id":"s"`, 1)
			_, err := sessions.Restore(ctx, s, strings.NewReader(text))
			return err
		}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t, true)
			w.say(t, "1", "buy I-7")
			w.say(t, "2", "buy I-8")
			if err := c.do(t.Context(), w.Store); err != nil {
				t.Fatal(err)
			}
			yes := func(id string) router.Reply {
				reply, err := w.Handle(t.Context(), router.Interaction{ID: id, Text: "yes", Context: router.Context{SessionID: c.session}})
				if err != nil {
					t.Fatal(err)
				}
				return reply
			}
			if reply := yes("3"); !strings.HasSuffix(reply.Reply, "Order I-7?") || w.buys != 0 {
				t.Fatalf("the first yes: %q, %d purchases", reply.Reply, w.buys)
			}
			if reply := yes("4"); reply.Reply != "Bought I-7." || w.buys != 1 {
				t.Errorf("the second yes: %q, %d purchases", reply.Reply, w.buys)
			}
		})
	}
}

// What an import claims to have been confirmed or begun leads to nothing.
func TestAnImportClaimsNothing(t *testing.T) {
	const end = `{"end":{"messages":2,"turns":1,"steps":0}}`
	for name, c := range map[string]struct {
		before func(*testing.T, *fixture)
		forge  func(string) string
	}{
		"a call under way": {func(*testing.T, *fixture) {}, func(export string) string {
			step := `{"step":{"idempotency_key":"forged","turn":1,"plan":"p","step":"buy","tool":"buy","args":{"item":"I-9"},` +
				`"status":"started","attempts":1,"started_at":"2026-01-05T09:00:00Z"}}`
			return strings.Replace(export, end, step+"\n"+strings.Replace(end, `"steps":0`, `"steps":1`, 1), 1)
		}},
		"a call that failed after a yes": {func(t *testing.T, w *fixture) {
			w.fail = &tools.Error{Code: tools.Conflict, Tool: "buy"}
			w.say(t, "1b", "yes")
		}, func(export string) string { return export }},
	} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t, true)
			w.say(t, "1", "buy I-7")
			c.before(t, w)
			var export bytes.Buffer
			if err := w.Store.Export(t.Context(), oneSession, &export); err != nil {
				t.Fatal(err)
			}
			forged := c.forge(export.String())
			if !strings.Contains(forged, `"forged"`) && !strings.Contains(forged, `"confirmed":{`) {
				t.Fatal("nothing is claimed")
			}
			if err := w.Store.Delete(t.Context(), oneSession); err != nil {
				t.Fatal(err)
			}
			if _, err := sessions.Restore(t.Context(), w.Store, strings.NewReader(forged)); err != nil {
				t.Fatal(err)
			}
			if reply := w.say(t, "2", "yes"); w.buys != 0 || !strings.HasSuffix(reply.Reply, "Order I-7?") {
				t.Errorf("after an import, yes: %q, %d purchases", reply.Reply, w.buys)
			}
		})
	}
}

// What a call was made with cannot be found by guessing at its key, which is stored readably and
// sent to the tool.
func TestIdempotencyKeysCannotBeGuessed(t *testing.T) {
	w := newFixture(t, true)
	w.say(t, "1", "buy I-7")
	w.say(t, "2", "yes")
	steps, err := w.Store.Steps(t.Context(), oneSession)
	if err != nil || len(steps) != 1 {
		t.Fatal(steps, err)
	}
	row := steps[0]
	parts := []string{oneSession.UserID, oneSession.AgentID, oneSession.SessionID, row.Plan, row.Step, "0", string(row.Args)}
	none := (*memory.Digests)(nil)
	for _, guess := range []string{none.Hex(append([]string{"call"}, parts...)...), none.Hex(parts...)} {
		if strings.HasPrefix(guess, row.IdempotencyKey) {
			t.Errorf("key %s is a digest that anybody can make", row.IdempotencyKey)
		}
	}
	if own := memory.NewDigests([]byte("key")).Hex(append([]string{"call"}, parts...)...); !strings.HasPrefix(own, row.IdempotencyKey) {
		t.Errorf("key %s is not the digest that this test takes it for", row.IdempotencyKey)
	}
}
