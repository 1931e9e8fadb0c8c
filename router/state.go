package router

import (
	"sync"

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

// machines are those of turns that are over, for turns to come.
var machines = sync.Pool{New: func() any { return newMachine() }}

// newMachine makes the machine of the table.
func newMachine() *fsm.FSM {
	events := make(fsm.Events, len(transitions))
	for i, t := range transitions {
		events[i] = fsm.EventDesc{Name: t.on, Src: []string{t.from}, Dst: t.to}
	}
	return fsm.NewFSM(idle, events, fsm.Callbacks{})
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
