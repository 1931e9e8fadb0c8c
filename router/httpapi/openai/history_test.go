package openai

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/router"
)

// A client that knows nothing of sessions keeps one all the same.
func TestAHistoryFindsItsSession(t *testing.T) {
	w := newFixture(t)
	c := &client{w: w}
	first := c.say("buy")
	if first.text() != "Which item?" || first.Slotway.History != began {
		t.Errorf("first: %+v", first)
	}
	asked := c.say("I-7")
	if asked.text() != "Order I-7?" || asked.Slotway.SessionID != first.Slotway.SessionID || asked.Slotway.History != continued {
		t.Errorf("second: %+v", asked)
	}
	if got := c.say("yes"); got.text() != "You have bought I-7." || got.Slotway.Turn != 3 {
		t.Errorf("third: %+v", got)
	}
	if diff := cmp.Diff([]string{"I-7"}, w.purchases()); diff != "" {
		t.Errorf("purchases (-want +got)\n%s", diff)
	}
}

func TestARepeatedHistoryGetsTheStoredReply(t *testing.T) {
	w := newFixture(t)
	c := &client{w: w}
	c.say("buy")
	c.say("I-7")
	bought := c.say("yes")
	for _, again := range [][]string{
		c.said[:5],
		{"buy", "Which item?\r\n", " I-7", "Order I-7?", "yes\n"}, // as clients change it in passing
	} {
		if diff := cmp.Diff(bought, w.complete(again...)); diff != "" {
			t.Errorf("again (-then +now)\n%s", diff)
		}
	}
	if n := len(w.purchases()); n != 1 {
		t.Errorf("%d purchases", n)
	}
}

func TestTheSameHistoryFindsItsTurn(t *testing.T) {
	w := newFixture(t)
	c := &client{w: w}
	c.say("buy")
	asked := c.say("I-7")
	if got := w.complete(c.said[:3]...); got.ID != asked.ID {
		t.Errorf("the message again: %+v, want %+v", got, asked)
	}
}

// A conversation that began alike later does not take the place of one that was answered.
func TestAnAnsweredHistoryIsFoundBehindANewerOne(t *testing.T) {
	w := newFixture(t)
	c := &client{w: w}
	c.say("buy I-7")
	bought := c.say("yes")
	(&client{w: w}).say("buy I-7")
	if again := w.complete(c.said[:3]...); again.ID != bought.ID || len(w.purchases()) != 1 {
		t.Errorf("again: %+v, %v", again, w.purchases())
	}
}

// What was said since is not taken back: an edited history begins a session with its last message.
func TestAnEditedHistoryBeginsAnew(t *testing.T) {
	w := newFixture(t)
	c := &client{w: w}
	c.say("buy")
	original := c.say("I-7")
	edited := w.complete("buy", "Which item?", "price I-8")
	if edited.text() != "One I-8 costs ten." || edited.Slotway.History != unknown || edited.Slotway.SessionID == original.Slotway.SessionID || edited.Slotway.Turn != 1 {
		t.Errorf("edited: %+v", edited)
	}
	if again := w.complete("buy", "Which item?", "price I-8"); again.ID != edited.ID {
		t.Errorf("edited again: %+v", again)
	}
	got := w.complete("buy", "Which item?", "price I-8", "One I-8 costs ten.", "buy")
	if got.text() != "Order I-8?" || got.Slotway.SessionID != edited.Slotway.SessionID || got.Slotway.Turn != 2 {
		t.Errorf("on from the edited one: %+v", got)
	}
	if got := c.say("yes"); got.text() != "You have bought I-7." || got.Slotway.SessionID != original.Slotway.SessionID {
		t.Errorf("on from the original: %+v", got)
	}
	if diff := cmp.Diff([]string{"I-7"}, w.purchases()); diff != "" {
		t.Errorf("purchases (-want +got)\n%s", diff)
	}
}

