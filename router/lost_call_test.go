package router_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/slotway/slotway/internal/test/routertest"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/sessions"
	"github.com/slotway/slotway/tools"
)

const (
	toldDone    = "That has been done already, so I'm not doing it again."
	toldUnknown = "I couldn't confirm whether that went through, so I won't repeat it by myself. A colleague can check it for you."
	toldUnread  = "Sorry, I didn't understand that. Could you say it another way?"
)

// withoutAsking is the test agent whose purchases need no yes.
func withoutAsking(t *testing.T, idempotent bool) *fixture {
	t.Helper()
	text := strings.Replace(agentYAML, "      - confirm: \"Order {item}?\"\n", "", 1)
	text = strings.Replace(text, "policy: {max_steps: 4}", "policy: {confirm_writes: false, max_steps: 9}", 1)
	return newFixtureOf(t, fmt.Sprintf(text, idempotent))
}

// lose sends a message whose turn makes its call and is lost before its commit.
func (w *fixture) lose(t *testing.T, id, text string) {
	t.Helper()
	w.Store.OnCommit(func(*memory.Delta) error { return errPowerCut })
	if _, err := w.Handle(t.Context(), said(id, text)); !errors.Is(err, errPowerCut) {
		t.Fatalf("Handle = %v, want the power cut", err)
	}
}

// The turn that was lost had learned what it bought in the same message, so the state does
// not know it. Whatever is said next, what is told of the purchase is true, and it is made once.
func TestALostCallOfAnUnknownValue(t *testing.T) {
	for _, c := range []struct {
		before, lost string
		next         string // "": the lost message again
		done, unsure string
		buys         int
	}{
		{"", "buy I-7", "", "Bought I-7.", toldUnknown, 1},
		{"", "buy I-7", "buy I-7", "Bought I-7.", toldUnknown, 1}, // typed anew, as no answer came
		{"", "buy I-7", "buy I-8", toldDone + " Bought I-8.", toldUnknown + " Bought I-8.", 2},
		{"", "buy I-7", "yes", toldDone, toldUnknown, 1},
		{"", "buy I-7", "find I-8", toldDone + " Found: I-8.", toldUnknown + " Found: I-8.", 1},
		{"find I-9", "buy I-7", "", "Bought I-7.", toldUnknown, 1},
		{"find", "I-7", "", "Found: I-7.", "Found: I-7.", 0},
		{"buy", "I-7", "", "Bought I-7.", toldUnknown, 1},
		{"buy", "I-7", "I-8", toldDone + " Bought I-8.", toldUnknown + " Bought I-8.", 2},
		{"buy", "I-7", "buy I-8", toldDone + " Bought I-8.", toldUnknown + " Bought I-8.", 2},
		{"buy", "I-7", "yes", toldDone + " Which item?", toldUnknown + " Which item?", 1},
	} {
		for _, idempotent := range []bool{true, false} {
			t.Run(fmt.Sprintf("%q, %q lost, %q, idempotent %v", c.before, c.lost, c.next, idempotent), func(t *testing.T) {
				w := withoutAsking(t, idempotent)
				if c.before != "" {
					w.say(t, "1", c.before)
				}
				w.lose(t, "2", c.lost)
				var reply router.Reply
				if c.next == "" {
					reply = w.say(t, "2", c.lost)
				} else {
					reply = w.say(t, "3", c.next)
				}
				want := c.done
				if !idempotent {
					want = c.unsure
				}
				if reply.Reply != want || w.buys != c.buys {
					t.Errorf("reply %q, want %q; %d purchases, want %d", reply.Reply, want, w.buys, c.buys)
				}
				told := slices.DeleteFunc(reply.ToolCalls, func(r router.ToolReport) bool { return r.Tool != "buy" })
				if len(told) != c.buys {
					t.Errorf("the reply reports %+v", told)
				}
			})
		}
	}
}

// A call that was told of as done may be come to later: it is not made again, and it is no
// obstacle for ever either.
func TestALostCallThatIsComeToLater(t *testing.T) {
	w := withoutAsking(t, true)
	w.say(t, "1", "buy")
	w.lose(t, "2", "I-7")
	if reply := w.say(t, "3", "yes"); reply.Reply != toldDone+" Which item?" {
		t.Errorf("reply %q", reply.Reply)
	}
	reply := w.say(t, "4", "I-7")
	if reply.Reply != "Bought I-7." || w.buys != 1 {
		t.Errorf("reply %q, %d purchases", reply.Reply, w.buys)
	}
	if len(reply.ToolCalls) != 1 || reply.ToolCalls[0].Status != "ok" {
		t.Errorf("calls %+v", reply.ToolCalls)
	}
}

