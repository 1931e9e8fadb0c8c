package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/phrase"
	"github.com/slotway/slotway/config/source"
)

// systemPrefix is the namespace of the built-in responses. An agent replaces one by declaring it
// there; a response of its own under the bare name is another one.
const systemPrefix = "system."

// Response is one text, or several used in turn.
type Response struct {
	ID       string
	Variants []*phrase.Text
	Pos      source.Position
	Own      bool // of a built-in response: its text is in the agent's language
}

// Response returns what a plan says under an id: the agent's own response, else the built-in one;
// nil if there is none.
func (a *Agent) Response(id string) *Response {
	if r := a.Responses[id]; r != nil {
		return r
	}
	return a.SystemResponse(strings.TrimPrefix(id, systemPrefix))
}

// SystemResponse returns a built-in response, or the agent's replacement, by its id without the
// namespace, such as "cancelled"; nil if there is none. An agent's own response of that name is
// another one.
func (a *Agent) SystemResponse(id string) *Response { return a.BuiltIn[id] }

// systemResponse lists the names that a response may use besides params. bare says whether a file
// could replace it by its bare name before there was a namespace.
type systemResponse struct {
	fills []string
	bare  bool
}

// systemResponses lists the built-in responses by their ids without the namespace. Any may use
// {agent}, {language} and {tasks} besides.
var systemResponses = map[string]systemResponse{
	"cancelled": {nil, true}, "nothing_to_cancel": {nil, true}, "reset_done": {nil, true}, "help": {nil, true},
	"nothing_to_repeat": {nil, true}, "nothing_to_skip": {nil, true}, "greet": {nil, true}, "goodbye": {nil, true}, "thanks": {nil, true},
	"handoff": {nil, true}, "handoff_offer": {nil, true}, "tool_failed": {nil, true}, "tool_unknown": {nil, true}, "damaged": {nil, true}, "held": {nil, false}, "not_kept": {nil, true}, "not_confirmable": {nil, false}, "already_done": {nil, true},
	"corrected": {[]string{"name", "value"}, true}, "unchangeable": {[]string{"name"}, true}, "correct_confirm": {[]string{"name", "value"}, true},
	"clarify": {[]string{"options"}, true}, "clarify_one": {[]string{"options"}, true}, "rephrase": {nil, true}, "choose": {[]string{"options"}, true},
	"resume": {[]string{"intent"}, true}, "resume_offer": {[]string{"options"}, true}, "resumable_dropped": {nil, true},
	"expired": {[]string{"intent"}, true}, "empty": {nil, true}, "too_long": {nil, true}, "denied": {nil, true}, "confirm_again": {nil, true},
	"invalid_choice": {[]string{"options"}, true}, "nothing_to_resume": {nil, true}, "nothing_to_correct": {nil, true},
	"definition_changed": {nil, true}, "no_model": {nil, true}, "fallback": {nil, true}, "not_served": {nil, false},
	"leading": {[]string{"question", "task"}, false},

	// about the assistant
	"who_are_you": {nil, false}, "how_are_you": {nil, false}, "praise": {nil, false}, "noted": {nil, false}, "anger": {nil, false},
	"about": {nil, false}, "language": {nil, false}, "crisis": {nil, false},

	// at a question
	"hold": {nil, false}, "why_ask": {[]string{"label"}, false}, "no_more_known": {nil, false}, "nothing_more": {nil, false},
	"full_text": {[]string{"label"}, false}, "not_known_value": {[]string{"text"}, false}, "which_value": {[]string{"options", "value"}, false},
	"only_one": {[]string{"options"}, false}, "same_value": {[]string{"label", "value"}, false}, "nothing_changed": {nil, false},
	"cancel_or_stop": {[]string{"title"}, false}, "declined_kept": {[]string{"title"}, false}, "stopped": {[]string{"title"}, false},

	// between tasks
	"one_at_a_time": {[]string{"first"}, false}, "unheard": {[]string{"text"}, false}, "value_noted": {[]string{"label", "tasks", "value"}, false},
	"outcome_done": {nil, false}, "outcome_none": {nil, false}, "outcome_unknown": {nil, false}, "undo_impossible": {nil, false},
	"also": {[]string{"value"}, false}, "nothing_before": {[]string{"label"}, false}, "none_of_these": {nil, false}, "forgotten": {[]string{"label"}, false},

	// about what is no value
	"wrong_weekday": {[]string{"text"}, false}, "wrong_calendar": {[]string{"text"}, false}, "wrong_order": {[]string{"text"}, false}, "wrong_modifier": {[]string{"text"}, false}, "wrong_amount": {[]string{"text"}, false},
	"wrong_period": {[]string{"text"}, false}, "wrong_people": {nil, false}, "half_value": {[]string{"value"}, false}, "not_of_type": {[]string{"example", "kind"}, false},
}

