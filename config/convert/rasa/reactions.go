package rasa

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/convert"
)

// reactions collects what rules and stories make the bot do.
type reactions struct {
	answers map[string][]answer // by intent
	endings map[string][]ending // by form
	follows []follow
	choices []*choice
	goOn    map[string]bool // responses after whose yes a form goes on
}

// The ranks of answers: the lower one is taken.
const (
	byRule     = iota // a rule, which holds everywhere
	opening           // the first message of a story
	later             // a later one, which may depend on what came before
	withinForm        // a message that interrupts a form
)

// answer lists the bot's actions after an intent, up to the form that it starts.
type answer struct {
	rank  int
	when  []slotIs
	names []string // of actions
	form  string   // started after them; "" for none
	at    convert.Place
	story string

	chosen bool // it answers a question with a value, which is a choice too
}

// ending lists the bot's actions after a form.
type ending struct {
	rank    int
	steered int    // conditions on slots that only actions set: they do not hold at first
	intent  string // that started the form, if the story says so
	when    []slotIs
	names   []string
	next    string // the form that is started after them; "" for none
	at      convert.Place
}

// follow lists the bot's actions after a yes or a no to its last question.
type follow struct {
	after []string // what it did before, in order
	yes   bool
	names []string
	at    convert.Place
	story string
}

// learn collects the reactions.
func (r *reader) learn() {
	r.react = reactions{answers: map[string][]answer{}, endings: map[string][]ending{}, goOn: map[string]bool{}}
	for _, s := range r.rules {
		r.learnStory(s)
	}
}

func (r *reader) learnStory(s *story) {
	at := &reading{story: s}
	for _, g := range s.segments() {
		p := r.parts(g)
		if g.user == nil {
			if g.within != "" && p.closed {
				set := slices.Concat(s.conditions, p.after)
				r.ending(g.within, ending{byRule, r.steered(set), "", r.userConditions(s.conditions, p.after), p.afterNames, p.next, s.at})
			}
			at.before = slices.Concat(p.names, p.afterNames)
			continue
		}
		r.learnMessage(at, g, p)
		closing := p.form
		if closing == "" {
			closing = g.within
		}
		if p.closed && closing != "" {
			r.ending(closing, ending{opening, r.steered(p.after), at.starter, r.fillable(slotsOf(p.after)), p.afterNames, p.next, g.user.at})
		}
		at.seen, at.before = true, slices.Concat(p.names, p.afterNames)
	}
}

// reading keeps the place in a story while it is read.
type reading struct {
	story   *story
	before  []string // what the bot did last
	starter string   // the intent that started the form
	seen    bool     // a message of the user
}

// rank returns the rank of the answer to a message.
func (at *reading) rank(g segment, p parts) int {
	switch {
	case g.within != "" && (p.form == "" || p.form == g.within):
		return withinForm
	case !at.seen && len(at.before) > 0: // after something that the bot did
		return later
	case at.story.rule:
		return byRule
	case !at.seen:
		return opening
	}
	return later
}

// learnMessage collects what follows a message.
func (r *reader) learnMessage(at *reading, g segment, p parts) {
	state := r.userConditions(at.story.conditions, g.leading())
	for _, intent := range g.user.intents {
		yes, no := builtinOf(intent) == "affirm", builtinOf(intent) == "deny"
		if (yes || no) && len(at.before) > 0 {
			if yes && g.within != "" && p.form == g.within {
				r.react.goOn[at.before[len(at.before)-1]] = true
				continue
			}
			r.react.follows = append(r.react.follows, follow{slices.Clone(at.before), yes, slices.Concat(p.names, p.afterNames), g.user.at, at.story.name})
			continue
		}
		when := slices.Concat(state, r.fillable(g.user.entitiesOf(intent)))
		a := answer{rank: at.rank(g, p), when: when, names: p.names, form: p.form, at: g.user.at, story: at.story.name}
		if p.form == g.within {
			a.form = ""
		}
		if c := r.choiceOf(at, a, g.user.entitiesOf(intent)); c != nil {
			r.react.choices, a.chosen = append(r.react.choices, c), true
		}
		if len(a.names) > 0 || a.form != "" {
			r.react.answers[intent] = append(r.react.answers[intent], a)
		}
		if p.form != "" && p.form != g.within {
			at.starter = intent
		}
	}
}

