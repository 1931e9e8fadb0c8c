package rasa

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/rasanlu"
)

// The intents whose meaning Rasa itself gives.
const nluFallback = "nlu_fallback"

var ruled = []string{"session_start", "back", "trigger_response_selector"}

// convert makes the agent of what was read.
func (r *reader) convert() {
	for _, f := range r.domain.formsRead {
		r.readForm(f)
	}
	for _, name := range r.intentNames() {
		r.yesNo[name] = r.means(name)
	}
	r.yesNo[nluFallback] = nluFallback
	r.learn()
	for name, id := range r.yesNo { // a greeting that does more than saying something is an intent of its own
		says := slices.Contains([]string{"greet", "goodbye", "thanks", "help"}, id)
		if says && slices.ContainsFunc(r.after(name), func(s *script) bool { return !r.onlySays(s) }) {
			delete(r.yesNo, name)
		}
	}
	for _, name := range r.intentNames() {
		r.yesNo[name] = cmp.Or(r.yesNo[name], r.steers(name))
	}
	if len(r.stories)+len(r.flows) == 0 { // training data alone
		r.stubs()
		return
	}
	for _, name := range r.intentNames() {
		r.intent(name)
	}
	r.convertFlows()
	r.informs()
	r.rest()
	r.convertTests()
	r.bot.Finish()
}

// means returns the built-in intent that an intent is, by its name or its sentences; "" if it is none.
func (r *reader) means(intent string) string {
	return convert.Means(r.bot.Language, intent, r.nlu.intent(intent).sentences())
}

// stubs makes answers of training data without a bot.
func (r *reader) stubs() {
	for _, in := range r.nlu.intents {
		t := &task{in: &convert.Intent{}}
		var list []config.Example
		for _, e := range in.examples {
			for _, m := range e.marks {
				r.take(t, r.slotOf(m, t), false)
			}
			list = append(list, r.spans(e, t))
		}
		r.bot.Stub(in.name, in.at, list)
	}
	for _, resp := range r.domain.responses {
		r.lost(place(resp.at), "the response %s: no rule, story or flow says when", resp.name)
	}
	r.restOfNLU()
	r.bot.Finish()
}

// intentNames lists the intents as the domain does, then those that only have examples or a rule.
func (r *reader) intentNames() (out []string) {
	var all []string
	for _, in := range r.domain.intents {
		all = append(all, in.name)
	}
	for _, in := range r.nlu.intents {
		all = append(all, in.name)
	}
	for _, name := range append(all, nluFallback) {
		if parent, _, _ := strings.Cut(name, "/"); parent != "" && !slices.Contains(out, parent) {
			out = append(out, parent)
		}
	}
	return out
}

// intent carries one intent over.
func (r *reader) intent(name string) {
	in := r.nlu.intent(name)
	if in == nil {
		in = &nluIntent{name: name}
		if at := slices.IndexFunc(r.domain.intents, func(n named) bool { return n.name == name }); at >= 0 {
			in.at = place(r.domain.intents[at].at)
		}
	}
	children := r.nlu.children(name)
	scripts := r.after(name)
	if len(scripts) == 0 && r.yesNo[name] == "" {
		if scripts = r.within(name, false); len(scripts) > 0 {
			r.bot.Report.Add(in.at, convert.Carried, "%s is understood outside of the form, too", name)
		}
	}
	switch {
	case slices.Contains(ruled, name):
	case len(children) > 0:
		r.retrieval(name, children)
	case r.yesNo[name] != "":
		r.builtin(r.yesNo[name], in)
	case r.flowOf(name) != nil: // its examples go to the flow
	case len(in.examples) == 0:
		r.bot.Report.Add(in.at, convert.Left, "the intent %s has no examples, so no message can mean it", name)
	case len(scripts) > 0:
		r.task(in, scripts)
	case len(r.scriptsOf(func(s *script) bool { return s.follows && slices.Contains(s.intents, name) })) > 0: // with what it follows
	case r.gives(in):
		r.intents[name] = ""
		r.bot.Report.Add(in.at, convert.Carried, "%s only gives values: it begins nothing, and its marks teach what its values look like", name)
	default:
		id := convert.Snake(name)
		r.intents[name] = "not_served." + id
		r.bot.NotServed = append(r.bot.NotServed, &convert.Group{Name: id, Examples: in.sentences(), Open: []convert.Open{
			r.bot.Report.Lost(in.at, "no rule or story says what follows the intent %s: it is refused as not served", name),
		}})
	}
}

