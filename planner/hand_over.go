package planner

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/slotway/slotway/config"
)

// HandOver says that a person has the conversation, or that it waits for one.
type HandOver struct {
	Taken bool      `json:"taken,omitempty"` // true: a person has it and the agent is silent; false: it waits for a person
	By    string    `json:"by,omitempty"`    // name of the person; "": the person gave no name
	Since time.Time `json:"since"`
	Turn  int64     `json:"turn"` // the turn that took it, or asked for a person

	// Silence is the time since the session's last change when the person took it. After the give-back
	// the agent counts on from there.
	Silence time.Duration `json:"silence,omitempty"`
}

// Held returns the person who has the conversation; nil: no person has it, and the agent answers.
func (st *State) Held() *HandOver {
	if st.Person == nil || !st.Person.Taken {
		return nil
	}
	return st.Person
}

// Hold begins a turn in which the agent neither reads nor says anything: a person has the
// conversation, or takes it now. Params, task and open question stay as they are, and nothing expires.
func Hold(def *config.Agent, st *State, o TurnInput) *Turn {
	st.Outcomes = nil
	return &Turn{State: st, def: def, Number: o.Number, Message: o.Message, Now: o.Now}
}

// Take gives the conversation to a person. last is the time of the session's last change.
func (st *Turn) Take(by string, last time.Time) {
	st.Person = &HandOver{Taken: true, By: by, Since: st.Now, Turn: st.Number}
	if !last.IsZero() {
		st.Person.Silence = max(0, st.Now.Sub(last))
	}
}

// want notes that the turn asks for a person.
func (st *Turn) want() {
	if st.Held() == nil {
		st.Person = &HandOver{Since: st.Now, Turn: st.Number}
	}
}

// giveBack ends the hand-over before a turn begins. The time and the turns with the person do not count:
// values that expire with time or with turns have the age that they had at the take. It returns the time
// that now counts as the session's last change.
func (st *State) giveBack(now time.Time, turn int64) (last time.Time) {
	p := st.Person
	st.Person = nil
	pause, turns := max(0, now.Sub(p.Since)), turn-p.Turn+1
	for q := st.Open; q != nil; q = q.Behind {
		q.Since = q.Since.Add(pause)
	}
	for _, c := range st.Session {
		c.Turn, c.At = c.Turn+turns, c.At.Add(pause)
	}
	if e := st.Ended; e != nil {
		e.Turn, e.At = e.Turn+turns, e.At.Add(pause)
	}
	return now.Add(-p.Silence)
}

// goOn lets the agent continue where it stopped. Confirmations are void, because the conversation may have
// turned to something else. The agent repeats the open question: the plan reaches its own questions by
// itself, and the agenda gets any other.
func (st *Turn) goOn() {
	st.revokeConfirmations(false)
	st.unseen = true
	q := st.Open
	switch {
	case st.Active == nil && q == nil:
		return
	case q == nil || st.planned() || q.Kind == askHandoff && st.Active != nil:
		st.Open = nil // the plan comes to it again
		if in := st.Active.task(st.def); in != nil && !st.questionExpired {
			st.later("resume", map[string]any{"intent": title(in)})
		}
	default:
		st.Open = nil
		st.Agenda = append(st.Agenda, st.ask(q))
	}
}

// ask returns the step that repeats a question that does not come from the plan.
func (st *Turn) ask(q *openQuestion) Step {
	place, options := position{agenda: true}, map[string]any{"options": labels(q.Options)}
	offer := func(response string, env map[string]any) Step {
		return Offer{position: place, Prompt: render(st, response, env), Options: q.Options, kind: q.Kind, correct: q.Correct}
	}
	switch q.Kind {
	case askResumeOne:
		return offer("resume_offer", options)
	case askHandoff:
		return offer("handoff_offer", nil)
	case askChange:
		return offer("denied", st.env(st.intent(st.def)))
	case askCorrect:
		name, value := q.Correct, q.Options[0].Label
		if p := st.paramNamed(q.Correct); p != nil {
			name, value = p.Label, st.def.Show(p, q.Options[0].Value)
		}
		return offer("correct_confirm", map[string]any{"name": name, "value": value})
	}
	response := "choose"
	if q.Kind == askIntent {
		response = clarifyResponse(q.Options)
	}
	return Choose{
		position: place, Param: q.Param, Prompt: render(st, response, options), Options: q.Options, kind: q.Kind,
		behind: q.Behind, brought: q.Brought, said: q.Said,
	}
}

// paramNamed returns a param of the current task, or of the agent.
func (st *Turn) paramNamed(name string) *config.Param {
	if in := st.intent(st.def); in != nil && in.Param(name) != nil {
		return in.Param(name)
	}
	return st.def.Params[name]
}

// planned reports whether the plan would ask the open question again.
func (st *State) planned() bool {
	q := st.Open
	return q != nil && st.Active != nil && (q.Kind == askParam || q.Kind == askChoice && q.Step != "" || q.Kind == askConfirm)
}

// KeepHandOver returns the plan with the hand-over of the plan from. Clearing or undoing a conversation
// must not change who has it. from may be nil: then no person has it.
func KeepHandOver(plan, from json.RawMessage) (json.RawMessage, error) {
	var person *HandOver
	if len(from) > 0 {
		st, err := Load(from, nil)
		if err != nil {
			return nil, err
		}
		person = st.Person
	}
	s := stored{V: formVersion}
	if len(plan) > 0 {
		if err := json.Unmarshal(plan, &s); err != nil || s.V != formVersion {
			return nil, fmt.Errorf("%w: not readable", ErrForm)
		}
	}
	if s.Person == person || s.Person != nil && person != nil && *s.Person == *person {
		return plan, nil
	}
	s.Person = person
	out, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("save plan: %w", err)
	}
	return out, nil
}