func (r *reader) ending(form string, e ending) {
	if len(e.names) > 0 || e.next != "" {
		r.react.endings[form] = append(r.react.endings[form], e)
	}
}

// parts of a segment: what is done before a form, the form, and what is done once it is closed.
type parts struct {
	names, afterNames []string
	form              string
	closed            bool   // it has all its values
	left              bool   // the form that was active was given up
	next              string // the form that is started once the first one is closed
	after             []step
}

func (r *reader) parts(g segment) parts {
	var p parts
	leaving := false
	for _, a := range g.actions {
		form := a.name != "" && (a.kind == loopStep || a.kind == actionStep && r.domain.form(a.name) != nil)
		switch {
		case p.closed:
			p.after = append(p.after, a)
			if form && a.name != p.form {
				p.next = a.name
			}
		case a.kind == actionStep && slices.Contains(leavings, a.name):
			leaving = p.form == ""
		case a.kind == loopStep && a.name == "" && leaving:
			p.left, leaving = g.within != "", false
		case a.kind == loopStep && a.name == "":
			p.closed = g.within != "" || p.form != ""
		case form:
			p.form = a.name
		case a.kind == actionStep && p.form == "":
			p.names = append(p.names, segment{actions: []step{a}}.names()...)
		}
	}
	p.afterNames = segment{actions: p.after}.names()
	p.afterNames = slices.DeleteFunc(p.afterNames, func(name string) bool { return r.domain.form(name) != nil })
	return p
}

// leavings are the actions that give a form up.
var leavings = []string{"action_deactivate_loop", "action_deactivate_form"}

// leading returns the steps before the first action: what holds when the message comes.
func (g segment) leading() []step {
	i := slices.IndexFunc(g.actions, func(s step) bool { return s.kind != slotStep })
	if i < 0 {
		i = len(g.actions)
	}
	return g.actions[:i]
}

func slotsOf(steps []step) []slotIs {
	var out []slotIs
	for _, s := range steps {
		if s.kind == actionStep {
			break
		}
		out = append(out, s.slots...)
	}
	return out
}

func (r *reader) userConditions(lists ...[]step) []slotIs {
	var out []slotIs
	for _, list := range lists {
		out = append(out, r.fillable(slotsOf(list))...)
	}
	return out
}

// fillable keeps the conditions on slots that a user fills. The others are set by actions to steer Rasa.
func (r *reader) fillable(list []slotIs) []slotIs {
	var out []slotIs
	for _, c := range list {
		s, entity := r.domain.slot(c.slot), r.domain.entity(c.slot) != nil
		if c.slot == "requested_slot" || !entity && (s == nil || !s.byUser()) {
			continue
		}
		if s != nil && s.yesNo() {
			if yes, ok := truth(c.value); ok {
				c.value = yes
			}
			out = append(out, c)
			continue
		}
		if (s == nil || s.kind != "categorical" && s.kind != "bool") && c.value != nil {
			c.value, c.any = nil, true // Rasa's policies see only whether it is set
		}
		out = append(out, c)
	}
	return out
}

// byUser reports whether a slot takes values from messages.
func (s *slot) byUser() bool {
	return slices.ContainsFunc(s.mappings, func(m mapping) bool { return m.kind != "custom" && m.kind != "controlled" })
}

func (d *domain) entity(name string) *named {
	for i := range d.entities {
		if d.entities[i].name == name {
			return &d.entities[i]
		}
	}
	return nil
}

// chosen holds the answers to an intent that are carried over.
type chosen struct {
	always *answer  // without a condition; nil for none
	when   []answer // with one, each another
}

