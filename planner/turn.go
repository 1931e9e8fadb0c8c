package planner

import (
	"time"

	"github.com/slotway/slotway/config"
)

// Turn is a session's state while one message is answered, with what belongs to that message
// alone. Only the state in it is stored, by [Turn.Save].
type Turn struct {
	*State
	Number         int64             // of the turn in its session, from 1
	Message        string            // id of the message; "": the turn's number names what it begins
	MessageDigest  string            // see TurnInput
	Now            time.Time         // the turn's clock
	Stateless      bool              // no later turn can answer to this one
	Agenda         []Step            // to be performed before the plan goes on
	IdleExpired    bool              // the session lay idle too long: the router clears it before the message
	Reset          bool              // the user asked to forget everything: the router clears the session
	Unmatched      []InterruptedCall // lost calls that the state does not have; the router tells of them
	RejectedParams []string          // params whose type or rules refuse what a tool gave for them; the router tells of them

	def             *config.Agent
	step            Step              // that Next returned last
	questionExpired bool              // the open question has become void: a yes or no to it comes too late
	recovered       bool              // a call that a crash left open was concluded: a yes or no to it is used up
	begun           map[string]int    // how many tasks of an intent the message has begun
	queued          []*frame          // what the message has queued
	notes           map[string]note   // by param
	wrong           map[string]string // by param: what is wrong with the value just given
}

// TurnInput is what the router knows when a turn begins.
type TurnInput struct {
	Number        int64
	Message       string
	MessageDigest string // names the message as [InterruptedCall] and [HandledMessage] do; "": there are none
	Now           time.Time
	Since         time.Time                     // when the session was last changed; zero: it is new
	Interrupted   []InterruptedCall             // calls that earlier turns did not live to conclude, in the order in which they were made
	CanRead       func(param, text string) bool // judges the values of types with patterns; nil leaves those as they are
	Preset        *Preset                       // a state set from outside, before a turn of a replay
	Stateless     bool                          // nothing is kept of the turn: no later one can answer to it
}

// Begin opens a turn on what is stored of a session: the state is fitted to the definition that
// runs now, lost calls get their outcome, the time that has passed takes its effect, and what is
// given from outside is set. It fails only on what is given.
func Begin(def *config.Agent, st *State, o TurnInput) (*Turn, error) {
	t := &Turn{State: st, def: def, Number: o.Number, Message: o.Message, MessageDigest: o.MessageDigest, Now: o.Now, Stateless: o.Stateless}
	t.reconcile(o.CanRead)
	for _, call := range o.Interrupted {
		t.markHandled(call)
		if !t.recoverCall(call) {
			t.Unmatched = append(t.Unmatched, call)
		}
	}
	t.expire(o.Since)
	if o.Preset == nil {
		return t, nil
	}
	return t, t.applyPreset(*o.Preset)
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
