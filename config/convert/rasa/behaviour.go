package rasa

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/convert"
)

// script is what the bot does after a message, up to the next one that a user says on his own account: the
// answers to a form's questions are within it.
type script struct {
	from     *story
	at       convert.Place
	intents  []string // of the message; none for the start of a conversation and for the end of a form
	yes, no  bool     // it answers what the bot said before
	follows  bool     // a rule says so: the message is heard only behind the action before it
	before   string   // the last action before the message
	form     string   // that was active at the message, or that has ended
	ends     bool     // it is what follows the form
	items    []item
	entered  int     // how many plans come to it
	left     int     // how many have all of it
	as       *script // a rule with a guard that does the same
	done     bool    // the agent does the same without a plan
	restarts bool    // the conversation begins anew
}

// after returns what the bot does after an intent, outside of forms.
func (r *reader) after(intent string) []*script {
	return r.scriptsOf(func(s *script) bool {
		return s.form == "" && !s.yes && !s.no && !s.follows && slices.Contains(s.intents, intent)
	})
}

// within returns what the bot does, or where it does nothing, after an intent in a form.
func (r *reader) within(intent string, nothing bool) []*script {
	return r.scriptsOf(func(s *script) bool {
		return s.form != "" && slices.Contains(s.intents, intent) && nothing == (len(s.items) == 0)
	})
}

// behind returns what follows messages that are heard only behind an action.
func (r *reader) behind(action string) []*script {
	return r.scriptsOf(func(s *script) bool { return (s.yes || s.no || s.follows) && s.before == action })
}

func (r *reader) scriptsOf(fits func(*script) bool) []*script {
	return slices.DeleteFunc(slices.Clone(r.scripts), func(s *script) bool { return !fits(s) })
}

// item is a step of a script.
type item struct {
	kind  stepKind // actionStep, loopStep for a form, slotStep for conditions, otherStep
	name  string
	is    []slotIs // all of them hold
	guard bool     // the condition of a rule, which must hold
}

// steering are actions of Rasa that have no counterpart, because the runtime does their work.
var steering = []string{
	"action_listen", "action_deactivate_loop", "action_deactivate_form", "action_extract_slots", "action_session_start",
	"action_unlikely_intent", "action_default_ask_affirmation", "action_default_ask_rephrase", "action_restart",
	"action_two_stage_fallback", "action_revert_fallback_events",
}

// steered notes a steering action.
func (r *reader) steered(name string, at convert.Place) {
	r.bot.Report.Add(at, convert.Left, "%s: the runtime decides by itself when that is done", name)
}

// learn reads what the bot does.
func (r *reader) learn() {
	for _, rules := range []bool{true, false} { // a rule wins over a story, and over one for the start
		for _, s := range r.stories {
			if rules == (s.rule && !s.start) {
				(&listener{r: r, story: s}).listen()
			}
		}
	}
	for _, name := range r.intentNames() {
		list := r.after(name)
		first := slices.ContainsFunc(list, func(s *script) bool { return s.before == "" })
		if first || len(r.within(name, true)) == 0 && !depends(list) { // what gives a form its values answers elsewhere, too
			continue
		}
		for _, s := range list {
			s.follows = true
		}
	}
}

// depends reports whether what a message leads to depends on the action before it, in stories that say nothing else.
func depends(list []*script) bool {
	does := map[string]string{}
	for _, s := range list {
		if known := cmp.Or(does[s.before], s.bare()); s.from.rule || known != s.bare() {
			return false
		}
		does[s.before] = s.bare()
	}
	return slices.ContainsFunc(list, func(s *script) bool { return s.bare() != list[0].bare() })
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
		if c.kind == loopStep {
			l.form = c.name
		}
		l.given = l.conditions(l.given, c.slots, true)
	}
	for i := range l.story.steps {
		st := &l.story.steps[i]
		form := (st.kind == loopStep || st.kind == actionStep) && l.r.domain.form(st.name) != nil
		switch {
		case st.kind == userStep:
			l.message(st)
		case form && st.name == l.form: // it goes on
		case form:
			l.add(st, loopStep)
			l.form, l.owner, l.leaving = st.name, l.current, false
		case st.kind == loopStep && st.name == "":
			l.end(st)
		case st.kind == slotStep && l.current == nil:
			l.given = l.conditions(l.given, st.slots, false)
		case st.kind == slotStep && l.form == "": // within a form they are its answers
			l.current.items = l.conditions(l.current.items, st.slots, false)
		case st.kind == slotStep:
		case st.kind == actionStep && slices.Contains(steering, st.name):
			l.leaving = l.leaving || strings.HasPrefix(st.name, "action_deactivate")
			if l.current != nil && st.name == "action_restart" {
				l.form, l.before = "", ""
				if l.current.restarts = len(l.current.items) == 0; l.current.restarts {
					break
				}
			}
			l.r.steered(st.name, st.at)
		case st.kind == actionStep:
			if i > 0 || l.form != "" || !l.story.behind() {
				l.add(st, actionStep)
			}
			l.before = st.name
		default:
			l.add(st, otherStep)
		}
	}
}

