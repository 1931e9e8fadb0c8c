package rasa

import (
	"maps"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/convert"
)

// plan writes the plan of a task.
func (r *reader) plan(t *task, c chosen) {
	var plan []*convert.Step
	if len(t.fixed) > 0 {
		set := &convert.Step{Set: true}
		for _, name := range slices.Sorted(maps.Keys(t.fixed)) {
			set.With = append(set.With, convert.Arg{Name: r.param(name).Name, Value: r.fixedValue(name, t.fixed[name])})
		}
		plan = append(plan, set)
	}
	first := c.always
	if first == nil && t.form != "" {
		first = &c.when[0]
		c.when = c.when[1:]
	}
	for _, a := range c.when {
		when := r.condition(a.when, t)
		if when == "" || a.form != "" {
			r.bot.Report.Add(a.at, convert.Left, "%q: there a condition leads from %s to %s", a.story, t.source, a.what())
			continue
		}
		branch := append(r.answer(a.names, t, a.at), &convert.Step{End: true})
		plan = append(plan, &convert.Step{When: when, Then: branch})
	}
	if first != nil {
		plan = append(plan, r.opening(t, first)...)
	}
	if t.form != "" {
		plan = append(plan, r.ended(t)...)
	}
	t.in.Plan = plan
	t.in.AnswerOnly = len(t.in.Required) == 0 && t.form == "" && !asksOrConfirms(plan)
}

func asksOrConfirms(plan []*convert.Step) bool {
	return slices.ContainsFunc(plan, func(s *convert.Step) bool {
		return s.Ask != "" || s.Confirm != "" || s.Run != "" || asksOrConfirms(s.Then) || asksOrConfirms(s.Else)
	})
}

// fixedValue returns the value of an enumeration that a value stands for.
func (r *reader) fixedValue(slot string, value any) any {
	p := r.param(slot)
	text, ok := value.(string)
	if !ok {
		return value
	}
	if v := r.enumValue(p, text); v != "" {
		return v
	}
	for _, t := range r.bot.Types {
		if t.Name == p.Type && len(t.Values) > 0 {
			t.Values = append(t.Values, convert.Value{Value: text})
		}
	}
	return text
}

// opening returns what comes before a form, or all of an answer. What is said before a form makes its
// questions steps of the plan, since params are asked for before a plan starts.
func (r *reader) opening(t *task, a *answer) []*convert.Step {
	if len(a.names) == 0 {
		return nil
	}
	if t.form == "" {
		return r.answer(a.names, t, a.at)
	}
	plan := r.steps(a.names, t, a.at)
	for _, id := range t.in.Required {
		plan = append(plan, &convert.Step{Ask: id})
	}
	t.in.Optional = append(t.in.Optional, t.in.Required...)
	t.in.Required = nil
	return plan
}

// maxQuestions bounds the questions of a plan: stories may come back to one in each branch.
const maxQuestions = 40

// answer returns the steps of an answer. If it ends with a question for which the stories know a yes or
// a no, the question asks for a yes/no param.
func (r *reader) answer(names []string, t *task, at convert.Place) []*convert.Step {
	last := names[len(names)-1]
	yes, no := r.after(names)
	if !r.asks(last) {
		return r.steps(names, t, at)
	}
	if slices.Contains(t.path, last) || t.questions >= maxQuestions {
		return r.steps(names[:len(names)-1], t, at)
	}
	t.questions++
	t.path = append(t.path, last)
	defer func() { t.path = t.path[:len(t.path)-1] }()
	if yes == nil { // a question with "which" may have a no, too
		if plan, ok := r.chosen(names, t, at); ok {
			if no != nil {
				r.bot.Report.Add(no.at, convert.Left, "after a no to %s: %s", last, strings.Join(no.names, ", "))
			}
			return plan
		}
		if no == nil {
			return r.steps(names, t, at)
		}
	}
	plan, _ := r.unsaid(names[:len(names)-1], t, at)
	id := r.yesNoParam(last, t)
	branch := &convert.Step{When: id + " == true"}
	if yes != nil {
		branch.Then = r.branch(yes, t)
	}
	if no != nil {
		branch.Else = r.branch(no, t)
	}
	if len(branch.Then) == 0 {
		branch.When, branch.Then, branch.Else = id+" == false", branch.Else, nil
	}
	plan = append(plan, &convert.Step{Ask: id})
	if len(branch.Then) > 0 {
		plan = append(plan, branch)
	}
	return plan
}

// branch returns what follows a yes or a no, which may ask again.
func (r *reader) branch(f *follow, t *task) []*convert.Step {
	if len(f.names) == 0 {
		return nil
	}
	saved, tool := t.saved, t.toolOf
	defer func() { t.saved, t.toolOf = saved, tool }() // the other branch does not have the result
	return r.answer(f.names, t, f.at)
}

