package planner

import (
	"maps"

	"github.com/slotway/slotway/config"
)

// InterruptedCall is a write call that an earlier turn started and whose outcome it never recorded.
type InterruptedCall struct {
	Key           string         // names the call to the router
	MessageDigest string         // names the message that led to it, as [TurnInput.MessageDigest] does; "": not known
	Frame, Step   string         // of the plan that made it
	Args          map[string]any // JSON-normal, as it was made
	Outcome       Outcome        // what is known of it by now
}

// conclude records the outcome of a lost call, and closes the confirmation that it came from:
// that yes is used up. What is left of its task without asking or calling anything is said
// before the message of this turn is read, for it may change what there is to speak of.
//
// It reports whether the state has that call. If not, the lost turn had learned more than the
// state knows, or another has changed the state since: nothing is recorded then, for whatever
// the plan said next would be said of another call. The router reports it ([Turn.InterruptedReply]), unless
// the message leads to the same call again.
func (st *Turn) recoverCall(call InterruptedCall) bool {
	st.recovered = true
	if st.Active == nil || st.Active.ID != call.Frame {
		return st.recoverSuspended(call)
	}
	if !st.hasMade(st.Active, call) {
		return false
	}
	st.Open = nil
	s := findStep(st.intent(st.def).Plan, call.Step)
	st.called(ToolCall{position: position{ID: s.ID, Ends: s.End}, Effect: config.EffectWrite, Tool: s.Tool, Args: call.Args, Save: s.Save}, call.Outcome)
	st.runOut(call.Frame)
	return true
}

// InterruptedReply words the outcome of one of [Turn.Unmatched].
func (st *Turn) InterruptedReply(out Outcome) Respond {
	return say(st, outcomeResponse(out), st.env(st.intent(st.def)))
}

// DamagedReply says that the session's stored state cannot be read.
func (st *Turn) DamagedReply() Respond {
	return say(st, "damaged", st.env(st.intent(st.def)))
}

// NotKeptReply answers a repeated message whose first reply was not stored.
func NotKeptReply(def *config.Agent) Respond {
	return say(&Turn{State: New(), def: def}, "not_kept", nil)
}

// fateOf is the response that says what became of a lost call.
func outcomeResponse(out Outcome) string {
	switch {
	case out.Uncertain:
		return "tool_unknown"
	case out.Code != "":
		return "tool_failed"
	default:
		return "already_done"
	}
}

// hasMade says whether the task would make this call as it stands.
func (st *Turn) hasMade(f *frame, call InterruptedCall) bool {
	in := st.def.Intent(f.Intent)
	if in == nil {
		return false
	}
	s := findStep(in.Plan, call.Step)
	if s == nil {
		return false
	}
	as := *st.State
	as.Active, as.Session = f, maps.Clone(st.Session)
	maps.Copy(as.Session, f.Kept)
	return callHash(s, resolve(s.With, as.env(in))) == callHash(s, call.Args)
}

// runOut performs what is left of a task and needs nobody.
func (st *Turn) runOut(frame string) {
	for st.Active != nil && st.Active.ID == frame {
		agenda := st.Agenda
		st.Agenda = nil
		step := st.next()
		st.Agenda = agenda
		switch s := step.(type) {
		case Respond:
			words := s
			words.position, words.counts = position{agenda: true}, false
			st.Agenda = append(st.Agenda, words)
		case Set:
		case End:
			if !s.Ends {
				return
			}
		default:
			return
		}
		st.performed(step)
	}
}

// settleSuspended records the outcome with a suspended task, which the lost turn had resumed:
// the call must not be made again under its old key. A task of which nobody knows how it
// went does not go on.
func (st *Turn) recoverSuspended(call InterruptedCall) bool {
	out := call.Outcome
	for i, f := range st.Suspended {
		if f.ID != call.Frame {
			continue
		}
		if !st.hasMade(f, call) {
			return false
		}
		switch {
		case out.Uncertain:
			st.Suspended = append(st.Suspended[:i:i], st.Suspended[i+1:]...)
		case out.Code != "":
			f.tried(findStep(st.def.Intent(f.Intent).Plan, call.Step), call.Args)
		default:
			if f.Done == nil {
				f.Done = map[string]mark{}
			}
			f.Done[call.Step] = markWrote
			f.save("result", out.Value)
		}
		words := st.InterruptedReply(out)
		words.agenda = true
		st.Agenda = append(st.Agenda, words)
		return true
	}
	return false
}
