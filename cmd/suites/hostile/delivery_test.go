package hostile

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/slotway/slotway/memory"

	"github.com/slotway/slotway/internal/test/runtimetest"
)

// courier delivers messages of ann to one service, in any order and repeatedly.
type courier struct{ *runtimetest.Service }

func newCourier(t *testing.T) *courier {
	t.Helper()
	return &courier{runtimetest.ServeWithKeys(t, nil, "web=ann chat, read")}
}

// told is an answer of /chat.
type told struct {
	Reply, Confirming string
	Turn              int
}

// chat sends a message to /chat, without an id if id is "".
func (c *courier) chat(t *testing.T, conversation, id, text string) told {
	t.Helper()
	body := map[string]any{"message": text, "conversation_id": conversation}
	if id != "" {
		body["message_id"] = id
	}
	var out told
	if status, answer := c.deliver(t, "/chat", "", body); status != http.StatusOK {
		t.Errorf("%q: status %d: %.300s", text, status, answer)
	} else if err := json.Unmarshal([]byte(answer), &out); err != nil {
		t.Error(err)
	}
	return out
}

func (c *courier) deliver(t *testing.T, path, idempotency string, body map[string]any) (int, string) {
	t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(string(data)))
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("Authorization", "Bearer "+c.Keys["web"])
	if idempotency != "" {
		req.Header.Set("Idempotency-Key", idempotency)
	}
	w := httptest.NewRecorder()
	c.ServeHTTP(w, req)
	return w.Code, w.Body.String()
}

// yeses are the ways to deliver the message m2, a yes, once more.
var yeses = map[string]func(*testing.T, *courier, string) (int, string){
	"chat": func(t *testing.T, c *courier, id string) (int, string) {
		return c.deliver(t, "/chat", "", map[string]any{"message": "yes", "conversation_id": id, "message_id": "m2"})
	},
	"chat, the id in the header": func(t *testing.T, c *courier, id string) (int, string) {
		return c.deliver(t, "/chat", "m2", map[string]any{"message": "yes", "conversation_id": id})
	},
	"stream": func(t *testing.T, c *courier, id string) (int, string) {
		return c.deliver(t, "/chat", "", map[string]any{"message": "yes", "conversation_id": id, "message_id": "m2", "stream": true})
	},
	"completions": func(t *testing.T, c *courier, id string) (int, string) {
		return c.deliver(t, "/v1/chat/completions", "m2", map[string]any{
			"model": "shop", "conversation_id": id, "messages": []any{map[string]any{"role": "user", "content": "yes"}},
		})
	},
	"completions, streamed": func(t *testing.T, c *courier, id string) (int, string) {
		return c.deliver(t, "/v1/chat/completions", "m2", map[string]any{
			"model": "shop", "conversation_id": id, "stream": true, "messages": []any{map[string]any{"role": "user", "content": "yes"}},
		})
	},
	"responses": func(t *testing.T, c *courier, id string) (int, string) {
		return c.deliver(t, "/v1/responses", "m2", map[string]any{"model": "shop", "conversation": id, "input": "yes"})
	},
	"mcp": func(t *testing.T, c *courier, id string) (int, string) {
		return c.deliver(t, "/mcp", "", map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{
			"name": "send_message", "arguments": map[string]any{"message": "yes", "conversation_id": id},
		}})
	},
}

// TestOneYesDeliveredOften: a yes that arrives many times at once, and again later, over one API or
// over all of them, is carried out once.
func TestOneYesDeliveredOften(t *testing.T) {
	c := newCourier(t)
	cancelled := 0
	each := func(t *testing.T, id string, ways []string, same bool) {
		if asked := c.chat(t, id, "m1", "cancel order O-12345"); asked.Confirming != "cancel_order" {
			if !strings.Contains(asked.Reply, "already cancelled") { // by a case before this one
				t.Fatalf("no question: %+v", asked)
			}
			if asked = c.chat(t, id, "m1b", "cancel order O-20260"); asked.Confirming != "cancel_order" {
				t.Fatal("no order is left to cancel")
			}
		}
		before := c.Runtime.Cancellations("ann")
		answers := make([]string, 4*len(ways))
		var wg sync.WaitGroup
		for i := range answers {
			wg.Go(func() {
				status, answer := yeses[ways[i%len(ways)]](t, c, id)
				if status != http.StatusOK && status != http.StatusConflict {
					t.Errorf("%s: status %d: %.300s", ways[i%len(ways)], status, answer)
				}
				answers[i] = answer
			})
		}
		wg.Wait()
		_, later := yeses[ways[0]](t, c, id)
		if n := c.Runtime.Cancellations("ann") - before; n != 1 {
			t.Errorf("%d writes for one yes", n)
		}
		cancelled++
		for _, answer := range append(answers, later) {
			if same && answer != answers[0] {
				t.Errorf("two answers to one message:\n%.300s\n%.300s", answers[0], answer)
			}
		}
	}
	t.Run("chat", func(t *testing.T) { each(t, "chat", []string{"chat", "chat, the id in the header"}, true) })
	t.Run("every API", func(t *testing.T) {
		each(t, "all", []string{"chat", "stream", "completions", "completions, streamed", "responses", "mcp"}, false)
	})
	if cancelled != 2 {
		t.Errorf("%d of 2 cases were played", cancelled)
	}
}