// yesNoParam makes the param that a question asks for.
func (r *reader) yesNoParam(response string, t *task) string {
	id := r.made.asks[response]
	if id == "" {
		id = convert.Snake(strings.TrimPrefix(strings.TrimPrefix(response, "utter_"), "ask_"))
		for r.made.slots[id] != "" {
			id += "_answer"
		}
		r.made.slots[id], r.made.asks[response] = "?"+response, id
		p := &convert.Param{Name: id, Type: "boolean", Label: "answer", Prompts: r.questions(r.domain.response(response), t)}
		r.bot.Params = append(r.bot.Params, p)
		r.bot.Report.Count("params", 1)
	}
	if !slices.Contains(t.in.Optional, id) {
		t.in.Optional = append(t.in.Optional, id)
	}
	return id
}

// ended returns what follows a form: a last yes if the form asks for one, then its actions.
func (r *reader) ended(t *task) []*convert.Step {
	f := r.domain.form(t.form)
	if f == nil {
		t.in.Open = append(t.in.Open, r.bot.Report.Decide(convert.Place{File: "domain.yml"}, "the form %s is not in the domain", t.form))
		return nil
	}
	always, when := r.end(f.name, t.source)
	var plan []*convert.Step
	if s := r.lastYes(f); s != nil {
		var step *convert.Step
		step, always, when = r.confirm(s, f, t, always, when)
		plan, t.confirm = append(plan, step), true
	}
	for _, e := range when {
		condition := r.condition(e.when, t)
		if condition == "" {
			r.bot.Report.Add(e.at, convert.Left, "after %s under a condition: %s", f.name, strings.Join(e.names, ", "))
			continue
		}
		plan = append(plan, &convert.Step{When: condition, Then: append(r.steps(e.names, t, e.at), &convert.Step{End: true})})
	}
	switch {
	case always != nil:
		if len(always.names) > 0 {
			plan = append(plan, r.answer(always.names, t, always.at)...)
		}
		plan = append(plan, r.secondForm(always, t)...)
	case r.domain.response("utter_submit") != nil:
		plan = append(plan, r.say(r.domain.response("utter_submit"), t)...)
	default:
		id := r.response("utter_"+f.name+"_done", []string{"All right."}, nil)
		plan = append(plan, &convert.Step{Respond: id, Open: []convert.Open{r.bot.Report.Decide(place(f.at), "no rule or story says what follows the form %s", f.name)}})
	}
	return plan
}

// confirm returns the step for a last yes, and what is left of the endings: that for a no is its answer,
// that for a yes follows it.
func (r *reader) confirm(s *slot, f *form, t *task, always *ending, when []ending) (*convert.Step, *ending, []ending) {
	lost := r.made.lost
	step := &convert.Step{Confirm: r.confirmText(s, f, t)}
	if r.made.lost > lost {
		step.Open = append(step.Open, r.bot.Report.Decide(place(s.at), "actions put values into the question for the last yes of %s: let it say all that the yes is for", f.name))
	}
	if r.domain.response("utter_ask_"+f.name+"_"+s.name) == nil && r.domain.response("utter_ask_"+s.name) == nil {
		step.Open = append(step.Open, r.bot.Report.Decide(place(s.at), "an action asks for the last yes of %s: put its question here", f.name))
	}
	var rest []ending
	for _, e := range when {
		only := len(e.when) == 1 && e.when[0].slot == s.name
		switch {
		case only && e.when[0].value == true:
			always = &e
		case only && e.when[0].value == false && len(e.names) == 1 && r.domain.response(e.names[0]) != nil:
			if list := r.say(r.domain.response(e.names[0]), t); len(list) == 1 {
				step.Denied = list[0].Respond
			}
		case only && e.when[0].value == false:
			r.bot.Report.Add(e.at, convert.Left, "after a no to %s: %s", s.name, strings.Join(e.names, ", "))
		default:
			rest = append(rest, e)
		}
	}
	return step, always, rest
}

// lastYes returns the slot at the end of a form that only asks for a yes; nil for none.
func (r *reader) lastYes(f *form) *slot {
	if len(f.slots) < 2 {
		return nil
	}
	s := r.domain.slot(f.slots[len(f.slots)-1])
	if s == nil || !s.yesNo() || !r.goesOn(s) {
		return nil
	}
	return s
}

// confirmText returns the question of a confirm step.
func (r *reader) confirmText(s *slot, f *form, t *task) string {
	for _, name := range []string{"utter_ask_" + f.name + "_" + s.name, "utter_ask_" + s.name} {
		if resp := r.domain.response(name); resp != nil {
			if list := r.questions(resp, t); len(list) > 0 {
				return list[0]
			}
		}
	}
	return "Shall I do it: " + t.in.Title + "?"
}

// digression asks whether to go on with an interrupted task, if the bot's stories do.
func (r *reader) digression() {
	for _, s := range r.rules {
		opened := []string{}
		for _, g := range s.segments() {
			p := r.parts(g)
			yes := g.user != nil && slices.ContainsFunc(g.user.intents, func(i string) bool { return builtinOf(i) == "affirm" })
			if yes && g.within == "" && len(opened) > 1 && p.form == opened[0] {
				r.bot.Digression = "ask"
				r.bot.Report.Add(s.at, convert.Carried, "%q: after an interruption the agent asks whether to go on (policy.digression)", s.name)
				return
			}
			if p.form != "" && !slices.Contains(opened, p.form) {
				opened = append(opened, p.form)
			}
		}
	}
}
