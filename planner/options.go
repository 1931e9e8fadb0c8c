package planner

import (
	"unicode"
	"unicode/utf8"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/phrase"
)

// maxSuggestions is how many values of an enumeration are suggested.
const maxSuggestions = 10

// Suggestions returns the messages that can answer the open question, if there is more than one to
// name. nil: nothing is asked, or any text may be an answer.
func (st *Turn) Suggestions() []Suggestion { return suggestions(st.def, st.State) }

func suggestions(def *config.Agent, st *State) []Suggestion {
	q := st.Open
	if q == nil {
		return nil
	}
	list := offers[q.Kind]
	if list == nil {
		return nil
	}
	if said := list(def, st, q); len(said) > 1 {
		return said
	}
	return nil
}

// offers has a row for each kind of question that suggests answers. Anything can answer askChange.
var offers = map[questionKind]func(*config.Agent, *State, *openQuestion) []Suggestion{
	askParam:     offerValues,
	askChoice:    offerChoices,
	askConfirm:   offerYesNo,
	askIntent:    offerTasks,
	askHandoff:   offerYesNo,
	askResumeOne: offerTasks,
	askCorrect:   offerYesNo,
}

func offerYesNo(def *config.Agent, _ *State, _ *openQuestion) []Suggestion {
	return append(word(def, "affirm"), word(def, "deny")...)
}

// offerTasks suggests tasks, or yes and no if there is only one.
func offerTasks(def *config.Agent, st *State, q *openQuestion) []Suggestion {
	if len(q.Options) < 2 {
		return offerYesNo(def, st, q)
	}
	out := make([]Suggestion, len(q.Options))
	for i, o := range q.Options {
		out[i] = Suggestion{Title: o.Label, Text: o.Label} // the value is an internal id
	}
	return out
}

// offerChoices suggests the rows that a tool listed. Two rows may have the same label, so the
// message is the value, unless that is a whole row.
func offerChoices(_ *config.Agent, _ *State, q *openQuestion) []Suggestion {
	out := make([]Suggestion, len(q.Options))
	for i, o := range q.Options {
		out[i] = Suggestion{Title: o.Label, Text: o.Label, Param: q.Param}
		switch o.Value.(type) {
		case string, float64:
			out[i].Text = phrase.Display(o.Value)
		}
	}
	return out
}

// offerValues suggests values of the param that is asked for.
func offerValues(def *config.Agent, st *State, q *openQuestion) []Suggestion {
	in := st.intent(def)
	if in == nil {
		return nil
	}
	p := in.Param(q.Param)
	if p == nil || p.Type == nil {
		return nil
	}
	var out []Suggestion
	switch {
	case len(p.Type.Values) > 0:
		for _, v := range p.Type.Values[:min(len(p.Type.Values), maxSuggestions)] {
			out = append(out, Suggestion{Title: v.Value, Text: v.Value})
		}
	case p.Type.Builtin == "boolean":
		out = offerBoolean(def, st, q)
	default:
		return nil
	}
	if p.Skippable {
		out = append(out, word(def, "skip")...)
	}
	return out
}

// offerBoolean shows the values of a boolean in the agent's words. The messages are the words that
// every reader knows.
func offerBoolean(def *config.Agent, st *State, q *openQuestion) []Suggestion {
	out := offerYesNo(def, st, q)
	if len(out) != 2 {
		return nil
	}
	out[0].Text, out[1].Text = phrase.Display(true), phrase.Display(false)
	return out
}

// word returns the first example of a system intent, which is in the agent's language.
func word(def *config.Agent, intent string) []Suggestion {
	in := def.Intent(intent)
	if in == nil || len(in.Examples) == 0 {
		return nil
	}
	said := in.Examples[0].Text
	first, size := utf8.DecodeRuneInString(said)
	return []Suggestion{{Title: string(unicode.ToUpper(first)) + said[size:], Text: said}}
}