// A yes to a question that was answered otherwise confirms nothing.
func TestAnAnsweredConfirmationIsNotAnsweredAgain(t *testing.T) {
	w := newFixture(t)
	c := &client{w: w}
	c.say("buy I-7")
	c.say("no")
	for _, text := range []string{"yes", "yes", "sure"} {
		if got := w.complete("buy I-7", "Order I-7?", text); got.Slotway.History == continued || len(w.purchases()) > 0 {
			t.Errorf("%q: %+v, %v", text, got, w.purchases())
		}
	}
	if got := c.say("price"); got.text() != "One I-7 costs ten." {
		t.Errorf("at the end of the conversation: %+v", got)
	}
}

// Different answers to one question, all at once: one of them is taken.
func TestRivalsForOneSession(t *testing.T) {
	for range 20 {
		w := newFixture(t)
		(&client{w: w}).say("buy I-7")
		var wg sync.WaitGroup
		for _, text := range []string{"yes", "sure", "yes please", "yes", "sure thing"} {
			wg.Go(func() { w.send("POST", "/v1/chat/completions", history("buy I-7", "Order I-7?", text)) })
		}
		wg.Wait()
		if n := len(w.purchases()); n != 1 {
			t.Fatalf("%d purchases", n)
		}
	}
}

// A session that moves on between being found and being used is not used.
func TestASessionThatMovesOnMeanwhile(t *testing.T) {
	w := newFixture(t)
	w.complete("buy")
	var first told
	w.store.OnTurns(func() { first = w.complete("buy", "Which item?", "I-1") })
	second := w.complete("buy", "Which item?", "I-2")
	if first.text() != "Order I-1?" || second.Slotway.Turn != 1 || second.Slotway.History != unknown {
		t.Errorf("first %+v, second %+v", first, second)
	}
}

func TestConversationsThatBeganAlike(t *testing.T) {
	w := newFixture(t)
	a, b := &client{w: w}, &client{w: w}
	a.say("buy")
	b.say("buy")
	one := a.say("I-1")
	two := b.say("I-2")
	if one.Slotway.SessionID == two.Slotway.SessionID || one.text() != "Order I-1?" || two.text() != "Order I-2?" {
		t.Errorf("one %+v, two %+v", one, two)
	}
	if got := a.say("yes"); got.text() != "You have bought I-1." || got.Slotway.SessionID != one.Slotway.SessionID {
		t.Errorf("one goes on: %+v", got)
	}
	if got := b.say("yes"); got.text() != "You have bought I-2." {
		t.Errorf("two goes on: %+v", got)
	}
}

// Who asks the same thing the next day is not told what was answered yesterday; who does so
// at once is taken to send it again.
func TestTheSameConversationAnotherDay(t *testing.T) {
	w := newFixture(t)
	ask := func() (last told) {
		c := &client{w: w}
		for _, text := range []string{"buy", "I-7", "yes"} {
			last = c.say(text)
		}
		return last
	}
	if first, second := ask(), ask(); second.ID != first.ID {
		t.Errorf("at once: %+v after %+v", second, first)
	}
	w = newFixture(t)
	for day := range 3 {
		c := &client{w: w}
		for _, text := range []string{"buy", "I-7", "yes"} {
			c.say(text)
		}
		w.pass(24 * time.Hour)
		if n := len(w.purchases()); n != day+1 {
			t.Fatalf("day %d: %d purchases", day, n)
		}
	}
}

func TestAStreamThatWasCutLosesNothing(t *testing.T) {
	for _, heard := range []string{"One", "", "One I-7 costs ten."} {
		w := newFixture(t)
		first := w.complete("price I-7")
		got := w.complete("price I-7", heard, "buy")
		if got.Slotway.SessionID != first.Slotway.SessionID || got.text() != "Order I-7?" {
			t.Errorf("after hearing %q: %+v", heard, got)
		}
	}
	// One that has nothing of the answer.
	w := newFixture(t)
	w.complete("price I-7")
	body := `{"model":"stall","messages":[{"role":"user","content":"price I-7"},{"role":"user","content":"buy"}]}`
	if got := read[told](t, w.send("POST", "/v1/chat/completions", body), http.StatusOK); got.text() != "Order I-7?" {
		t.Errorf("after hearing nothing: %+v", got)
	}
}

