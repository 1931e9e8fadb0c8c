package report

import (
	"fmt"
	"testing"

	"github.com/slotway/slotway/router"
)

// acts has a person do something, a minute later.
func (p *play) acts(user, session string, a router.Action, text string) {
	p.t.Helper()
	p.say("", "", "+1m")
	in := router.Interaction{ID: fmt.Sprint(a, p.now), Text: text, HandOver: &router.HandOver{Action: a, By: "Ann"}, Context: router.Context{UserID: user, SessionID: session}}
	if _, err := p.f.Router.Handle(p.t.Context(), in); err != nil {
		p.t.Fatalf("%s: %v", a, err)
	}
}

// A task is handed off while a person has the conversation, however long that takes, and goes on with the
// agent afterwards. What is said to the person was not misunderstood.
func TestHandOver(t *testing.T) {
	p := newPlay(t)
	p.say("ann", "held", "buy I-7", "human", "buy I-8")
	p.acts("ann", "held", router.ActionTake, "")
	p.acts("ann", "held", router.ActionTake, "")
	p.say("ann", "held", "yes", "blah", "+5h", "blah")
	p.acts("ann", "held", router.ActionAnswer, "Hello.")
	r := p.report(Query{})
	same(t, `[buy 2: handed off 2]`, fmt.Sprint(fates(r)))
	if r.Handoffs != 1 || r.Taken != 1 || r.Turns != 6 || r.Unanswered.Messages != 0 || r.Tasks[0].Confirmations.Asked != 2 || r.Tasks[0].Turns != 3 {
		t.Errorf("%+v", r)
	}
	p.say("", "", "+5h")
	p.acts("ann", "held", router.ActionGiveBack, "")
	same(t, `[buy 2: handed off 1 open 1]`, fmt.Sprint(fates(p.report(Query{}))))
	p.say("ann", "held", "yes", "yes")
	if r = p.report(Query{}); r.Taken != 1 || r.Turns != 8 {
		t.Errorf("%+v", r)
	}
	same(t, `[buy 2: done 1 handed off 1]`, fmt.Sprint(fates(r)))
}