// Where a yes was lost with its turn, what was bought is told before anything else is read.
func TestALostYes(t *testing.T) {
	for _, c := range []struct{ next, done, unsure string }{
		{"yes", "Bought I-7.", toldUnknown},
		{"buy I-8", "Bought I-7. Order I-8?", toldUnknown + " Order I-8?"},
		{"I-8", "Bought I-7. " + toldUnread, toldUnknown + " " + toldUnread},
		{"find I-8", "Bought I-7. Found: I-8.", toldUnknown + " Found: I-8."},
	} {
		for _, idempotent := range []bool{true, false} {
			t.Run(fmt.Sprintf("%q, idempotent %v", c.next, idempotent), func(t *testing.T) {
				w := newFixture(t, idempotent)
				w.say(t, "1", "buy I-7")
				w.lose(t, "2", "yes")
				want := c.done
				if !idempotent {
					want = c.unsure
				}
				if reply := w.say(t, "3", c.next); reply.Reply != want || w.buys != 1 {
					t.Errorf("reply %q, want %q; %d purchases", reply.Reply, want, w.buys)
				}
			})
		}
	}
}

// Another process has read the session before the purchase is in the journal, and corrects its
// item before the purchase is committed: what was bought is not told as what would be bought
// now, which is asked anew.
func TestALostCallOfAnotherItem(t *testing.T) {
	for _, idempotent := range []bool{true, false} {
		t.Run(fmt.Sprintf("idempotent %v", idempotent), func(t *testing.T) {
			w := newFixture(t, idempotent)
			theirs := &routertest.Store{Backend: w.Store.Backend}
			other := replica(t, theirs, nil, idempotent, w.buy)
			w.say(t, "1", "buy I-7")
			bought, corrected := make(chan struct{}), make(chan struct{})
			w.Store.OnCommit(func(*memory.Delta) error {
				close(bought)
				<-corrected
				return nil
			})
			var reply router.Reply
			var yes sync.WaitGroup
			theirs.OnCommit(func(*memory.Delta) error {
				yes.Go(func() { reply = w.say(t, "3", "yes") })
				<-bought
				return nil
			})
			if correction, err := other.Handle(t.Context(), said("2", "buy I-8")); err != nil || !strings.HasSuffix(correction.Reply, "Order I-8?") {
				t.Errorf("the correction: %q, %v", correction.Reply, err)
			}
			close(corrected)
			yes.Wait()
			want := toldDone + " Order I-8?"
			if reply.Reply != want || w.buys != 1 {
				t.Errorf("reply %q, want %q; %d purchases", reply.Reply, want, w.buys)
			}
		})
	}
}

// A turn that was taken back has left its purchase behind: to the same yes again, it is told
// as what it is.
func TestAYesToAPurchaseThatWasTakenBack(t *testing.T) {
	w := newFixture(t, false)
	w.say(t, "1", "buy I-7")
	w.say(t, "2", "yes")
	if _, err := sessions.Undo(t.Context(), w.Store, oneSession, time.Now()); err != nil {
		t.Fatal(err)
	}
	if reply := w.say(t, "3", "yes"); reply.Reply != "Order I-7?" || w.buys != 1 {
		t.Errorf("reply %q, %d purchases", reply.Reply, w.buys)
	}
	if reply := w.say(t, "4", "yes"); reply.Reply != "Bought I-7." || w.buys != 1 {
		t.Errorf("reply %q, %d purchases", reply.Reply, w.buys)
	}
}

// The lost message may come again after another one: its purchase was told of by then, and is
// not made anew. Nor is one that was typed anew meanwhile.
func TestALostCallAgainAfterAnotherMessage(t *testing.T) {
	for _, c := range []struct{ next, done, unsure string }{
		{"find I-8", "Bought I-7.", toldUnknown},
		{"yes", "Bought I-7.", toldUnknown},
		{"buy I-7", "Bought I-7.", toldUnknown},
	} {
		for _, idempotent := range []bool{true, false} {
			t.Run(fmt.Sprintf("%q, idempotent %v", c.next, idempotent), func(t *testing.T) {
				w := withoutAsking(t, idempotent)
				w.lose(t, "2", "buy I-7")
				w.say(t, "3", c.next)
				want := c.done
				if !idempotent {
					want = c.unsure
				}
				if reply := w.say(t, "2", "buy I-7"); reply.Reply != want || w.buys != 1 {
					t.Errorf("reply %q, want %q; %d purchases, want 1", reply.Reply, want, w.buys)
				}
				want = "Bought I-7." // nothing is confirmed here, so nothing is said before it
				if reply := w.say(t, "4", "buy I-7"); reply.Reply != want || w.buys != 2 {
					t.Errorf("asked for anew: reply %q, want %q; %d purchases, want 2", reply.Reply, want, w.buys)
				}
			})
		}
	}
}

