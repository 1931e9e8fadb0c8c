package rasa

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/source"
)

// story is a rule, a story or a test story.
type story struct {
	name       string
	at         convert.Place
	rule       bool
	conditions []step
	steps      []step
}

// stepKind says what a step of a story is.
type stepKind int

const (
	userStep   stepKind = iota // the user says something
	actionStep                 // the bot does something
	loopStep                   // a form is active from here on; "" for none
	slotStep                   // slots have values
)

// step is a step of a story.
type step struct {
	kind     stepKind
	at       convert.Place
	intents  []string // of a user's step: one of these
	text     string   // what the user says, with markup
	entities []slotIs
	others   map[string][]slotIs // of alternatives after the first: their entities, by intent
	name     string              // of an action or a loop
	slots    []slotIs
}

func (r *reader) readStories(e source.Entry) []*story {
	var out []*story
	for _, item := range e.Value.Items() {
		s := &story{rule: e.Key == "rules", at: place(item), name: word(item.Get("rule"))}
		if s.name == "" {
			s.name = word(item.Get("story"))
		}
		for _, c := range item.Get("condition").Items() {
			s.conditions = append(s.conditions, r.readStep(c, s)...)
		}
		for _, n := range item.Get("steps").Items() {
			s.steps = append(s.steps, r.readStep(n, s)...)
		}
		out = append(out, s)
	}
	return out
}

func (r *reader) readStep(n *source.Node, s *story) []step {
	st := step{at: place(n)}
	switch {
	case n.Has("intent") || n.Has("user"):
		st.kind, st.text = userStep, strings.TrimSpace(word(n.Get("user")))
		if name := word(n.Get("intent")); name != "" {
			st.intents = []string{strings.TrimPrefix(name, "/")}
		}
		st.entities = readSlotsAre(n.Get("entities"))
	case n.Has("or"):
		return r.readOr(n, s)
	case n.Has("action"):
		st.kind, st.name = actionStep, word(n.Get("action"))
	case n.Has("active_loop"):
		st.kind, st.name = loopStep, word(n.Get("active_loop"))
	case n.Has("slot_was_set"):
		st.kind, st.slots = slotStep, readSlotsAre(n.Get("slot_was_set"))
	case n.Has("checkpoint"):
		r.left(n, "the checkpoint %s of %q: stories are read one by one", word(n.Get("checkpoint")), s.name)
		return nil
	case n.Has("bot"):
		r.left(n, "an answer without a name in %q: write it as a response", s.name)
		return nil
	case word(n) == "...":
		return nil
	default:
		r.left(n, "a step of %q that is neither intent, action, active_loop nor slot_was_set", s.name)
		return nil
	}
	return []step{st}
}

// readOr reads alternatives: intents become one step, of other steps the first is taken.
func (r *reader) readOr(n *source.Node, s *story) []step {
	var all []step
	for _, item := range n.Get("or").Items() {
		all = append(all, r.readStep(item, s)...)
	}
	if len(all) == 0 {
		return nil
	}
	first := all[0]
	for _, st := range all[1:] {
		if first.kind != userStep || st.kind != userStep {
			r.left(n, "the alternatives after the first one in %q", s.name)
			break
		}
		first.intents = append(first.intents, st.intents...)
		for _, intent := range st.intents {
			if first.others == nil {
				first.others = map[string][]slotIs{}
			}
			first.others[intent] = st.entities
		}
	}
	return []step{first}
}

// entitiesOf returns the entities that a message of an intent has.
func (s *step) entitiesOf(intent string) []slotIs {
	if list, ok := s.others[intent]; ok {
		return list
	}
	return s.entities
}

// readSlotsAre reads "- slot: value" and "- slot".
func readSlotsAre(list *source.Node) []slotIs {
	var out []slotIs
	for _, item := range list.Items() {
		if word(item) != "" {
			out = append(out, slotIs{slot: word(item), any: true})
		}
		for _, e := range item.Entries() {
			if e.Key == "role" || e.Key == "group" { // of an entity
				continue
			}
			out = append(out, slotIs{slot: e.Key, value: e.Value.Value()})
		}
	}
	for _, e := range list.Entries() { // Rasa 2 also takes a map
		out = append(out, slotIs{slot: e.Key, value: e.Value.Value()})
	}
	return out
}

// segment holds the bot's actions between two messages of the user.
type segment struct {
	user    *step // nil at the start
	actions []step
	within  string // the form that was active before
}

// segments splits a story at the user's messages.
func (s *story) segments() []segment {
	within := ""
	for _, c := range s.conditions {
		if c.kind == loopStep {
			within = c.name
		}
	}
	var out []segment
	current := segment{within: within}
	for i := range s.steps {
		st := &s.steps[i]
		if st.kind == userStep {
			if current.user != nil || len(current.actions) > 0 {
				out = append(out, current)
			}
			current = segment{user: st, within: within}
			continue
		}
		if st.kind == loopStep {
			within = st.name
		}
		current.actions = append(current.actions, *st)
	}
	return append(out, current)
}

// utterances returns the names of the actions of a segment, without those that only steer Rasa.
func (g segment) names() []string {
	var out []string
	for _, a := range g.actions {
		if a.kind == actionStep && !slices.Contains(steering, a.name) {
			out = append(out, a.name)
		}
	}
	return out
}

// steering are actions of Rasa that have no counterpart, because the runtime does their work.
var steering = []string{
	"action_listen", "action_deactivate_loop", "action_deactivate_form", "action_extract_slots", "action_session_start",
	"action_restart", "action_back", "action_unlikely_intent", "action_default_ask_affirmation", "action_default_ask_rephrase",
	"action_two_stage_fallback", "action_revert_fallback_events", "action_default_fallback", "...",
}