// TestManyMessagesToOneSessionAtOnce: messages that arrive at one session at once are each answered
// by a turn of their own. The store has them in the order of these turns, each message before its
// reply.
func TestManyMessagesToOneSessionAtOnce(t *testing.T) {
	c := newCourier(t)
	const all = 32
	replies := make([]told, all)
	var wg sync.WaitGroup
	for i := range all {
		wg.Go(func() { replies[i] = c.chat(t, "one", fmt.Sprint("m", i), fmt.Sprintf("where is O-%d?", 70000+i)) })
	}
	wg.Wait()
	said := map[int]string{}
	for i, r := range replies {
		if said[r.Turn] != "" || r.Turn < 1 || r.Turn > all {
			t.Errorf("message %d is turn %d", i, r.Turn)
		}
		said[r.Turn] = fmt.Sprintf("where is O-%d?", 70000+i)
		if again := c.chat(t, "one", fmt.Sprint("m", i), fmt.Sprintf("where is O-%d?", 70000+i)); again != r {
			t.Errorf("message %d again: %+v, first %+v", i, again, r)
		}
	}
	stored, err := c.Runtime.Store().Messages(t.Context(), memory.Key{UserID: "ann", AgentID: "shop", SessionID: "one"}, memory.Page{Limit: 10 * all})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortStableFunc(stored, func(a, b memory.Message) int { return int(a.Turn - b.Turn) })
	users := 0
	for i, m := range stored {
		if m.Role != memory.User {
			continue
		}
		users++
		if m.Text != said[int(m.Turn)] || i+1 == len(stored) || stored[i+1].Turn != m.Turn || stored[i+1].Role == memory.User {
			t.Errorf("turn %d has the message %q, want %q, with its reply behind it", m.Turn, m.Text, said[int(m.Turn)])
		}
	}
	if users != all {
		t.Errorf("%d messages are stored, want %d", users, all)
	}
}

// TestMessagesOutOfOrder: a message that arrives late or out of turn confirms nothing. A yes before
// its question has no effect, even when it is delivered again after the question. A yes that
// answered one question does not answer the next.
func TestMessagesOutOfOrder(t *testing.T) {
	c := newCourier(t)
	none := func(t *testing.T, when string) {
		t.Helper()
		if n := c.Runtime.Cancellations("ann"); n != 0 {
			t.Errorf("%s: %d orders were cancelled", when, n)
		}
	}
	early := c.chat(t, "early", "m2", "yes")
	asked := c.chat(t, "early", "m1", "cancel order O-12345")
	if asked.Confirming != "cancel_order" {
		t.Fatalf("no question: %+v", asked)
	}
	if again := c.chat(t, "early", "m2", "yes"); again != early {
		t.Errorf("the early yes again: %+v, first %+v", again, early)
	}
	none(t, "a yes before its question")

	c.chat(t, "changed", "m1", "cancel order O-12345")
	kept := c.chat(t, "changed", "m2", "yes, but not that one") // no yes
	changed := c.chat(t, "changed", "m3", "no, O-20260")
	if changed.Confirming != "cancel_order" || !strings.Contains(changed.Reply, "O-20260") {
		t.Fatalf("the question is %+v", changed)
	}
	if again := c.chat(t, "changed", "m2", "yes"); again != kept {
		t.Errorf("an old id with another text: %+v, first %+v", again, kept)
	}
	c.chat(t, "changed", "m1", "cancel order O-12345")
	none(t, "old messages after the question has changed")
	c.chat(t, "changed", "m4", "yes")
	c.chat(t, "changed", "m5", "cancel order O-12345")
	c.chat(t, "changed", "m4", "yes")
	if n := c.Runtime.Cancellations("ann"); n != 1 {
		t.Errorf("%d orders were cancelled, want the one that was said yes to", n)
	}
}
