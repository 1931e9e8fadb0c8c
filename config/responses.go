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

// systemResponses lists the built-in responses by their ids without the namespace, each with the names that it may
// use besides params. Any may use {agent}, {language} and {tasks}.
var systemResponses = map[string][]string{
	"cancelled": nil, "nothing_to_cancel": nil, "reset_done": nil, "help": nil,
	"nothing_to_repeat": nil, "nothing_to_skip": nil, "greet": nil, "goodbye": nil, "thanks": nil,
	"handoff": nil, "handoff_offer": nil, "tool_failed": nil, "tool_unknown": nil, "damaged": nil, "held": nil, "not_kept": nil, "not_confirmable": nil, "already_done": nil,
	"corrected": {"name", "value"}, "unchangeable": {"name"}, "correct_confirm": {"name", "value"},
	"clarify": {"options"}, "clarify_one": {"options"}, "rephrase": nil, "choose": {"options"},
	"resume": {"intent"}, "resume_offer": {"options"}, "resumable_dropped": nil,
	"expired": {"intent"}, "empty": nil, "too_long": nil, "denied": nil, "confirm_again": nil,
	"invalid_choice": {"options"}, "nothing_to_resume": nil, "nothing_to_correct": nil,
	"definition_changed": nil, "no_model": nil, "fallback": nil, "not_served": nil,
	"leading": {"question", "task"},

	// about the assistant
	"who_are_you": nil, "how_are_you": nil, "praise": nil, "noted": nil, "anger": nil,
	"about": nil, "language": nil, "crisis": nil,

	// at a question
	"hold": nil, "why_ask": {"label"}, "no_more_known": nil, "nothing_more": nil,
	"full_text": {"label"}, "not_known_value": {"text"}, "which_value": {"options", "value"},
	"only_one": {"options"}, "same_value": {"label", "value"}, "nothing_changed": nil,
	"cancel_or_stop": {"title"}, "declined_kept": {"title"}, "stopped": {"title"},

	// between tasks
	"one_at_a_time": {"first"}, "unheard": {"text"}, "value_noted": {"label", "tasks", "value"},
	"outcome_done": nil, "outcome_none": nil, "outcome_unknown": nil, "undo_impossible": nil,
	"also": {"value"}, "nothing_before": {"label"}, "none_of_these": nil, "forgotten": {"label"},

	// about what is no value
	"wrong_weekday": {"text"}, "wrong_calendar": {"text"}, "wrong_order": {"text"}, "wrong_modifier": {"text"}, "wrong_amount": {"text"},
	"wrong_period": {"text"}, "wrong_people": nil, "half_value": {"value"}, "not_of_type": {"example", "kind"},
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

// replaceBuiltIn moves replacements of built-in responses, those in the namespace, out of the agent's own.
func (b *builder) replaceBuiltIn() {
	for _, e := range b.root.Get("responses").Entries() {
		id, spaced := strings.CutPrefix(e.Key, systemPrefix)
		if !spaced {
			continue
		}
		r := b.agent.Responses[e.Key]
		delete(b.agent.Responses, e.Key)
		if _, known := systemResponses[id]; !known {
			b.unknown(e.Value, "built-in response", id, slices.Sorted(maps.Keys(systemResponses)))
			continue
		}
		b.replaced[id] = e.Value
		if r != nil {
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
		s := (&scope{names: b.allNames()}).with(systemResponses[id]...)
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
