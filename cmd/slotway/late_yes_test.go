package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/term"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/router/httpapi"
	"github.com/slotway/slotway/router/httpapi/contract"
	"github.com/slotway/slotway/router/telemetry"
	"github.com/slotway/slotway/tools"
)

// counter is the default agent with a shop that notes which orders are cancelled, in this
// process and behind HTTP.
type counter struct {
	t   *testing.T
	app *slotway.Runtime
	url string

	mu        sync.Mutex // guards cancelled
	cancelled []string
}

func openCounter(t *testing.T) *counter {
	t.Helper()
	c := &counter{t: t}
	order := toolFunc(func(call tools.Call) any {
		return map[string]any{"id": call.Args["order_id"], "item": "wool blanket", "status": "pending", "eta": "Friday", "total": 1.0}
	})
	cancel := toolFunc(func(call tools.Call) any {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.cancelled = append(c.cancelled, fmt.Sprint(call.Args["order_id"]))
		return 1.0
	})
	var err error
	c.app, err = newApp(t.Context(), &flags{data: t.TempDir(), set: []string{"telemetry.log=none", "server.limits.rate=0"}}, slotway.Options{
		Tools: map[string]tools.Tool{"get_order": order, "order_exists": order, "cancel_order": cancel},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.app.Close(); err != nil {
			t.Error(err)
		}
	})
	s := newLocalService(c.app)
	d, err := contract.New(httpapi.OpenAPI(), map[string][]byte{"telemetry.schema.json": telemetry.Schema()})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(d.Watch(s))
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
		for _, v := range d.Violations() {
			t.Error(v)
		}
	})
	c.url = server.URL
	return c
}

// wantCancelled compares what was cancelled so far.
func (c *counter) wantCancelled(orders ...string) {
	c.t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	if diff := cmp.Diff(orders, c.cancelled); diff != "" {
		c.t.Errorf("cancelled (-want +got)\n%s", diff)
	}
}

// chat posts to /chat; more are fields besides message and conversation_id.
func (c *counter) chat(conversation, message string, more ...any) (status int, body map[string]any) {
	c.t.Helper()
	in := map[string]any{"message": message, "conversation_id": conversation}
	for i := 0; i+1 < len(more); i += 2 {
		in[more[i].(string)] = more[i+1]
	}
	text, err := json.Marshal(in)
	if err != nil {
		c.t.Fatal(err)
	}
	res, err := http.Post(c.url+"/chat", "application/json", bytes.NewReader(text))
	if err != nil {
		c.t.Fatal(err)
	}
	defer res.Body.Close()
	if err := json.NewDecoder(res.Body).Decode(&body); err != nil {
		c.t.Fatal(err)
	}
	return res.StatusCode, body
}

// otherTab is what somebody does in another tab while this one shows "Cancel order O-12345?".
func (c *counter) otherTab(conversation string, seen any) {
	c.t.Helper()
	for _, text := range []string{"no", "cancel order O-20112"} {
		status, body := c.chat(conversation, text, "after_turn", seen)
		if status != http.StatusOK {
			c.t.Fatalf("%q: %d %v", text, status, body)
		}
		seen = body["turn"]
		if text != "no" && !strings.HasPrefix(body["reply"].(string), "Cancel order O-20112") {
			c.t.Fatalf("the other tab is asked %q", body["reply"])
		}
	}
}

// Two tabs show one conversation. One asks about O-12345; in the other the person has said no
// and asked for O-20112. Then the first tab's yes arrives.
func TestTheLateYesOfAnotherTab(t *testing.T) {
	c := openCounter(t)
	_, asked := c.chat("c1", "cancel order O-12345", "after_turn", 0)
	if asked["confirming"] != "cancel_order" {
		t.Fatalf("%v", asked)
	}
	c.otherTab("c1", asked["turn"])
	yes := []any{"after_turn", asked["turn"], "message_id", "late"}
	for _, stream := range []bool{false, true} { // a problem that comes at once is one, also of a stream
		status, refused := c.chat("c1", "yes", append(yes, "stream", stream)...)
		want := map[string]any{
			"type": "urn:slotway:problem:moved_on", "code": "moved_on", "status": 409.0, "turn": 3.0,
			"title": "The conversation went on elsewhere", "detail": refused["detail"],
		}
		if diff := cmp.Diff(want, refused); status != http.StatusConflict || diff != "" {
			t.Errorf("stream %v: the late yes: %d (-want +got)\n%s", stream, status, diff)
		}
	}
	c.wantCancelled()
	if status, reply := c.chat("c1", "yes", "after_turn", 3, "message_id", "late"); status != http.StatusOK || reply["turn"] != 4.0 {
		t.Errorf("with the new question seen: %d %v", status, reply)
	}
	c.wantCancelled("O-20112")
	if status, reply := c.chat("c1", "yes", yes...); status != http.StatusOK || reply["turn"] != 4.0 {
		t.Errorf("sent again, what was answered gets its reply: %d %v", status, reply)
	}
	c.wantCancelled("O-20112")
}

// Without after_turn a yes answers whatever is asked when it arrives. That is so for clients
// that do not say what they have seen; the test is here for whoever would change it.
func TestAYesThatDoesNotSayToWhat(t *testing.T) {
	c := openCounter(t)
	_, asked := c.chat("c1", "cancel order O-12345")
	c.otherTab("c1", asked["turn"])
	if status, reply := c.chat("c1", "yes"); status != http.StatusOK {
		t.Errorf("%d %v", status, reply)
	}
	c.wantCancelled("O-20112")
}