// The same, where another task is under way by then, and is put aside for the one that the lost
// message begins: it is the same task all the same.
func TestALostCallAgainWithinAnotherTask(t *testing.T) {
	for _, idempotent := range []bool{true, false} {
		t.Run(fmt.Sprintf("idempotent %v", idempotent), func(t *testing.T) {
			w := withoutAsking(t, idempotent)
			w.lose(t, "2", "buy I-7")
			w.say(t, "3", "find")
			want := "Bought I-7."
			if !idempotent {
				want = toldUnknown
			}
			if reply := w.say(t, "2", "buy I-7"); !strings.HasPrefix(reply.Reply, want) || w.buys != 1 {
				t.Errorf("reply %q, want %q; %d purchases, want 1", reply.Reply, want, w.buys)
			}
		})
	}
}

// Between the lost message and its repeat the same step may fail with another value, or the task
// may come to its end: the lost call is still the one that was made.
func TestALostCallAgainAfterAnotherValue(t *testing.T) {
	for _, c := range []struct {
		name, lost string
		refused    bool   // the purchase of the other item, which certainly had no effect
		id         string // of the message that comes again; "4": typed anew
		buys       int
	}{
		{"sent again after a failure", "I-7", true, "2", 1},
		{"typed anew after a failure", "I-7", true, "4", 1},
		{"sent again after the task", "buy I-7", false, "2", 2},
	} {
		for _, idempotent := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, idempotent %v", c.name, idempotent), func(t *testing.T) {
				w := withoutAsking(t, idempotent)
				w.say(t, "1", "buy")
				w.lose(t, "2", c.lost)
				if c.refused {
					w.fail = &tools.Error{Code: tools.Denied}
				}
				w.say(t, "3", "I-8")
				reply := w.say(t, c.id, c.lost)
				want := "Bought I-7."
				if !idempotent {
					want = toldUnknown
				}
				if !strings.HasSuffix(reply.Reply, want) || w.buys != c.buys {
					t.Errorf("reply %q, want %q; %d purchases, want %d", reply.Reply, want, w.buys, c.buys)
				}
			})
		}
	}
}

// A yes that was lost with its turn comes again when something else is talked of by then: it says
// yes to nothing else.
func TestALostYesAgainAtAnotherQuestion(t *testing.T) {
	for _, c := range []struct {
		next, question string // what is said meanwhile, and what that asks
		after          string // what comes of a yes of its own
		buys           int
	}{
		{"buy I-8", " Order I-8?", "Bought I-8.", 2},
		{"find I-8", "", toldUnread, 1},
	} {
		for _, idempotent := range []bool{true, false} {
			t.Run(fmt.Sprintf("%q, idempotent %v", c.next, idempotent), func(t *testing.T) {
				w := newFixture(t, idempotent)
				w.say(t, "1", "buy I-7")
				w.lose(t, "2", "yes")
				if before := w.say(t, "3", c.next); !strings.HasSuffix(before.Reply, c.question) || w.buys != 1 {
					t.Fatalf("reply %q, %d purchases", before.Reply, w.buys)
				}
				want := toldDone + c.question
				if !idempotent {
					want = toldUnknown + c.question
				}
				reply := w.say(t, "2", "yes")
				if reply.Reply != want || w.buys != 1 {
					t.Errorf("the yes again: reply %q, want %q; %d purchases", reply.Reply, want, w.buys)
				}
				if reply = w.say(t, "4", "yes"); reply.Reply != c.after || w.buys != c.buys {
					t.Errorf("a yes of its own: reply %q, want %q; %d purchases", reply.Reply, c.after, w.buys)
				}
			})
		}
	}
}

// "It" is another thing by the time that the lost message comes again: that one was not meant.
func TestALostCallAgainAboutAnotherThing(t *testing.T) {
	for _, idempotent := range []bool{true, false} {
		t.Run(fmt.Sprintf("idempotent %v", idempotent), func(t *testing.T) {
			w := withoutAsking(t, idempotent)
			w.say(t, "1", "find I-7")
			w.lose(t, "2", "buy it")
			w.say(t, "3", "find I-8")
			want := toldDone
			if !idempotent {
				want = toldUnknown
			}
			if reply := w.say(t, "2", "buy it"); reply.Reply != want || w.buys != 1 {
				t.Errorf("reply %q, want %q; %d purchases, want 1", reply.Reply, want, w.buys)
			}
			if reply := w.say(t, "4", "buy it"); reply.Reply != "Bought I-8." || w.buys != 2 {
				t.Errorf("asked for anew: reply %q; %d purchases, want 2", reply.Reply, w.buys)
			}
		})
	}
}
