package rasa

import (
	"strings"

	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/source"
)

// story is a rule, a story or a test story.
type story struct {
	name       string
	at         convert.Place
	rule       bool
	start      bool // it holds at the start of a conversation only
	conditions []step
	steps      []step
	lost       string // the first of its steps that no plan has; "" for none
	lostAt     convert.Place
}

// stepKind says what a step of a story is.
type stepKind int

const (
	userStep   stepKind = iota // the user says something
	actionStep                 // the bot does something
	loopStep                   // a form is active from here on; "" for none
	slotStep                   // slots have values
	otherStep                  // something that the agent has no counterpart of
)

// step is a step of a story.
type step struct {
	kind     stepKind
	at       convert.Place
	intents  []string // of a user's step: one of these
	text     string   // what the user says, with markup
	entities []slotIs
	name     string // of an action or a loop
	slots    []slotIs
}

func (r *reader) readStories(e source.Entry) (out []*story) {
	for _, item := range e.Value.Items() {
		s := &story{rule: e.Key == "rules", at: place(item), name: word(item.Get("rule"))}
		if s.name == "" {
			s.name = word(item.Get("story"))
		}
		for _, c := range item.Get("condition").Items() {
			s.conditions = append(s.conditions, readStep(c)...)
		}
		for _, n := range item.Get("steps").Items() {
			s.steps = append(s.steps, readStep(n)...)
		}
		if s.start, _ = item.Get("conversation_start").Bool(); s.start {
			r.left(item, "conversation_start of %q: a plan holds at any time", s.name)
		}
		out = append(out, s)
	}
	return out
}

func readStep(n *source.Node) []step {
	st := step{at: place(n)}
	switch {
	case n.Has("intent") || n.Has("user"):
		st.kind, st.text = userStep, strings.TrimSpace(word(n.Get("user")))
		if name := word(n.Get("intent")); name != "" {
			st.intents = []string{strings.TrimPrefix(name, "/")}
		}
		st.entities = readSlotsAre(n.Get("entities"))
	case n.Has("or"):
		return readOr(n)
	case n.Has("action"):
		st.kind, st.name = actionStep, word(n.Get("action"))
	case n.Has("active_loop"):
		st.kind, st.name = loopStep, word(n.Get("active_loop"))
	case n.Has("slot_was_set"):
		st.kind, st.slots = slotStep, readSlotsAre(n.Get("slot_was_set"))
	case word(n) == "...":
		return nil
	default:
		st.kind, st.name = otherStep, strings.Join(n.Keys(), ", ")
	}
	return []step{st}
}

// readOr reads alternatives: intents become one step, others have no counterpart.
func readOr(n *source.Node) []step {
	var out step
	for _, item := range n.Get("or").Items() {
		for _, st := range readStep(item) {
			switch {
			case st.kind != userStep || len(st.entities) > 0 && len(out.intents) > 0:
				return []step{{kind: otherStep, at: place(n), name: "or"}}
			case len(out.intents) == 0:
				out = st
			default:
				out.intents = append(out.intents, st.intents...)
			}
		}
	}
	if len(out.intents) == 0 {
		return nil
	}
	return []step{out}
}

// readSlotsAre reads "- slot: value" and "- slot".
func readSlotsAre(list *source.Node) (out []slotIs) {
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
