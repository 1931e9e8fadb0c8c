package planner

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/slotway/slotway/config"
)

// HandOver says that a conversation is with people, or is to be.
type HandOver struct {
	Taken bool      `json:"taken,omitempty"` // a person has it and the agent is silent; otherwise a person is wanted
	By    string    `json:"by,omitempty"`    // who has it; "": a person who gave no name
	Since time.Time `json:"since"`
	Turn  int64     `json:"turn"` // that took it, or asked for a person

	// Silence is how long the session had been silent when the person took it. The agent counts on
	// from there when it goes on.
	Silence time.Duration `json:"silence,omitempty"`
}

// Held returns the person who has the conversation; nil: nobody has, and the agent answers.
func (st *State) Held() *HandOver {
	if st.Person == nil || !st.Person.Taken {
		return nil
	}
	return st.Person
}

// Hold begins a turn in which the agent neither reads nor says anything: a person has the
// conversation, or takes it now. It changes nothing that the state knows, and nothing expires.
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

// want notes that the turn has asked for a person.
func (st *Turn) want() {
	if st.Held() == nil {
		st.Person = &HandOver{Since: st.Now, Turn: st.Number}
	}
}

// giveBack ends the hand-over before a turn begins. The time with the person was no silence of the
// user, and its turns were not spoken to the agent: what expires with time or with turns stands as it
// did when the person took over. It returns the time that counts as that of the last change.
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

// goOn has the agent go on where it was. What was confirmed is void, since the conversation went
// elsewhere meanwhile. The open question is put again: the plan comes to its own questions by itself,
// and any other is put on the agenda.
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

// ask returns the step that puts a question of the dialogue itself again.
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

// paramNamed returns a param of the task under way, or of the agent.
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

// KeepHandOver returns the plan with the hand-over of another one. Whoever clears or undoes a
// conversation does not decide who has it. from may be nil: then nobody has.
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
