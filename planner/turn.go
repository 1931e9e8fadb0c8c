package planner

import (
	"time"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/expr"
)

// Turn is a session's state during one turn. [Turn.Save] stores the state; everything else ends
// with the turn.
type Turn struct {
	*State
	Number         int64             // of the turn in its session, from 1
	Message        string            // id of the message; "": frames are named by the turn's number
	MessageDigest  string            // see TurnInput
	Now            time.Time         // the turn's clock
	Stateless      bool              // no later turn can answer this one
	Agenda         []Step            // steps to perform before the plan goes on
	IdleExpired    bool              // the session was idle too long; the router rests it before the message
	Reset          bool              // the user asked to forget everything; the router clears the session
	Unmatched      []InterruptedCall // interrupted calls that the state does not explain; the router reports them
	JustEnded      []string          // intents whose plans the turn before ended, as long as an answer to it counts
	RejectedParams []string          // params that refused the value of a tool; the router reports them

	def             *config.Agent
	passed          func(Passage)     // see TurnInput; nil: no one asks
	step            Step              // that Next returned last
	questionExpired bool              // the open question is void: a yes or no to it comes too late
	seen            bool              // see TurnInput.Seen
	unseen          bool              // nobody who could say yes has seen what this turn asks
	recovered       bool              // an interrupted call was recovered: a yes or no to it is used up
	begun           map[string]int    // how many tasks of an intent the message has begun
	queued          []*frame          // what the message has queued
	notes           map[string]note   // by param
	wrong           map[string]string // by param: what is wrong with the new value
	clockValues     map[string]any    // see clock
}

// TurnInput holds what the router knows when a turn begins.
type TurnInput struct {
	Number        int64
	Message       string
	MessageDigest string // names the message as [InterruptedCall] and [HandledMessage] do; "": there are none
	Now           time.Time
	Since         time.Time                     // when the session was last changed; zero: it is new
	Interrupted   []InterruptedCall             // calls that earlier turns did not finish, in the order in which they were made
	CanRead       func(param, text string) bool // decides about values of types with patterns; nil keeps them
	Preset        *Preset                       // for replays
	Passed        func(Passage)                 // takes what the turn passes of the definition, for coverage; may be nil
	Stateless     bool                          // nothing of the turn is stored, so no later turn can answer it
	Seen          bool                          // the sender says to have seen the reply of the newest turn
	GivenBack     bool                          // no message: the person who had the conversation gives it back
}

// Begin begins a turn: it adapts the stored state to the current definition, records the outcomes
// of interrupted calls, drops what has expired, and applies a preset. Only a wrong preset is an
// error.
func Begin(def *config.Agent, st *State, o TurnInput) (*Turn, error) {
	t := &Turn{State: st, def: def, Number: o.Number, Message: o.Message, MessageDigest: o.MessageDigest, Now: o.Now, Stateless: o.Stateless, passed: o.Passed, seen: o.Seen}
	t.followOn(o.Since)
	if o.GivenBack {
		o.Since = t.giveBack(o.Now, o.Number)
	}
	t.reconcile(o.CanRead)
	for _, call := range o.Interrupted {
		t.markHandled(call)
		if !t.recoverCall(call) {
			t.Unmatched = append(t.Unmatched, call)
		}
	}
	t.expire(o.Since)
	if o.GivenBack {
		t.goOn()
	}
	if o.Preset == nil {
		return t, nil
	}
	return t, t.applyPreset(*o.Preset)
}

// followOn notes what the turn before ended, for the intents that may only follow it.
func (st *Turn) followOn(since time.Time) {
	outcomes := st.Outcomes
	st.Outcomes = nil
	if ttl := st.def.Session.WaitingTTL; outcomes == nil || ttl > 0 && st.Now.Sub(since) > ttl {
		return
	}
	for i := range outcomes.Finished {
		if f := &outcomes.Finished[i]; f.Succeeded() {
			st.JustEnded = append(st.JustEnded, f.Intent)
		}
	}
}

// note is the reason why the next prompt for a param is not its plain one.
type note string

const (
	noteUnread  note = "unread"
	noteInvalid note = "invalid"
)

func (t *Turn) note(param string, n note) {
	if t.notes == nil {
		t.notes = map[string]note{}
	}
	t.notes[param] = n
}

// env is State.env with the turn's clock.
func (st *Turn) env(in *config.Intent) map[string]any { return st.State.env(in, st.clock()) }

// clock returns the values of the turn's clock that the definition reads; nil if it reads none.
func (st *Turn) clock() map[string]any {
	if len(st.def.Clock) > 0 && st.clockValues == nil {
		st.clockValues = expr.Clock(st.def.Clock, st.Now)
	}
	return st.clockValues
}
