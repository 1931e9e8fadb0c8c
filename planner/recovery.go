package planner

import (
	"maps"
	"slices"

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

// recoverCall records the outcome of an interrupted call, and closes the confirmation that led to it:
// its yes is used up. It performs what is left of the task without a question or a call before the
// message of this turn is read, because the message may change the values that the plan reports.
//
// It returns false if the state would not make this call: the crashed turn knew more than the state,
// or another turn has changed the state since. It then records nothing, because the plan would
// report the outcome as that of another call. The router reports it ([Turn.InterruptedReply]),
// unless the message leads to the same call again.
func (st *Turn) recoverCall(call InterruptedCall) bool {
	st.recovered = true
	if st.Active == nil || st.Active.ID != call.Frame {
		return st.recoverSuspended(call)
	}
	if !st.hasMade(st.Active, call) {
		return false
	}
	st.Open = nil
	var task []string // the frame and its callers, to which it returns
	st.Active.eachCaller(func(f *frame) { task = append(task, f.ID) })
	s := findStep(st.intent(st.def).Plan, call.Step)
	st.called(ToolCall{position: position{ID: s.ID, Ends: s.End}, Effect: config.EffectWrite, Tool: s.Tool, Args: call.Args, Save: s.Save}, call.Outcome)
	st.runOut(task)
	return true
}

// InterruptedReply words the outcome of one of [Turn.Unmatched].
func (st *Turn) InterruptedReply(out Outcome) Respond {
	return say(st, outcomeResponse(out), st.env(st.intent(st.def)))
}

// QuietReply is for a turn whose plan says nothing, so that no reply is empty.
func (st *Turn) QuietReply() Respond {
	wrote := func(f FinishedTask) bool { return f.Wrote() }
	if st.Outcomes != nil && slices.ContainsFunc(st.Outcomes.Finished, wrote) {
		return say(st, "outcome_done", st.saying(nil))
	}
	return say(st, "noted", st.saying(nil))
}

// DamagedReply says that the session's stored state cannot be read.
func (st *Turn) DamagedReply() Respond {
	return say(st, "damaged", st.env(st.intent(st.def)))
}

// NotKeptReply answers a repeated message whose first reply was not stored.
func NotKeptReply(def *config.Agent) Respond {
	return say(&Turn{State: New(), def: def}, "not_kept", nil)
}

// HeldReply tells a client that must show something that a person has the conversation. It is no reply of
// the agent, which is silent then.
func HeldReply(def *config.Agent) Respond {
	return say(&Turn{State: New(), def: def}, "held", nil)
}

// outcomeResponse returns the response that reports the outcome of an interrupted call.
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

// hasMade reports whether the task in its current state would make this call.
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
	return callHash(s, resolve(s.With, as.env(in, st.clock()))) == callHash(s, call.Args)
}

// runOut performs what is left of some frames without a question or a call.
func (st *Turn) runOut(frames []string) {
	for st.Active != nil && slices.Contains(frames, st.Active.ID) {
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

// recoverSuspended records the outcome with a suspended task, which the crashed turn had resumed:
// the call must not be made again under its old key. A task with an unknown outcome does not go on.
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
