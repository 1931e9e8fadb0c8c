package planner

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/slotway/slotway/config"
)

// MaxText is the longest message that is read, in code points.
const MaxText = 4000

// Read takes a message into the state (RULES.md, 2-5, 12-21) and returns how it was taken,
// its intent above all: the classifier's where that was sure, else the task that
// the message belongs to. State.Turn and State.Now must be those of the message.
func Read(def *config.Agent, st *State, h Heard) Account {
	r := &reading{def: def, st: st, h: h}
	if st.Active != nil {
		r.in = def.Intent(st.Active.Intent)
	}
	r.asked = r.askedParam()
	under := st.Active
	list := rules
	if h.Given {
		list = givenRules
	}
	for _, rule := range list {
		if rule.read(r) {
			break
		}
	}
	r.unreadable()
	st.settleAgenda(def)
	r.neverSilent()
	switch {
	case r.picked && st.Active != nil:
		return Account{Intent: st.Active.Intent}
	case r.confident():
		return Account{Intent: r.h.Intent}
	case under != nil:
		return Account{Intent: under.Intent}
	case st.Active != nil:
		return Account{Intent: st.Active.Intent}
	}
	return Account{}
}

// neverSilent sees to it that every message is answered: where all was taken in and a
// question is still open, it is put again; a task that waits for "try again" says so.
func (r *reading) neverSilent() {
	q := r.st.Open
	switch {
	case len(r.st.Agenda) > 0:
	case q == nil && r.st.Active == nil && r.st.settled && r.spoke: // the router tells of the lost call
	case q == nil && r.st.Active == nil:
		r.fallback()
	case q == nil && r.st.Active.Failed != "":
		r.say("tool_failed", nil)
	case q == nil: // the plan goes on
	case r.planned() || q.Kind == AskHandoff && r.st.Active != nil:
		r.st.Open = nil // the plan comes to it again
	default:
		r.fallback()
	}
}

// settleAgenda drops questions about a task that the same message ended or put aside:
// their answers would belong to nothing.
func (st *State) settleAgenda(def *config.Agent) {
	in := activeIntent(def, st)
	st.Agenda = slices.DeleteFunc(st.Agenda, func(s Step) bool {
		switch s := s.(type) {
		case Choose:
			return s.Param != "" && (in == nil || in.Param(s.Param) == nil)
		case Offer:
			return in == nil && (s.kind == AskChange || s.kind == AskCorrect)
		}
		return false
	})
}

// reading is one message on its way through the rules.
type reading struct {
	def    *config.Agent
	st     *State
	h      Heard
	in     *config.Intent // of the active frame, or nil
	asked  *config.Param  // that the open question is about, or nil
	begun  bool           // the message began the task under way: its values correct nothing
	fixes  bool           // its values only correct the task under way
	picked bool           // one of the offered intents was chosen
	filled bool           // some value was taken
	spoke  bool           // something was answered: the message was not in vain
	told   []string       // params of which it was said that they cannot be changed any more
}

// rule is one way to deal with a message, or with a part of it.
type rule struct {
	name string
	read func(*reading) bool
}

// rules are tried in order until one has dealt with the message. Those that take only
// part of it return false and leave the rest to the ones behind.
var rules = []rule{
	{"empty or over-long text has its own answer", (*reading).length},
	{"a cancel with a value is a task", (*reading).cancelOther},
	{"a value that is taken back", (*reading).takenBack},
	{"a system intent by itself", (*reading).system},
	{"a param named without a value", (*reading).named},
	{"a system phrase at the head of more", (*reading).lead},
	{"an answer to a question of the dialogue", (*reading).answer},
	{"several tasks in one message", (*reading).several},
	{"values for the task under way", (*reading).values},
	{"another intent, at threshold and margin", (*reading).intent},
	{"free text for the param being asked for", (*reading).text},
	{"a bare value after a look-up", (*reading).followUp},
	{"what was taken or answered is enough", (*reading).enough},
	{"two intents too close to tell", (*reading).clarify},
	{"not understood", (*reading).unread},
}

func (r *reading) askedParam() *config.Param {
	q := r.st.Open
	if q == nil || q.Param == "" || r.in == nil {
		return nil
	}
	return r.in.Param(q.Param)
}

// enough ends the reading where something was taken or answered. A question that this did
// not close is asked again: no message stays without a reply.
func (r *reading) enough() bool {
	if !r.spoke && !(r.filled && r.st.Active != nil) {
		return false
	}
	r.again()
	return true
}

// length answers empty and over-long messages (rule 24); the question stays open.
func (r *reading) length() bool {
	id := ""
	switch {
	case strings.TrimSpace(r.h.Text) == "":
		id = "empty"
	case utf8.RuneCountInString(r.h.Text) > MaxText:
		id = "too_long"
	default:
		return false
	}
	r.say(id, nil)
	r.again()
	return true
}

func (r *reading) say(id string, extra map[string]any) {
	r.st.later(r.def, id, extra)
	r.spoke = true
}

// again closes the open question so that Next words it anew. Questions that are not the
// plan's own cannot be found again, so they stay open.
func (r *reading) again() {
	if r.planned() {
		r.st.Open = nil
	}
}

// planned says whether the open question is one that the plan would ask again.
func (r *reading) planned() bool {
	q := r.st.Open
	return q != nil && r.st.Active != nil && (q.Kind == AskParam || q.Kind == AskChoice && q.Step != "" || q.Kind == AskConfirm)
}

// unread is the end of the rules: nothing was understood (rules 5, 19).
func (r *reading) unread() bool {
	q := r.st.Open
	if r.planned() {
		switch {
		case q.Kind == AskParam:
			r.st.Active.attempt(q.Param)
			r.st.note(q.Param, noteUnread)
		default:
			r.st.Active.attempt(q.Step)
		}
		r.st.Open = nil
		return true
	}
	if q != nil && q.Kind == AskChoice && r.asked != nil {
		r.chooseAgain(q)
		return true
	}
	if q != nil && q.Kind == AskIntent {
		if options := r.eitherOf(); len(options) > 0 && !sameOptions(options, q.Options) {
			r.take(nil)
			r.clarifyAgain(options, clarifyResponse(options)) // it was about something else
			return true
		}
		r.clarifyAgain(q.Options, "invalid_choice")
		return true
	}
	r.fallback()
	return true
}

// chooseAgain offers the values of a choice that stands in no plan once more, until the
// param's limit; then the plan asks for the param, or gives up.
func (r *reading) chooseAgain(q *Question) {
	f := r.st.Active
	f.attempt(q.Param)
	r.st.Open = nil
	if f.Attempts[q.Param] > r.asked.Policy.MaxRetries {
		return
	}
	prompt := render(r.def, r.st, "invalid_choice", map[string]any{"options": labels(q.Options)})
	r.st.Agenda = append(r.st.Agenda, Choose{
		Place: Place{agenda: true}, Param: q.Param, Prompt: prompt,
		Options: q.Options, Attempt: f.Attempts[q.Param], kind: AskChoice,
	})
}

// fallback answers what nothing matched. An open question of the dialogue lapses.
func (r *reading) fallback() {
	r.st.Open = nil
	if in := r.def.Intent(r.def.Classifier.Fallback); in != nil {
		alone := r.st.Active == nil
		if !alone {
			r.st.suspend(r.def)
		}
		r.st.begin(in, r.def)
		r.st.Active.Answer, r.st.Active.Alone = true, alone
		return
	}
	r.say("fallback", nil)
}