// gives reports whether an intent is there to answer questions: it fills a slot by itself or by its marks, a form goes
// on after it, or, in a bot with forms, which take texts, most of its examples have marks.
func (r *reader) gives(in *nluIntent) bool {
	fills, marked := len(r.within(in.name, true)) > 0, 0
	for _, e := range in.examples {
		marked += min(len(e.marks), 1)
		for _, s := range r.domain.slots {
			fills = fills || slices.ContainsFunc(e.marks, func(m rasanlu.Mark) bool { return m.Entity == s.entityName() })
		}
	}
	for _, s := range r.domain.slots {
		fills = fills || slices.ContainsFunc(s.mappings, func(m mapping) bool { return slices.Contains(m.intents, in.name) })
	}
	return fills || len(r.domain.forms) > 0 && 2*marked >= len(in.examples)
}

// steers returns the built-in intent that an intent is because it only gives a form up, or only begins anew.
func (r *reader) steers(name string) string {
	starts, inside := r.after(name), r.within(name, false)
	begins := func(s *script) bool { return s.restarts && len(s.items) == 0 }
	leaves := func(s *script) bool { return len(s.items) == 1 && strings.HasSuffix(s.items[0].name, givenUp) }
	switch {
	case len(starts) > 0 && !slices.ContainsFunc(starts, func(s *script) bool { return !begins(s) }):
		return "reset"
	case len(starts) == 0 && len(inside) > 0 && !slices.ContainsFunc(inside, func(s *script) bool { return !leaves(s) }):
		return "cancel"
	}
	return ""
}

// task carries an intent with a plan over.
func (r *reader) task(in *nluIntent, scripts []*script) {
	t := &task{source: in.name, top: true, in: &convert.Intent{
		ID: r.bot.FreeID(in.name), At: in.at, Title: convert.Spoken(in.name),
	}}
	r.intents[in.name] = t.in.ID
	r.bot.Intents = append(r.bot.Intents, t.in)
	for _, e := range in.examples {
		for _, m := range e.marks {
			if name := r.slotOf(m, t); !slices.Contains(t.marked, name) {
				t.marked = append(t.marked, name)
			}
		}
	}
	t.in.Plan = r.plan(enter(scripts), t)
	if len(t.in.Plan) == 0 {
		open := r.bot.Report.Lost(in.at, "what %s leads to could not be carried over: %s", in.name, scripts[0])
		t.in.Plan = []*convert.Step{r.bot.Say("utter_"+convert.Snake(in.name)+"_missing", []string{"This is not ready yet."}, open)}
	}
	r.tasks = append(r.tasks, t)
	r.examples(in, t)
	if unused := slices.DeleteFunc(t.marked, func(name string) bool { return slices.Contains(t.slots, name) }); len(unused) > 0 {
		r.bot.Report.Add(in.at, convert.Left, "the marks of %s in the examples of %s: its answer does not use them", strings.Join(unused, ", "), in.name)
	}
}

// examples gives a task the examples of an intent.
func (r *reader) examples(in *nluIntent, t *task) {
	for _, e := range in.all() {
		if x := r.spans(e, t); x.Text != "" && !strings.HasPrefix(x.Text, "/") {
			t.in.Examples = append(t.in.Examples, x)
		}
	}
}

// retrieval carries the intents below a retrieval intent over: each answers with its own response.
func (r *reader) retrieval(parent string, children []*nluIntent) {
	scripts := r.after(parent)
	for _, in := range children {
		own := []*script{{at: in.at, intents: []string{in.name}, items: []item{{kind: actionStep, name: "utter_" + in.name}}}}
		if len(scripts) > 0 {
			own = scripts
		}
		r.task(in, own)
	}
	r.intents[parent] = parent + "/"
}

// builtin adds an intent to a built-in one.
func (r *reader) builtin(id string, in *nluIntent) {
	r.intents[in.name] = id
	var said []config.Example
	for _, text := range in.sentences() {
		said = append(said, config.Example{Text: text})
	}
	r.bot.Becomes(id, in.name, said, in.at)
	for _, s := range slices.Concat(r.after(in.name), r.within(in.name, false)) {
		items := slices.DeleteFunc(slices.Clone(s.items), func(it item) bool {
			steers := id == "cancel" && it.kind == otherStep || id == nluFallback && it.name == "action_default_fallback"
			return it.kind == slotStep && !it.guard || steers
		})
		s.done = len(items) == 0 || r.bot.SayBuiltin(id, r.textsOf(items))
	}
	if id == "human" {
		b := r.bot.Builtin(id)
		b.Plan = []*convert.Step{{Handoff: "people"}}
		b.Open = append(b.Open, r.bot.Report.Decide(in.at, "name the queue of the people who take over"))
	}
}

