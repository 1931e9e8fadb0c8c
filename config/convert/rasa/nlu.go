package rasa

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/rasanlu"
	"github.com/slotway/slotway/config/source"
)

// nlu is the training data of a bot's understanding.
type nlu struct {
	intents []*nluIntent
	tables  []*table
}

// table has the lines of a synonym, of a lookup table or of a regular expression.
type table struct {
	kind, name string
	at         convert.Place
	lines      []string
	used       bool // a param has it
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
}

// kinds are the parts of training data.
var kinds = []string{"intent", "synonym", "lookup", "regex"}

func (r *reader) readNLU(list *source.Node) {
	for _, item := range list.Items() {
		known := false
		for _, kind := range kinds {
			if name := word(item.Get(kind)); name != "" {
				known = true
				for _, l := range rasanlu.Lines(item.Get("examples")) {
					r.train(kind, name, place(item.Get(kind)), l.Text, convert.Place{File: l.Pos.File, Line: l.Pos.Line})
				}
			}
		}
		if !known {
			r.left(item, "a part of the NLU data that is none of %s", strings.Join(kinds, ", "))
		}
	}
}

// train takes one line of training data.
func (r *reader) train(kind, name string, head convert.Place, text string, at convert.Place) {
	name = strings.TrimSpace(name)
	if kind == "intent" {
		plain, marks, err := rasanlu.Parse(text)
		if err != nil {
			r.lost(at, "an example of %s: %v", name, err)
			return
		}
		r.example(name, head, example{plain, marks})
		return
	}
	t := r.nlu.table(kind, name)
	if t == nil {
		t = &table{kind: kind, name: name, at: head}
		r.nlu.tables = append(r.nlu.tables, t)
	}
	t.lines = append(t.lines, text)
}

// table returns the lines of a kind that have a name; nil for none.
func (n *nlu) table(kind, name string) *table {
	return convert.Find(n.tables, func(t *table) bool { return t.kind == kind && t.name == name })
}

func (r *reader) example(intent string, head convert.Place, e example) {
	in := r.nlu.intent(intent)
	if in == nil {
		in = &nluIntent{name: intent, at: head}
		r.nlu.intents = append(r.nlu.intents, in)
	}
	in.examples = append(in.examples, e)
}

// nluJSON reads the training data of Rasa's JSON.
func (r *reader) nluJSON(name string, data []byte) {
	root, err := convert.ParseJSON(name, data)
	n := root.Get("rasa_nlu_data")
	if err != nil || n == nil {
		r.bot.Report.Add(convert.Place{File: name}, convert.Left, "not read: this JSON has no rasa_nlu_data")
		return
	}
	for _, e := range n.List("common_examples") {
		text := e.Str("text")
		runes, out := []rune(text), example{text: text}
		for _, mark := range e.List("entities") {
			start, err := strconv.Atoi(mark.Str("start"))
			end, err2 := strconv.Atoi(mark.Str("end"))
			if err != nil || err2 != nil || start < 0 || end <= start || end > len(runes) {
				r.lost(mark.At, "an example of %s: a value lies outside the text", e.Str("intent"))
				continue
			}
			out.marks = append(out.marks, rasanlu.Mark{
				Entity: mark.Str("entity"), Role: mark.Str("role"), Group: mark.Str("group"), Value: cmp.Or(mark.Str("value"), string(runes[start:end])), Start: start, End: end,
			})
		}
		slices.SortFunc(out.marks, func(a, b rasanlu.Mark) int { return a.Start - b.Start })
		r.example(e.Str("intent"), e.At, out)
	}
	for _, s := range n.List("entity_synonyms") {
		for _, text := range s.Strs("synonyms") {
			r.train("synonym", s.Str("value"), s.At, text, s.At)
		}
	}
	for _, p := range n.List("regex_features") {
		r.train("regex", p.Str("name"), p.At, p.Str("pattern"), p.At)
	}
	for _, t := range n.List("lookup_tables") {
		if words := t.List("elements"); len(words) == 0 {
			r.lost(t.At, "the lookup table %s is in another file: write it as YAML", t.Str("name"))
		}
		for _, word := range t.List("elements") {
			r.train("lookup", t.Str("name"), t.At, word.Str(), t.At)
		}
	}
}

func (n *nlu) intent(name string) *nluIntent {
	return convert.Find(n.intents, func(in *nluIntent) bool { return in.name == name })
}

// children returns the intents below a retrieval intent: faq/hours and faq/price below faq.
func (n *nlu) children(name string) (out []*nluIntent) {
	for _, in := range n.intents {
		if parent, _, ok := strings.Cut(in.name, "/"); ok && parent == name {
			out = append(out, in)
		}
	}
	return out
}

// all returns the examples; none if there is no such intent.
func (in *nluIntent) all() []example {
	if in == nil {
		return nil
	}
	return in.examples
}

// sentences returns the examples of an intent as people say them, each once. Payloads of buttons are none.
func (in *nluIntent) sentences() (out []string) {
	for _, e := range in.all() {
		if text := convert.OneLine(e.text); !slices.Contains(out, text) && !strings.HasPrefix(text, "/") {
			out = append(out, text)
		}
	}
	return out
}

// normal returns the value that a spelling stands for, by the synonyms.
func (n *nlu) normal(spelling string) string {
	for _, t := range n.tables {
		same := func(text string) bool { return strings.EqualFold(text, spelling) }
		if t.kind == "synonym" && (same(t.name) || slices.ContainsFunc(t.lines, same)) {
			return t.name
		}
	}
	return spelling
}

// mentions returns the marked values of an entity, each with the words that stand for it.
func (n *nlu) mentions(entity string) (out []convert.Value) {
	for _, in := range n.intents {
		for _, e := range in.examples {
			runes := []rune(e.text)
			for _, m := range e.marks {
				if m.Entity == entity && m.End <= len(runes) {
					out = append(out, convert.Value{Value: n.normal(strings.TrimSpace(m.Value)), Synonyms: []string{string(runes[m.Start:m.End])}})
				}
			}
		}
	}
	return out
}