func TestAHistoryFromElsewhereBeginsASession(t *testing.T) {
	w := newFixture(t)
	w.complete("buy")
	got := w.complete("buy", "Something that was never said.", "I-7")
	if got.Slotway.History != unknown || got.Slotway.Turn != 1 {
		t.Errorf("got %+v", got)
	}
	if again := w.complete("buy", "Something that was never said.", "I-7"); again.ID != got.ID {
		t.Errorf("again: %+v", again)
	}
	greeted := `{"messages":[{"role":"assistant","content":"Hello!"},{"role":"user","content":"buy"}]}`
	if got := read[told](t, w.send("POST", "/v1/chat/completions", greeted), http.StatusOK); got.Slotway.History != began {
		t.Errorf("after a greeting: %+v", got)
	}
}

// What was cleared is not brought back by who remembers it.
func TestAClearedSessionIsForgotten(t *testing.T) {
	w := newFixture(t)
	c := &client{w: w}
	first := c.say("buy")
	key := memory.Key{UserID: "ann", AgentID: "stall", SessionID: first.Slotway.SessionID}
	s, err := memory.NewConversations(w.store, 10).ForSession(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Clear(); err != nil {
		t.Fatal(err)
	}
	if err := s.Commit(t.Context(), w.clock()); err != nil {
		t.Fatal(err)
	}
	if got := c.say("I-7"); got.Slotway.History != unknown || got.text() != "I noted the item I-7. Shall I price or order?" {
		t.Errorf("got %+v", got)
	}
}

// A turn that was taken back is no place to go on from, and the one before it is.
func TestAnUndoneTurnIsPassedOver(t *testing.T) {
	w := newFixture(t)
	c := &client{w: w}
	c.say("buy")
	undone := c.say("I-7")
	s, err := memory.NewConversations(w.store, 10).ForSession(t.Context(), memory.Key{UserID: "ann", AgentID: "stall", SessionID: undone.Slotway.SessionID})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Undo(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.Commit(t.Context(), w.clock()); err != nil {
		t.Fatal(err)
	}
	if got := w.complete("buy", "Which item?", "I-9"); got.text() != "Order I-9?" || got.Slotway.SessionID != undone.Slotway.SessionID {
		t.Errorf("from the turn before: %+v", got)
	}
	if got := w.complete("buy", "Which item?", "I-7"); got.Slotway.History != unknown {
		t.Errorf("what was undone, again: %+v", got)
	}
}

func TestUsersNeverMeet(t *testing.T) {
	w := newFixture(t)
	mine := w.complete("buy I-7")
	res := w.send("POST", "/v1/chat/completions", strings.Replace(history("buy I-7", "Order I-7?", "yes"), `"model"`, `"user":"ann","model"`, 1), "Authorization", "eve")
	got := read[told](t, res, http.StatusOK)
	if got.Slotway.SessionID == mine.Slotway.SessionID || got.Slotway.History != unknown || len(w.purchases()) > 0 {
		t.Errorf("eve: %+v, purchases %v", got, w.purchases())
	}
}

// Without memory each message is a conversation of its own, whatever came before it.
func TestWithoutMemory(t *testing.T) {
	w := newFixtureOver(t, inmem.New(nil), router.Options{Stateless: true})
	c := &client{w: w}
	c.say("buy")
	for _, tc := range [][2]string{{"I-7", "I noted the item I-7. Shall I price or order?"}, {"yes", "Pardon me?"}, {"blah", "Pardon me?"}} {
		if got := c.say(tc[0]); got.Slotway.Turn != 1 || got.text() != tc[1] {
			t.Errorf("%s: %+v", tc[0], got)
		}
	}
}