// behind reports whether a rule hears a message behind an action, which it does not do itself.
func (s *story) behind() bool {
	if !s.rule || len(s.steps) < 2 {
		return false
	}
	return s.steps[0].kind == actionStep && s.steps[1].kind == userStep
}

// script begins a script. What held before is its first condition.
func (l *listener) script(at convert.Place) *script {
	l.current = &script{from: l.story, at: at, items: l.given, form: l.form, before: l.before}
	l.given = nil
	l.r.scripts = append(l.r.scripts, l.current)
	return l.current
}

// add adds an item. What the bot does at the start, before any message, has a script of its own.
func (l *listener) add(st *step, kind stepKind) {
	if l.current == nil {
		l.script(st.at).ends = true
	}
	l.current.items = append(l.current.items, item{kind: kind, name: st.name})
}

func (l *listener) message(st *step) {
	follows := l.story.rule && l.current == nil && l.before != ""
	if l.story.rule { // its conditions hold for each of its messages
		l.given = nil
		for _, c := range l.story.conditions {
			l.given = l.conditions(l.given, c.slots, true)
		}
	}
	s := l.script(st.at)
	s.intents, s.follows = st.intents, follows && s.form == ""
	s.items = l.conditions(s.items, st.entities, false)
	for _, intent := range st.intents {
		if s.form == "" && l.before != "" {
			s.yes, s.no = s.yes || l.r.yesNo[intent] == "affirm", s.no || l.r.yesNo[intent] == "deny"
		}
	}
}

// givenUp ends the description of a form that is left.
const givenUp = " is given up"

// end ends a form: what follows belongs to the message that began it, else to the form.
func (l *listener) end(st *step) {
	form := l.form
	switch {
	case form == "":
	case l.leaving:
		l.add(&step{at: st.at, name: "the form " + form + givenUp}, otherStep)
	case l.owner != nil:
		l.current = l.owner
	default:
		l.script(st.at).ends = true
	}
	l.form, l.leaving = "", false
}

// conditions adds that slots have values. Of a slot that is neither a category nor a yes or no, Rasa sees only
// whether it has one.
func (l *listener) conditions(items []item, list []slotIs, guard bool) []item {
	items = slices.Clone(items)
	for _, is := range list {
		s := l.r.domain.slot(is.slot)
		if is.slot == "requested_slot" {
			if is.value != nil { // else the form asks for nothing more
				items = append(items, item{kind: otherStep, name: "while the form asks for " + fmt.Sprint(is.value)})
			}
			continue
		}
		yes, isBool := convert.Truth(is.value)
		if s != nil && isBool && (s.kind == "bool" || l.r.yesOrNo(s)) {
			is.value = yes
		} else if is.value != nil && (s == nil || s.kind != "categorical") {
			is.value, is.any = nil, true
		}
		if is.any && !guard { // a story that shows a value asks for none
			continue
		}
		if n := len(items); n > 0 && items[n-1].kind == slotStep && items[n-1].guard == guard {
			items[n-1].is = append(slices.Clone(items[n-1].is), is)
		} else {
			items = append(items, item{kind: slotStep, is: []slotIs{is}, guard: guard})
		}
	}
	return items
}

// String describes an item.
func (it item) String() string {
	if it.kind != slotStep {
		return it.name
	}
	var all []string
	for _, is := range it.is {
		switch {
		case is.any:
			all = append(all, "if "+is.slot)
		case is.value == nil:
			all = append(all, "if no "+is.slot)
		default:
			all = append(all, fmt.Sprintf("if %s is %v", is.slot, is.value))
		}
	}
	return strings.Join(all, ", ")
}

// String says what leads to what.
func (s *script) String() string {
	var does []string
	for _, it := range s.items {
		does = append(does, it.String())
	}
	what := cmp.Or(strings.Join(does, ", "), "nothing")
	said := strings.Join(s.intents, " or ")
	switch {
	case said == "" && s.form != "":
		return "the form " + s.form + " ends with " + what
	case said == "":
		return "the bot begins with " + what
	case s.form != "":
		said += " in the form " + s.form
	case s.yes || s.no || s.follows:
		said += " after " + s.before
	}
	return said + " leads to " + what
}
