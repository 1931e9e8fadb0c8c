package planner

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The account tells what a turn finished and answered, and only that turn.
func TestAccount(t *testing.T) {
	b := newBench(t)
	b.say(asks("call_off", order("O-1")))
	a := b.st.Account(b.turn)
	if a.Active == nil || a.Active.Intent != "call_off" || a.Question == nil || a.Question.Kind != "ask" || a.Question.Param != "note" || len(a.Finished) > 0 {
		t.Errorf("asked for the note: %+v", a)
	}
	if v := a.Active.Params["order_id"]; v.Value != "O-1" || v.Turn != 1 || v.FromTool {
		t.Errorf("the order is %+v", v)
	}
	task := a.Active.ID
	b.say(does("skip"))
	if a = b.st.Account(b.turn); a.Question == nil || a.Question.Kind != "confirm" || a.Question.Tool != "drop" {
		t.Errorf("asked for a yes: %+v", a.Question)
	}
	b.say(asks("price"))
	a = b.st.Account(b.turn)
	if len(a.Finished) != 1 || a.Finished[0].Intent != "price" || !a.Finished[0].Succeeded() || a.Finished[0].Wrote() || a.Active == nil || a.Active.ID != task {
		t.Errorf("an answer in passing: %+v", a)
	}
	b.say(does("affirm"))
	a = b.st.Account(b.turn)
	if diff := cmp.Diff([]FinishedTask{{task, "call_off", outcomeDone}}, a.Finished); diff != "" {
		t.Errorf("finished (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]Answered{{task, true}}, a.Answered); diff != "" {
		t.Errorf("answered (-want +got)\n%s", diff)
	}
	if a.Ended == nil || a.Ended.ID != task || a.Ended.Params["order_id"].Value != "O-1" || a.Active != nil {
		t.Errorf("ended: %+v", a.Ended)
	}
	if a = b.st.Account(b.turn + 1); len(a.Finished)+len(a.Answered) > 0 || a.Ended != nil {
		t.Errorf("of a turn that did not leave the state: %+v", a)
	}
}

// A task that a fault ends has failed, although nothing was written.
func TestAccountOfAFault(t *testing.T) {
	b := newBench(t)
	b.say(asks("price"))
	f := &frame{ID: "f", Intent: "status"}
	b.st.noteFinished(f, outcomeTold)
	b.st.noteFault(f)
	if got := b.st.Outcomes.Finished; got[len(got)-1].Succeeded() {
		t.Errorf("%+v", got)
	}
}
