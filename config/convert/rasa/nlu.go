package rasa

import (
	"maps"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/rasanlu"
	"github.com/slotway/slotway/config/source"
)

// nlu is the training data of a bot's understanding.
type nlu struct {
	intents  []*nluIntent
	synonyms map[string][]string // by value: its other spellings
	regexes  map[string][]feature
	lookups  map[string][]string
}

// feature is a regular expression with its place.
type feature struct {
	text string
	at   convert.Place
}

// nluIntent has the examples of one intent, in all files.
type nluIntent struct {
	name     string
	at       convert.Place
	examples []example
}

type example struct {
	text  string
	marks []rasanlu.Mark
	at    convert.Place
}

func (r *reader) readNLU(list *source.Node) {
	n := &r.nlu
	if n.synonyms == nil {
		n.synonyms, n.regexes, n.lookups = map[string][]string{}, map[string][]feature{}, map[string][]string{}
	}
	for _, item := range list.Items() {
		lines := rasanlu.Lines(item.Get("examples"))
		words := make([]string, len(lines))
		for i, l := range lines {
			words[i] = l.Text
		}
		switch {
		case word(item.Get("intent")) != "":
			r.readExamples(item.Get("intent"), lines)
		case item.Has("synonym"):
			name := strings.TrimSpace(word(item.Get("synonym")))
			n.synonyms[name] = append(n.synonyms[name], words...)
		case item.Has("lookup"):
			name := word(item.Get("lookup"))
			n.lookups[name] = append(n.lookups[name], words...)
		case item.Has("regex"):
			name := word(item.Get("regex"))
			for _, l := range lines {
				n.regexes[name] = append(n.regexes[name], feature{l.Text, convert.Place{File: l.Pos.File, Line: l.Pos.Line}})
			}
		default:
			r.left(item, "a part of the NLU data that is neither intent, synonym, lookup nor regex")
		}
	}
}

func (r *reader) readExamples(name *source.Node, lines []rasanlu.Line) {
	in := r.nlu.intent(word(name))
	if in == nil {
		in = &nluIntent{name: word(name), at: place(name)}
		r.nlu.intents = append(r.nlu.intents, in)
	}
	for _, l := range lines {
		at := convert.Place{File: l.Pos.File, Line: l.Pos.Line}
		text, marks, err := rasanlu.Parse(l.Text)
		if err != nil {
			r.bot.Report.Add(at, convert.Left, "an example of %s: %v", word(name), err)
			continue
		}
		in.examples = append(in.examples, example{text, marks, at})
	}
}

func (n *nlu) intent(name string) *nluIntent {
	i := slices.IndexFunc(n.intents, func(in *nluIntent) bool { return in.name == name })
	if i < 0 {
		return nil
	}
	return n.intents[i]
}

// children returns the intents below a retrieval intent: faq/hours and faq/price below faq.
func (n *nlu) children(name string) []*nluIntent {
	var out []*nluIntent
	for _, in := range n.intents {
		if parent, _, ok := strings.Cut(in.name, "/"); ok && parent == name {
			out = append(out, in)
		}
	}
	return out
}

// normal returns the value that a spelling stands for, by the synonyms.
func (n *nlu) normal(spelling string) string {
	for _, value := range slices.Sorted(maps.Keys(n.synonyms)) {
		if strings.EqualFold(value, spelling) || slices.ContainsFunc(n.synonyms[value], func(s string) bool { return strings.EqualFold(s, spelling) }) {
			return value
		}
	}
	return spelling
}

// mention is a marked value.
type mention struct{ text, value, intent string }

// mentions returns the marked values of an entity; "" for any role.
func (n *nlu) mentions(entity, role string) []mention {
	var out []mention
	for _, in := range n.intents {
		for _, e := range in.examples {
			runes := []rune(e.text)
			for _, m := range e.marks {
				if m.Entity == entity && (role == "" || m.Role == role) && m.End <= len(runes) {
					out = append(out, mention{strings.TrimSpace(string(runes[m.Start:m.End])), strings.TrimSpace(m.Value), in.name})
				}
			}
		}
	}
	return out
}