// choose picks the answers to an intent, and notes the others.
func (r *reader) choose(intent string) chosen {
	list := slices.Clone(r.react.answers[intent])
	slices.SortStableFunc(list, func(a, b answer) int { return a.rank - b.rank })
	var c chosen
	if best := commonest(list, func(a answer) bool { return len(a.when) == 0 }); best != nil {
		c.always = best
	}
	noted := map[string]bool{}
	for _, a := range list {
		key := fmt.Sprint(a.when, a.names, a.form)
		same := c.always != nil && (a.form == c.always.form && slices.Equal(a.names, c.always.names) || a.rank == withinForm && r.interrupts(a, c.always))
		if same || noted[key] {
			continue
		}
		noted[key] = true
		if a.chosen && a.rank >= later {
			continue // noted if no plan takes the choice
		}
		taken := len(a.when) > 0 && a.rank <= opening && !slices.ContainsFunc(c.when, func(o answer) bool { return fmt.Sprint(o.when) == fmt.Sprint(a.when) })
		if taken {
			c.when = append(c.when, a)
			continue
		}
		r.bot.Report.Add(a.at, convert.Left, "%q: there %s leads to %s; one answer to an intent is carried over", a.story, intent, a.what())
	}
	return c
}

// interrupts reports whether an answer within a form is the usual one, and a question whether to go on.
func (r *reader) interrupts(a answer, usual *answer) bool {
	n := len(a.names) - 1
	if n < 0 || !r.react.goOn[a.names[n]] {
		return false
	}
	return len(usual.names) <= n && slices.Equal(a.names[:len(usual.names)], usual.names) || slices.Equal(a.names[:n], usual.names)
}

// commonest returns the answer of the best rank that stands most often.
func commonest(list []answer, usable func(answer) bool) *answer {
	var best *answer
	most := 0
	for i := range list {
		if !usable(list[i]) || best != nil && list[i].rank > best.rank {
			continue
		}
		n := 0
		for _, other := range list {
			if other.rank == list[i].rank && usable(other) && other.what() == list[i].what() {
				n++
			}
		}
		if n > most {
			best, most = &list[i], n
		}
	}
	return best
}

func (a answer) what() string {
	names := slices.Clone(a.names)
	if a.form != "" {
		names = append(names, a.form)
	}
	return strings.Join(names, ", ")
}

// end returns what follows a form that an intent started: without a condition, and with some.
func (r *reader) end(form, intent string) (always *ending, when []ending) {
	list := slices.Clone(r.react.endings[form])
	slices.SortStableFunc(list, func(a, b ending) int { return cmp.Or(a.rank-b.rank, a.steered-b.steered) })
	defer func() { r.otherEndings(form, list, always) }()
	fits := func(e ending) bool { return e.intent == "" || e.intent == intent }
	for i := range list {
		if len(list[i].when) == 0 && always == nil && fits(list[i]) {
			always = &list[i]
		}
	}
	for i := range list { // better another intent's than none
		if len(list[i].when) == 0 && always == nil {
			always = &list[i]
		}
	}
	for _, e := range list {
		if len(e.when) > 0 && fits(e) && !slices.ContainsFunc(when, func(o ending) bool { return fmt.Sprint(o.when) == fmt.Sprint(e.when) }) {
			when = append(when, e)
		}
	}
	return always, when
}

// after returns what follows a yes and a no once the bot has done some actions; the last of them asked.
func (r *reader) after(names []string) (yes, no *follow) {
	if len(names) == 0 {
		return nil, nil
	}
	for _, exact := range []bool{true, false} {
		for i := range r.react.follows {
			f := &r.react.follows[i]
			if !slices.Equal(f.after, names) && (exact || f.after[len(f.after)-1] != names[len(names)-1]) {
				continue
			}
			if f.yes && yes == nil {
				yes = f
			}
			if !f.yes && no == nil {
				no = f
			}
		}
	}
	return yes, no
}