// readResponses reads the responses of a file into out.
func (b *builder) readResponses(n *source.Node, out map[string]*Response) {
	for _, e := range n.Entries() {
		variants := b.textList(e.Value)
		if len(variants) == 0 {
			variants = []*phrase.Text{{}} // its problem is reported; the id is known all the same
		}
		out[e.Key] = &Response{ID: e.Key, Variants: variants, Pos: e.Value.Pos()}
		for i, v := range variants {
			if strings.TrimSpace(v.Source) == "" && i < len(e.Value.Items()) {
				b.problems.Add(e.Value.Items()[i], "is empty", "write what to say")
			}
		}
	}
}

// replaceBuiltIn moves replacements of built-in responses out of the agent's own: all those in the
// namespace and, for files from before the namespace, those under a bare name that no step says.
func (b *builder) replaceBuiltIn() {
	said := b.saidResponses()
	for _, e := range b.root.Get("responses").Entries() {
		id, spaced := strings.CutPrefix(e.Key, systemPrefix)
		form, known := systemResponses[id]
		switch {
		case spaced && !known:
			b.unknown(e.Value, "built-in response", id, slices.Sorted(maps.Keys(systemResponses)))
		case spaced:
			b.replaced[id] = e.Value
		case known && form.bare && !said[id] && !b.root.Get("responses").Has(systemPrefix+id):
			b.replaced[id] = e.Value
			b.problems.Warn(source.BuiltInName, e.Value, fmt.Sprintf("no step says %q, so it replaces the built-in response of that name", id), fmt.Sprintf("call it %s%s, as the bare name may become one of the agent's own", systemPrefix, id))
		default:
			continue
		}
		r := b.agent.Responses[e.Key]
		delete(b.agent.Responses, e.Key)
		if known && r != nil {
			b.agent.BuiltIn[id] = &Response{ID: id, Variants: r.Variants}
		}
	}
}

// saidResponses returns the ids that steps say.
func (b *builder) saidResponses() map[string]bool {
	said := map[string]bool{}
	for _, in := range slices.Concat(b.agent.Intents, b.agent.System) {
		Walk(in.Plan, func(s *Step) {
			said[s.Response], said[s.Denied] = true, true
			for _, o := range s.OnError {
				said[o.Respond] = true
			}
		})
	}
	return said
}

// checkSystemResponses checks the replacements of built-in responses.
func (b *builder) checkSystemResponses() {
	for id, n := range b.replaced {
		s := (&scope{names: b.allNames()}).with(systemResponses[id].fills...)
		b.needTexts(b.agent.BuiltIn[id], n, n, s.with(factNames...))
	}
}

// needResponse checks the texts of a response against the names in scope. It places a problem at
// the text, or at the step if the response is built in.
func (b *builder) needResponse(id string, step *source.Node, s *scope, more ...string) {
	r := b.agent.Response(id)
	if r == nil {
		known := slices.Collect(maps.Keys(b.agent.Responses))
		b.unknown(step, "response", id, slices.Sorted(slices.Values(slices.AppendSeq(known, maps.Keys(b.agent.BuiltIn)))))
		return
	}
	at := b.root.Get("responses").Get(r.ID)
	if r == b.agent.BuiltIn[r.ID] {
		at, s = b.replaced[r.ID], s.with(factNames...)
	}
	b.needTexts(r, at, step, s.with(more...))
}

func (b *builder) needTexts(r *Response, at, step *source.Node, s *scope) {
	if at == nil {
		at = step
	}
	place := at
	for i, v := range r.Variants {
		if items := at.Items(); i < len(items) {
			place = items[i]
		}
		b.needPaths(place, v.Paths(), s, fmt.Sprintf(" where %s says it (line %d)", step.Path(), step.Pos().Line))
		for _, name := range v.Names() {
			if !s.names[name] && !b.isClock(name) {
				b.problems.Fail(source.NothingFills, place, fmt.Sprintf("nothing fills {%s} where %s says it (line %d)", name, step.Path(), step.Pos().Line), suggest(name, s.sorted()))
			}
		}
	}
}
