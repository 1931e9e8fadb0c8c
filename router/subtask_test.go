package router_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router"
)

// runningYAML is the test agent with a task that runs another one twice.
func runningYAML(idempotent bool, confirm string) string {
	text := fmt.Sprintf(agentYAML, idempotent)
	text = strings.Replace(text, `      - confirm: "Order {item}?"
      - call: buy
        with: {item: $item}
      - respond: bought
`, `      - {run: buy_one, with: {which: $item}, save: {first: which}}
      - {run: buy_one, with: {which: $item}, save: {second: which}}
      - respond: both
  - id: buy_one
    internal: true
    params:
      required:
        - {name: which, type: item, prompt: "Which one?"}
    plan:
`+confirm+`      - call: buy
        with: {item: $which}
      - respond: one
`, 1)
	text = strings.Replace(text, "  bought: ", "  one: \"Got {which}.\"\n  both: \"Bought {first} and {second}.\"\n  bought: ", 1)
	policy := "policy: {max_steps: 20}"
	if confirm == "" {
		policy = "policy: {confirm_writes: false, max_steps: 20}"
	}
	return strings.Replace(text, "policy: {max_steps: 4}", policy, 1)
}

const askFirst = "      - confirm: \"Buy {which}?\"\n"

// A crash between the write of a sub-task and the commit: the same message again, or another one,
// leads to no second purchase.
func TestALostYesToASubTask(t *testing.T) {
	for _, c := range []struct{ next, done, unsure string }{
		{"yes", "Got I-7. Buy I-7?", toldUnknown},
		{"find I-8", "Got I-7. Found: I-8. Back to", toldUnknown + " Found: I-8."},
		{"talk", "Got I-7. You said: Talk about I-7. Buy I-7?", toldUnknown + " You said: Talk about I-7."},
	} {
		for _, idempotent := range []bool{true, false} {
			t.Run(fmt.Sprintf("%q, idempotent %v", c.next, idempotent), func(t *testing.T) {
				w := newFixtureOf(t, runningYAML(idempotent, askFirst))
				if reply := w.say(t, "1", "buy I-7"); reply.Reply != "Buy I-7?" {
					t.Fatalf("reply %q", reply.Reply)
				}
				w.lose(t, "2", "yes")
				want := c.done
				if !idempotent {
					want = c.unsure
				}
				if reply := w.say(t, "3", c.next); !strings.HasPrefix(reply.Reply, want) || w.buys != 1 {
					t.Errorf("reply %q, want %q; %d purchases", reply.Reply, want, w.buys)
				}
			})
		}
	}
}

// The same sub-task twice with the same values is two purchases, each made once, whatever is lost.
func TestASubTaskTwiceIsTwoWrites(t *testing.T) {
	for _, asks := range []bool{true, false} {
		for lost := range 4 {
			t.Run(fmt.Sprintf("asks %v, turn %d lost", asks, lost), func(t *testing.T) {
				confirm := ""
				if asks {
					confirm = askFirst
				}
				w := newFixtureOf(t, runningYAML(true, confirm))
				var reply router.Reply
				for i, text := range []string{"buy I-7", "yes", "yes"} {
					id := fmt.Sprint(i)
					if i == lost {
						w.lose(t, id, text)
					}
					reply = w.say(t, id, text)
					if !asks {
						break
					}
				}
				if !strings.HasSuffix(reply.Reply, "Got I-7. Bought I-7 and I-7.") || w.buys != 2 {
					t.Errorf("reply %q, %d purchases, want 2", reply.Reply, w.buys)
				}
			})
		}
	}
}

// The first purchase of a message was made, and the process died in the second: the message again
// makes the second one only.
func TestALostSecondSubTask(t *testing.T) {
	w := newFixtureOf(t, runningYAML(true, ""))
	w.Store.OnStart(func(memory.Step) error {
		w.Store.OnStart(func(memory.Step) error { return errPowerCut })
		return nil
	})
	if _, err := w.Handle(t.Context(), said("1", "buy I-7")); !errors.Is(err, errPowerCut) {
		t.Fatalf("Handle = %v, want the power cut", err)
	}
	if w.buys != 1 {
		t.Fatalf("%d purchases before the second", w.buys)
	}
	if reply := w.say(t, "1", "buy I-7"); reply.Reply != "Got I-7. Got I-7. Bought I-7 and I-7." || w.buys != 2 {
		t.Errorf("reply %q, %d purchases", reply.Reply, w.buys)
	}
}
