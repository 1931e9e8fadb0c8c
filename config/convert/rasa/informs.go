package rasa

import (
	"maps"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/convert"
)

// informs gives each task the examples that answer its questions.
func (r *reader) informs() {
	for _, name := range r.made.informs {
		in := r.nlu.intent(name)
		if in == nil {
			continue
		}
		for _, t := range r.made.tasks {
			for _, e := range in.examples {
				x := r.spans(e, t)
				if len(x.Spans) == 0 || len(x.Spans) < len(e.marks) || !r.taught(x.Spans[0].Param) {
					continue
				}
				x.Asked = x.Spans[0].Param
				t.in.Answers = append(t.in.Answers, x)
			}
		}
	}
}

// taught reports whether examples teach the values of a param: those of other types are recognised
// without.
func (r *reader) taught(id string) bool {
	i := slices.IndexFunc(r.bot.Params, func(p *convert.Param) bool { return p.Name == id })
	return i >= 0 && slices.Contains([]string{"text", "person", "location"}, r.bot.Params[i].Type)
}

// rest notes what nothing of the agent uses.
func (r *reader) rest() {
	r.restChoices()
	for _, resp := range r.domain.responses {
		parent, _, below := strings.Cut(resp.name, "/")
		switch {
		case resp.said:
		case below && len(r.nlu.children(strings.TrimPrefix(parent, "utter_"))) > 0:
			r.left(resp.at, "the response %s: no example asks for it", resp.name)
		default:
			r.left(resp.at, "the response %s: no rule, story or flow says it; an action may", resp.name)
		}
	}
	for _, a := range r.domain.actions {
		r.restAction(a)
	}
	for _, s := range r.domain.slots {
		if s.at != nil && len(r.domain.intents) > 0 && s.byUser() && !r.used(s) {
			r.left(s.at, "the slot %s: no task asks for it or takes it", s.name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.nlu.regexes)) {
		for _, p := range r.nlu.regexes[name] {
			r.bot.Report.Add(p.at, convert.Left, "the pattern %s: no entity or slot has its name", name)
		}
	}
}

// restAction notes an action that no plan calls.
func (r *reader) restAction(a named) {
	switch {
	case r.hasTool(convert.Snake(strings.TrimPrefix(a.name, "action_"))):
	case strings.HasPrefix(a.name, "validate_"):
		r.left(a.at, "%s checks the slots of a form: write params.validation", a.name)
	case strings.HasPrefix(a.name, "action_ask_"):
		r.left(a.at, "%s asks for a slot: write the question as its prompt", a.name)
	case strings.HasPrefix(a.name, "utter_"), slices.Contains(steering, a.name):
	default:
		r.left(a.at, "%s: no rule, story or flow that was carried over calls it", a.name)
	}
}

// used reports whether a slot became a param, a confirm step or a word of the runtime's own.
func (r *reader) used(s *slot) bool {
	return r.made.params[s.name] != nil || s.yesNo() || r.lastYesOf(s) != nil || slices.Contains(r.made.lastYes, s.name)
}

func (r *reader) lastYesOf(s *slot) *form {
	for _, f := range r.domain.forms {
		if r.lastYes(f) == s {
			return f
		}
	}
	return nil
}
