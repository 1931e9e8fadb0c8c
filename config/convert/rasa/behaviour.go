package rasa

import (
	"fmt"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/convert"
)

// behaviour is what rules and stories show the bot to do. Nothing of it is judged yet.
type behaviour struct {
	starts  map[string][]*script // by intent, outside of forms
	answers map[string][]*script // by the action before a yes or no
	endings map[string][]*script // by form: what rules say that follows it
	inside  []*script            // messages that interrupt a form
	all     []*script
}

// script is what the bot does after a message, up to the next one that a user says on his own account: the
// answers to a form's questions are within it.
type script struct {
	from    *story
	at      convert.Place
	intents []string // of the message; none for the end of a form
	yes, no bool     // it answers what the bot said before
	before  string   // the last action before the message
	form    string   // that was active at the message, or that has ended
	items   []item
	written bool // a plan has it
}

// item is a step of a script.
type item struct {
	kind  stepKind // actionStep, loopStep for a form, slotStep for a condition, otherStep
	name  string
	is    slotIs
	guard bool // the condition of a rule, which must hold
}

// steering are actions of Rasa that have no counterpart, because the runtime does their work.
var steering = []string{
	"action_listen", "action_deactivate_loop", "action_deactivate_form", "action_extract_slots", "action_session_start",
	"action_unlikely_intent", "action_default_ask_affirmation", "action_default_ask_rephrase", "action_restart",
	"action_two_stage_fallback", "action_revert_fallback_events", "...",
}

// learn reads what the bot does.
func (r *reader) learn() {
	r.says = &behaviour{starts: map[string][]*script{}, answers: map[string][]*script{}, endings: map[string][]*script{}}
	for _, rules := range []bool{true, false} { // a rule wins over a story, and over one for the start
		for _, s := range r.stories {
			if rules == (s.rule && !s.start) {
				(&listener{r: r, story: s}).listen()
			}
		}
	}
}

// listener is at a place of a story.
type listener struct {
	r       *reader
	story   *story
	current *script
	owner   *script // that began the form
	form    string  // that is active
	before  string  // the last action
	given   []item  // what held before the next message
	leaving bool    // the form is being given up
}

func (l *listener) listen() {
	for _, c := range l.story.conditions {
		switch c.kind {
		case loopStep:
			l.form = c.name
		case slotStep:
			l.given = append(l.given, l.conditions(c.slots, true)...)
		}
	}
	for i := range l.story.steps {
		st := &l.story.steps[i]
		form := (st.kind == loopStep || st.kind == actionStep) && (st.name != "" && l.r.domain.form(st.name) != nil)
		switch {
		case st.kind == userStep:
			l.message(st)
		case form:
			l.begin(st)
		case st.kind == loopStep && st.name == "":
			l.end(st)
		case st.kind == slotStep:
			l.slots(st)
		case st.kind == actionStep && slices.Contains(steering, st.name):
			l.leaving = l.leaving || strings.HasPrefix(st.name, "action_deactivate")
		case st.kind == actionStep:
			l.add(st, item{kind: actionStep, name: st.name})
			l.before = st.name
		default:
			l.add(st, item{kind: otherStep, name: st.name})
		}
	}
}

// script begins a script. What held before is its first condition.
func (l *listener) script(at convert.Place) *script {
	s := &script{from: l.story, at: at, items: l.given, form: l.form, before: l.before}
	l.given = nil
	l.current = s
	l.r.says.all = append(l.r.says.all, s)
	return s
}

// add adds an item. What the bot does at the start, before any message, has a script of its own.
func (l *listener) add(st *step, it item) {
	if l.current == nil {
		l.script(st.at)
	}
	l.current.items = append(l.current.items, it)
}

func (l *listener) message(st *step) {
	if l.story.rule { // its conditions hold for each of its messages
		l.given = nil
		for _, c := range l.story.conditions {
			l.given = append(l.given, l.conditions(c.slots, true)...)
		}
	}
	s := l.script(st.at)
	s.intents = st.intents
	s.items = append(slices.Clone(s.items), l.conditions(st.entities, false)...)
	says := l.r.says
	for _, intent := range st.intents {
		control := l.r.yesNo[intent]
		switch answer := control == "affirm" || control == "deny"; {
		case l.form != "":
			says.inside = append(says.inside, s)
			return
		case answer && l.before != "":
			s.yes, s.no = s.yes || control == "affirm", s.no || control == "deny"
			says.answers[l.before] = append(says.answers[l.before], s)
			return
		default:
			says.starts[intent] = append(says.starts[intent], s)
		}
	}
}

func (l *listener) begin(st *step) {
	if st.name == l.form {
		return // it goes on
	}
	l.add(st, item{kind: loopStep, name: st.name})
	l.form, l.owner, l.leaving = st.name, l.current, false
}

func (l *listener) end(st *step) {
	form := l.form
	l.form = ""
	if form == "" {
		return
	}
	if l.leaving {
		l.leaving = false
		l.add(st, item{kind: otherStep, name: "the form " + form + " is given up"})
		return
	}
	if l.owner != nil {
		l.current = l.owner
		return
	}
	l.form = form
	s := l.script(st.at)
	l.form = ""
	l.r.says.endings[form] = append(l.r.says.endings[form], s)
}

func (l *listener) slots(st *step) {
	switch {
	case l.form != "" && l.current != nil: // an answer of the form
	case l.current == nil:
		l.given = append(l.given, l.conditions(st.slots, false)...)
	default:
		l.current.items = append(l.current.items, l.conditions(st.slots, false)...)
	}
}

// conditions returns the items of slots that have values. Of a slot that is neither a category nor a yes or
// no, Rasa sees only whether it has one.
func (l *listener) conditions(list []slotIs, guard bool) (out []item) {
	for _, is := range list {
		s := l.r.domain.slot(is.slot)
		if is.slot == "requested_slot" && is.value == nil {
			continue // the form asks for nothing more
		}
		if is.slot == "requested_slot" {
			out = append(out, item{kind: otherStep, name: "while the form asks for " + fmt.Sprint(is.value)})
			continue
		}
		yes, isBool := convert.Truth(is.value)
		switch {
		case s != nil && isBool && (s.kind == "bool" || l.r.yesOrNo(s)):
			is.value = yes
		case is.value != nil && (s == nil || s.kind != "categorical"):
			is.value, is.any = nil, true
		}
		out = append(out, item{kind: slotStep, is: is, guard: guard})
	}
	return out
}

// says describes an item.
func (it item) String() string {
	switch {
	case it.kind != slotStep:
		return it.name
	case it.is.any:
		return "if " + it.is.slot
	case it.is.value == nil:
		return "if no " + it.is.slot
	}
	return fmt.Sprintf("if %s is %v", it.is.slot, it.is.value)
}

// String says what leads to what.
func (s *script) String() string {
	var does []string
	for _, it := range s.items {
		does = append(does, it.String())
	}
	what := strings.Join(does, ", ")
	if what == "" {
		what = "nothing"
	}
	switch {
	case len(s.intents) == 0 && s.form != "":
		return "the form " + s.form + " ends with " + what
	case len(s.intents) == 0:
		return "the bot begins with " + what
	case s.form != "":
		return strings.Join(s.intents, " or ") + " in the form " + s.form + " leads to " + what
	case s.yes || s.no:
		return strings.Join(s.intents, " or ") + " after " + s.before + " leads to " + what
	}
	return strings.Join(s.intents, " or ") + " leads to " + what
}
