package router

import (
	"github.com/looplab/fsm"
)

// The states of a turn. waiting and responded rest: a turn begins and ends in one of
// them, or begins in idle. The words are stored and logged: append, never rename.
const (
	idle       = "idle"       // nothing was said yet
	received   = "received"   // a message has arrived
	classified = "classified" // it is known what it may mean
	planned    = "planned"    // the next step is to be found
	asking     = "asking"     // a question is put
	confirming = "confirming" // a confirmation is asked for
	calling    = "calling"    // a tool runs
	responding = "responding" // something is said, or nothing is left to do
	waiting    = "waiting"    // rests: an answer is awaited
	responded  = "responded"  // rests: all is said
)

// The events that stages decide on.
const (
	evReceive  = "receive"
	evClassify = "classify"
	evReplay   = "replay"
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

// transitions is the machine. Nothing else defines what may follow what.
var transitions = []transition{
	{idle, evReceive, received},
	{waiting, evReceive, received},
	{responded, evReceive, received},

	{received, evClassify, classified},
	{received, evReplay, responded}, // answered before: the stored reply again

	{classified, evPlan, planned},

	{planned, evAsk, asking},
	{planned, evConfirm, confirming},
	{planned, evCall, calling},
	{planned, evRespond, responding},

	{asking, evWait, waiting},
	{confirming, evWait, waiting},

	{calling, evResult, planned},

	{responding, evContinue, planned}, // more is to be done after what was said
	{responding, evWait, waiting},     // a question is still open
	{responding, evFinish, responded},
}

// resting are the states in which a turn ends.
var resting = map[string]bool{waiting: true, responded: true}

// Initial is the state of a session in which nothing was said yet.
const Initial = idle

// events derives what looplab/fsm reads from the table.
func events() fsm.Events {
	evs := make(fsm.Events, len(transitions))
	for i, t := range transitions {
		evs[i] = fsm.EventDesc{Name: t.on, Src: []string{t.from}, Dst: t.to}
	}
	return evs
}

// Transition is one row of the machine's table, for whoever draws it.
type Transition struct{ From, On, To string }

// Machine returns the table: every transition a turn can make.
func Machine() []Transition {
	rows := make([]Transition, len(transitions))
	for i, t := range transitions {
		rows[i] = Transition{From: t.from, On: t.on, To: t.to}
	}
	return rows
}

// Rests says whether a turn ends in the state.
func Rests(state string) bool { return resting[state] }
