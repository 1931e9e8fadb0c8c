package router

import (
	"context"

	"github.com/looplab/fsm"
)

// The states of a turn. A turn begins in idle, waiting or responded and ends in waiting or responded.
// The words are stored and logged: append, never rename.
const (
	idle       = "idle"       // the session is new
	received   = "received"   // a message has arrived
	classified = "classified" // the message is to be classified
	planned    = "planned"    // the next step is to be planned
	asking     = "asking"     // the step is a question
	confirming = "confirming" // the step is a confirmation
	calling    = "calling"    // the step is a tool call
	responding = "responding" // the step says something or ends the turn
	waiting    = "waiting"    // the turn is over; a question is open
	responded  = "responded"  // the turn is over; no question is open
)

// The events that stages return.
const (
	evReceive  = "receive"
	evClassify = "classify"
	evReplay   = "replay"
	evHold     = "hold"
	evPlan     = "plan"
	evAsk      = "ask"
	evConfirm  = "confirm"
	evCall     = "call"
	evRespond  = "respond"
	evResult   = "result"
	evContinue = "continue"
	evWait     = "wait"
	evFinish   = "finish"
)

type transition struct{ from, on, to string }

// transitions is the machine. Nothing else defines which state may follow which.
var transitions = []transition{
	{idle, evReceive, received},
	{waiting, evReceive, received},
	{responded, evReceive, received},

	{received, evClassify, classified},
	{received, evReplay, responded}, // answered before: returns the stored reply
	{received, evHold, responded},   // a person has the conversation: the agent says nothing
	{received, evPlan, planned},     // a person gives it back: nothing was said to classify

	{classified, evPlan, planned},

	{planned, evAsk, asking},
	{planned, evConfirm, confirming},
	{planned, evCall, calling},
	{planned, evRespond, responding},

	{asking, evWait, waiting},
	{confirming, evWait, waiting},

	{calling, evResult, planned},

	{responding, evContinue, planned}, // the plan goes on
	{responding, evWait, waiting},     // a question is still open
	{responding, evFinish, responded},
}

// resting are the states in which a turn ends.
var resting = map[string]bool{waiting: true, responded: true}

// Initial is the state of a new session.
const Initial = idle

// edge is an event in a state.
type edge struct{ state, event string }

// machine holds the state that each event leads to.
var machine = compile(transitions)

// compile builds the machine of the table with looplab/fsm, and takes each of its transitions once:
// to ask it again in every turn would cost 1 µs and five allocations an event. It panics for a
// transition that looplab/fsm refuses.
func compile(table []transition) map[edge]string {
	events := make(fsm.Events, len(table))
	for i, t := range table {
		events[i] = fsm.EventDesc{Name: t.on, Src: []string{t.from}, Dst: t.to}
	}
	m := fsm.NewFSM(idle, events, fsm.Callbacks{})
	compiled := make(map[edge]string, len(table))
	for _, t := range table {
		m.SetState(t.from)
		if err := m.Event(context.Background(), t.on); err != nil {
			panic("router: the table of states: " + err.Error())
		}
		compiled[edge{t.from, t.on}] = m.Current()
	}
	return compiled
}

// Transition is one row of the machine's table.
type Transition struct{ From, On, To string }

// Machine returns every transition that a turn can make.
func Machine() []Transition {
	rows := make([]Transition, len(transitions))
	for i, t := range transitions {
		rows[i] = Transition{From: t.from, On: t.on, To: t.to}
	}
	return rows
}

// Rests reports whether a turn ends in the state.
func Rests(state string) bool { return resting[state] }
