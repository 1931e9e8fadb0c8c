package planner

import (
	"time"

	"github.com/slotway/slotway/config"
)

// Turn is a session's state while one message is answered, with what belongs to that message
// alone. Only the state in it is stored, by [Turn.Save].
type Turn struct {
	*State
	Number  int64     // of the turn in its session, from 1
	Message string    // id of the message; "": the turn's number names what it begins
	Mark    string    // of the message, see Opening
	Now     time.Time // the turn's clock
	Alone   bool      // no later turn can answer to this one
	Agenda  []Step    // to be performed before the plan goes on
	Fresh   bool      // the session lay idle too long: the router clears it before the message
	Reset   bool      // the user asked to forget everything: the router clears the session
	Orphans []Lost    // lost calls that the state does not have; the router tells of them
	Unfit   []string  // params whose type or rules refuse what a tool gave for them; the router tells of them

	lapsed  bool              // the open question has become void: a yes or no to it comes too late
	settled bool              // a call that a crash left open was concluded: a yes or no to it is used up
	begun   map[string]int    // how many tasks of an intent the message has begun
	queued  []*Frame          // what the message has queued
	notes   map[string]note   // by param
	wrong   map[string]string // by param: what is wrong with the value just given
}

// Opening is what a turn begins with.
type Opening struct {
	Number  int64
	Message string
	Mark    string // names the message as [Lost.Message] and [Spent.Message] do; "" where there is neither
	Now     time.Time
	Since   time.Time // when the session was last changed; zero: it is new
	Lost    []Lost    // calls that earlier turns did not live to conclude, in the order in which they were made
	Reads   Reads     // judges the values of types with patterns; nil leaves those as they are
	Given   *Given    // a state set from outside, before a turn of a replay
	Alone   bool      // nothing is kept of the turn: no later one can answer to it
}

// Begin opens a turn on what is stored of a session: the state is fitted to the definition that
// runs now, lost calls get their outcome, the time that has passed takes its effect, and what is
// given from outside is set. It fails only on what is given.
func Begin(def *config.Agent, st *State, o Opening) (*Turn, error) {
	t := &Turn{State: st, Number: o.Number, Message: o.Message, Mark: o.Mark, Now: o.Now, Alone: o.Alone}
	t.reconcile(def, o.Reads)
	for _, call := range o.Lost {
		t.spend(call)
		if !t.conclude(def, call) {
			t.Orphans = append(t.Orphans, call)
		}
	}
	t.lapse(def, o.Since)
	if o.Given == nil {
		return t, nil
	}
	return t, t.give(def, *o.Given)
}

// note is why the next prompt for a param is not its plain one.
type note string

const (
	noteUnread  note = "unread"
	noteInvalid note = "invalid"
	noteHelp    note = "help"
)

func (t *Turn) note(param string, n note) {
	if t.notes == nil {
		t.notes = map[string]note{}
	}
	t.notes[param] = n
}
