package rasa

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/pattern"
)

// wordsOfGoingOn are in the names and questions of slots that only ask whether to go on.
var (
	wordsOfGoingOn = pattern.Must(`(?i)\b(confirm\w*|continue|proceed|submit|go on|go ahead|sure|correct|is (this|that) (right|ok|okay))\b`)
	wordsOfPausing = pattern.Must(`(?i)\b(continue|go on|proceed)\b`)
)

// formSlots makes params of the slots of a task's form.
func (r *reader) formSlots(t *task) {
	f := r.domain.form(t.form)
	if f == nil {
		return
	}
	for i, name := range f.slots {
		s := r.domain.slot(name)
		if s != nil && s.yesNo() && len(f.slots) > 1 {
			if i < len(f.slots)-1 && wordsOfPausing.MatchString(convert.Spoken(name)) {
				r.bot.Report.Add(place(s.at), convert.Carried, "the slot %s of %s asks whether to go on after an interruption: the runtime goes on by itself", name, f.name)
				for _, resp := range r.prompts(name) {
					resp.said = true
				}
				continue
			}
			if i == len(f.slots)-1 && r.goesOn(s) {
				continue // a confirm step
			}
		}
		t.slots = append(t.slots, name)
		if value, ok := s.trigger(t.source); ok {
			t.fixed[name] = value
		}
	}
	for _, name := range t.slots {
		r.paramIn(name, t)
	}
	for i, name := range t.slots {
		if twin := r.twin(name, f); twin != "" {
			t.slots[i] = twin
		}
	}
	t.formSlots = slices.Clone(t.slots)
	for _, name := range t.slots {
		p := r.paramIn(name, t)
		if _, fixed := t.fixed[name]; fixed {
			t.in.Optional = append(t.in.Optional, p.Name)
			continue
		}
		if prompts := r.formPrompt(f.name, name, t); len(prompts) > 0 {
			t.in.Own[p.Name] = convert.Own{Prompts: prompts}
		}
		t.in.Required = append(t.in.Required, p.Name)
	}
}

// timeTypes are the built-in types of points and spans of time.
var timeTypes = []string{"date", "time", "datetime", "daterange", "duration"}

// twin returns a slot of another type for a form whose question asks for another kind of time than the
// questions of other forms: Duckling's entity "time" may be any. "" if the slot itself will do.
func (r *reader) twin(name string, f *form) string {
	s, resp := r.domain.slot(name), r.domain.response("utter_ask_"+f.name+"_"+name)
	if s == nil || resp == nil || len(resp.variants) == 0 {
		return ""
	}
	p, kind := r.param(name), hinted(strings.ToLower(resp.variants[0].text))
	if kind == p.Type || !slices.Contains(timeTypes, kind) || !slices.Contains(timeTypes, p.Type) {
		return ""
	}
	twin := name + "_" + kind
	if r.domain.slot(twin) == nil {
		other := *s
		other.name, other.twinOf = twin, name
		r.domain.slots = append(r.domain.slots, &other)
		own := r.param(twin)
		own.Type, own.Prompts = kind, r.questions(resp, nil)
		r.bot.Report.Add(place(s.at), convert.Carried, "the slot %s is the param %s in %s, whose question asks for another kind of time", name, own.Name, f.name)
	}
	return twin
}

// goesOn reports whether a yes/no slot asks for a last yes.
func (r *reader) goesOn(s *slot) bool {
	var words strings.Builder
	words.WriteString(convert.Spoken(s.name))
	for _, resp := range r.prompts(s.name) {
		for _, v := range resp.variants {
			words.WriteString(" " + v.text)
		}
	}
	return wordsOfGoingOn.MatchString(words.String())
}

// trigger returns the value that an intent gives to a slot.
func (s *slot) trigger(intent string) (any, bool) {
	if s == nil {
		return nil, false
	}
	for _, m := range s.mappings {
		if m.kind == "from_trigger_intent" && slices.Contains(m.intents, intent) {
			return m.value.Value(), m.value.Value() != nil
		}
	}
	return nil, false
}

// retrieval carries the intents below a retrieval intent over: each answers with its own response.
func (r *reader) retrieval(parent string, children []*nluIntent) {
	var after []string
	if c := r.choose(parent); c.always != nil && len(c.always.names) > 1 {
		for _, name := range c.always.names[1:] {
			if r.domain.response(name) != nil {
				after = append(after, name)
			} else {
				r.bot.Report.Add(c.always.at, convert.Left, "%s after each answer to %s", name, parent)
			}
		}
	}
	for _, in := range children {
		names := []string{"utter_" + in.name}
		if r.domain.response(names[0]) == nil {
			r.bot.Report.Add(in.at, convert.Left, "the response utter_%s is missing", in.name)
			names = nil
		}
		r.task(in, chosen{always: &answer{names: append(names, after...), at: in.at}})
	}
	r.made.intents[parent] = parent + "/"
}