// onlySays reports whether a script says something and does nothing else, whatever holds.
func (r *reader) onlySays(s *script) bool {
	return !slices.ContainsFunc(s.items, func(it item) bool { return it.kind != actionStep || r.domain.response(it.name) == nil })
}

// textsOf returns the wordings of answers that are said one after the other; none if anything else is done.
func (r *reader) textsOf(items []item) (texts []string) {
	for i, it := range items {
		resp := r.domain.response(it.name)
		if it.kind != actionStep || resp == nil {
			return nil
		}
		list := r.questions(resp, nil)
		if len(list) == 0 {
			return nil
		}
		if i == 0 {
			texts = list
			continue
		}
		for j := range texts {
			texts[j] += "\n" + list[0]
		}
	}
	return texts
}

// informs gives each task the examples that answer its questions.
func (r *reader) informs() {
	for _, in := range r.nlu.intents {
		if id, known := r.intents[in.name]; (id != "" || !known) && len(r.within(in.name, true)) == 0 {
			continue
		}
		for _, t := range r.tasks {
			for _, e := range in.examples {
				x := r.spans(e, t)
				if t.source == in.name || len(x.Spans) == 0 || len(x.Spans) < len(e.marks) {
					continue
				}
				p := r.bot.Param(x.Spans[0].Param)
				if slices.Contains([]string{"text", "person", "location"}, p.Type) { // other values are recognised without
					x.Asked = p.Name
					t.in.Answers = append(t.in.Answers, x)
				}
			}
		}
	}
}

// rest notes what the agent does not have of the source.
func (r *reader) rest() {
	for _, s := range r.scripts {
		if s.comesOut() || s.from.lost != "" || r.asUsual(s) {
			continue
		}
		s.from.lost, s.from.lostAt = s.String(), s.at
		what := "story"
		if s.from.rule {
			what = "rule"
		}
		r.lost(s.at, what+" %q: %s", s.from.name, s)
	}
	for _, resp := range r.domain.responses {
		if !resp.said {
			r.left(resp.at, "the response %s: no rule, story or flow that was carried over says it; an action may", resp.name)
		}
	}
	for _, a := range r.domain.actions {
		switch known := r.bot.Tool(convert.Snake(strings.TrimPrefix(a.name, "action_"))) != nil; {
		case strings.HasPrefix(a.name, "validate_") && !known:
			r.lost(place(a.at), "%s checks the slots of a form: write params.validation", a.name)
		case !known && !strings.HasPrefix(a.name, "utter_") && !slices.Contains(steering, a.name):
			r.left(a.at, "%s: no rule, story or flow that was carried over calls it", a.name)
		}
	}
	for _, s := range r.domain.slots {
		if s.at != nil && !s.entity && r.params[s.name] == nil && s.byUser() {
			r.left(s.at, "the slot %s: no task asks for it or takes it", s.name)
		}
	}
	for _, in := range r.nlu.intents {
		for _, e := range in.examples {
			for _, m := range e.marks {
				if s := r.domain.slot(r.slotOf(m, &task{})); m.Group != "" && !slices.ContainsFunc(s.mappings, func(way mapping) bool { return way.group == m.Group }) {
					r.lost(in.at, "the groups of %s in the examples of %s: values of all groups are one param", m.Entity, in.name)
				}
			}
		}
	}
	r.restOfNLU()
}

// asUsual reports whether the agent does what a script says without a plan for it: an answer within a form
// that goes on, an interruption that is answered as always, a task that is given up.
func (r *reader) asUsual(s *script) bool {
	if s.form == "" || len(s.intents) == 0 {
		return false
	}
	if len(s.items) == 0 {
		return true
	}
	for _, intent := range s.intents {
		usual := slices.ContainsFunc(r.after(intent), func(o *script) bool { return o.comesOut() && fmt.Sprint(o.items) == fmt.Sprint(s.items) })
		givenUp := r.yesNo[intent] == "cancel" && s.items[len(s.items)-1].kind == otherStep
		if !usual && !givenUp {
			return false
		}
	}
	return true
}