func TestAfterTurnsThatAreNone(t *testing.T) {
	c := openCounter(t)
	for _, bad := range []any{-1, 1.5, "1", true, []int{1}} {
		status, body := c.chat("c1", "hello", "after_turn", bad)
		if detail, _ := body["detail"].(string); status != http.StatusBadRequest || !strings.Contains(detail, "after_turn") {
			t.Errorf("after_turn %v: %d %v", bad, status, body)
		}
	}
	if status, body := c.chat("", "hello", "after_turn", 1); status != http.StatusBadRequest || !strings.Contains(body["detail"].(string), "conversation_id") {
		t.Errorf("a turn of no conversation: %d %v", status, body)
	}
	if status, body := c.chat("c1", "hello", "after_turn", 7); status != http.StatusConflict || body["turn"] != 0.0 {
		t.Errorf("a turn of a conversation that was erased: %d %v", status, body)
	}
	if status, _ := c.chat("c1", "hello", "after_turn", nil); status != http.StatusOK {
		t.Errorf("null is not said: %d", status)
	}
}

// onScreen is a terminal chat with a place, and what it has printed since it was last read.
func onScreen(at chatBackend, session string) (c *console, screen func() string) {
	var out bytes.Buffer
	c = &console{chatSession: &chatSession{chatFlags: &chatFlags{session: session}, backend: at}}
	c.screen = term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{strings.NewReader(""), &out}, "")
	return c, func() string {
		defer out.Reset()
		return out.String()
	}
}

// The terminal says which reply a line answers, shows where the conversation went, and says
// nothing again by itself.
func TestTheLateYesOfATerminal(t *testing.T) {
	for _, name := range []string{"here", "over HTTP"} {
		t.Run(name, func(t *testing.T) {
			shop := openCounter(t)
			var at chatBackend = &localBackend{app: shop.app, user: "local"}
			if name != "here" {
				remote, err := (&chatFlags{url: shop.url}).remoteBackend(newChat(&flags{}))
				if err != nil {
					t.Fatal(err)
				}
				at = remote
			}
			c, screen := onScreen(at, "c1")
			line := func(text, want string) {
				t.Helper()
				if err := c.line(t.Context(), text); err != nil {
					t.Fatalf("%s: %v", text, err)
				}
				if got := screen(); !strings.Contains(got, want) {
					t.Errorf("%s: %q, want %q in it", text, got, want)
				}
			}
			if err := c.showEnd(t.Context()); err != nil || screen() != "" || c.afterTurn == nil || *c.afterTurn != 0 {
				t.Errorf("a session that is not there yet: %v, %v", c.afterTurn, err)
			}
			line("cancel order O-12345", "Cancel order O-12345")
			shop.otherTab("c1", 1)
			line("yes", "! The conversation went on elsewhere, and this was not said.")
			shop.wantCancelled()
			line("yes", "")
			shop.wantCancelled("O-20112")

			other, read := onScreen(at, "c2")
			if err := other.line(t.Context(), "/load c1"); err != nil {
				t.Error(err)
			}
			if got := read(); !strings.Contains(got, "agent Done: order ") {
				t.Errorf("what was said last is not shown: %q", got)
			}
			line("cancel order O-20223", "Cancel order O-20223")
			line("/undo", "turn 5 is undone")
			if err := other.line(t.Context(), "yes"); err != nil { // it has seen how the conversation stands again
				t.Error(err)
			}
			line("/clear", "cleared")
			if err := other.line(t.Context(), "yes"); err != nil || !strings.Contains(read(), "it was cleared or erased") {
				t.Errorf("after a clear elsewhere: %v", err)
			}
			line("/forget", "erased")
			line("how much is shipping", "Shipping")
			shop.wantCancelled("O-20112")
		})
	}
}

// Lines from a pipe may have been written before anything was seen: once the conversation went
// on elsewhere none of them is said.
func TestTheLateYesOfAPipe(t *testing.T) {
	shop := openCounter(t)
	in, lines := io.Pipe()
	replies, out := io.Pipe()
	var stderr bytes.Buffer
	done := make(chan error, 1)
	p := &chatSession{chatFlags: &chatFlags{session: "c1", json: true}, backend: &localBackend{app: shop.app, user: "local"}}
	go func() {
		err := p.lines(t.Context(), in, out, &stderr)
		out.Close()
		done <- err
	}()
	answers := json.NewDecoder(replies)
	say := func(text string) (reply struct {
		Reply string
		Error *string
	},
	) {
		fmt.Fprintln(lines, text)
		if err := answers.Decode(&reply); err != nil {
			t.Fatal(err)
		}
		return reply
	}
	if got := say("cancel order O-12345"); !strings.HasPrefix(got.Reply, "Cancel order O-12345") {
		t.Fatalf("%+v", got)
	}
	shop.otherTab("c1", 1)
	for _, text := range []string{"yes", "yes"} {
		if got := say(text); got.Error == nil || *got.Error != "moved_on" {
			t.Errorf("%+v", got)
		}
	}
	lines.Close()
	if err := <-done; err == nil {
		t.Error("it ends as if nothing had been wrong")
	}
	shop.wantCancelled()
}
