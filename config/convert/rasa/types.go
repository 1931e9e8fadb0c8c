package rasa

import (
	"fmt"
	"slices"

	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/expr"
)

// extracted maps the entities of Rasa's ready-made extractors, Duckling and spaCy, to built-in types.
var extracted = map[string]string{
	"amount-of-money": "money", "email": "email", "number": "number", "ordinal": "ordinal", "phone-number": "phone", "url": "url", "duration": "duration",
	"temperature": "number", "PERSON": "person", "GPE": "location", "LOC": "location", "FAC": "location", "DATE": "date", "TIME": "time",
	"MONEY": "money", "CARDINAL": "number", "ORDINAL": "ordinal", "PERCENT": "percentage", "QUANTITY": "number",
}

// mostValues is the size of the largest lookup table that becomes a type.
const mostValues = 5000

// typeOf decides the type of a param, and declares it if it is none of the built-in ones: what the bot says
// about its slot. A slot about which it says nothing is text. keep says that other values count, too.
func (r *reader) typeOf(s *slot, p *convert.Param) (kind string, keep bool) {
	entity := s.entityName()
	own := r.nlu.mentions(entity)
	switch values := r.intentValues(s); {
	case len(s.values) > 0:
		return r.enumeration(p.Name, s.values, own), false
	case s.kind == "bool" || r.yesOrNo(s):
		return "boolean", false
	case len(values) > 0:
		return r.enumerate(p.Name, values), false
	}
	if kind := r.patterns(p.Name, entity); kind != "" { // a text as it is has none
		return kind, false
	}
	for _, name := range []string{entity, s.name} {
		if words := r.lookup(name); len(words) > 0 {
			return r.enumeration(p.Name, words, own), true
		}
	}
	switch {
	case s.kind == "float":
		return "number", false
	case entity == "time" && len(own) == 0:
		p.Open = append(p.Open, r.bot.Report.Decide(place(s.at), "%s is what Duckling calls a time, a day, an hour or a span, and of type text here: choose date, time, datetime or daterange", s.name))
	case extracted[entity] != "" && len(own) == 0:
		return extracted[entity], false
	}
	return "text", false
}

// ways returns how entities fill a slot.
func (s *slot) ways() []mapping {
	if len(s.mappings) == 0 {
		return []mapping{{kind: "from_entity", entity: s.name}} // Rasa 2 fills a slot by the entity of its name
	}
	return slices.DeleteFunc(slices.Clone(s.mappings), func(m mapping) bool { return m.kind != "from_entity" })
}

// entityName returns the entity that fills a slot; "" for none.
func (s *slot) entityName() string {
	for _, way := range s.ways() {
		return way.entity
	}
	return ""
}

// yesOrNo reports whether a slot is true after a yes and false after a no, and no entity fills it.
func (r *reader) yesOrNo(s *slot) bool {
	yes, no := false, false
	for _, m := range s.mappings {
		if m.kind == "from_entity" {
			return false
		}
		value, isBool := convert.Truth(m.value.Value())
		if m.kind != "from_intent" || !isBool {
			continue
		}
		for _, intent := range m.intents {
			yes = yes || value && r.means(intent) == "affirm"
			no = no || !value && r.means(intent) == "deny"
		}
	}
	return yes && no
}

// intentValues returns the texts that intents give a slot, spelt as the examples of these intents.
func (r *reader) intentValues(s *slot) (values []convert.Value) {
	for _, m := range s.mappings {
		text, isText := m.value.Value().(string)
		if m.kind != "from_intent" || !isText {
			continue
		}
		value := convert.Value{Value: text}
		for _, intent := range m.intents {
			value.Synonyms = append(value.Synonyms, r.nlu.intent(intent).sentences()...)
		}
		values = append(values, value)
	}
	return values
}

// patterns declares a type of the regular expressions that have a name.
func (r *reader) patterns(id, name string) string {
	t := r.nlu.table("regex", name)
	if t == nil {
		return ""
	}
	var list []string
	for _, text := range t.lines {
		if _, err := expr.CompilePattern(text); err != nil {
			r.lost(t.at, "the pattern of %s: %v", name, err)
			continue
		}
		list = append(list, text)
	}
	if t.used = true; len(list) == 0 {
		return ""
	}
	r.bot.Report.Add(t.at, convert.Carried, "the pattern of %s says what its values are; in Rasa it may be a hint only", name)
	kind := r.bot.FreeType(id)
	r.bot.Types = append(r.bot.Types, &convert.Type{Name: kind, Patterns: list})
	return kind
}

// lookup returns the words of a lookup table for a slot, whose values are open all the same.
func (r *reader) lookup(name string) []string {
	t := r.nlu.table("lookup", name)
	if t == nil {
		return nil
	}
	if t.used = true; len(t.lines) > mostValues {
		r.lost(t.at, "the lookup table %s has %d words, more than the %d that a type may have: its values are free text", name, len(t.lines), mostValues)
		return nil
	}
	r.bot.Report.Add(t.at, convert.Carried, "the lookup table %s is a type; another answer is asked for once more, then kept", name)
	return t.lines
}

// enumeration declares a type with words, their synonyms, and what examples mark for them.
func (r *reader) enumeration(id string, words []string, own []convert.Value) string {
	values := make([]convert.Value, len(words))
	for i, word := range words {
		values[i] = convert.Value{Value: r.nlu.normal(word), Synonyms: []string{word}}
		if t := r.nlu.table("synonym", values[i].Value); t != nil {
			values[i].Synonyms = append(values[i].Synonyms, t.lines...)
		}
	}
	return r.enumerate(id, append(values, own...))
}

// enumerate declares a type, once for the same values: roles of one entity share theirs.
func (r *reader) enumerate(id string, values []convert.Value) string {
	t := &convert.Type{Fuzzy: 1}
	t.Add(values)
	key := fmt.Sprintf("%q", t.Values)
	if known := r.types[key]; known != "" {
		return known
	}
	t.Name = r.bot.FreeType(id)
	r.types[key] = t.Name
	r.bot.Types = append(r.bot.Types, t)
	return t.Name
}

// restOfNLU notes the training data that no param has a place for.
func (r *reader) restOfNLU() {
	for _, t := range r.nlu.tables {
		if !t.used && t.kind != "synonym" {
			r.bot.Report.Add(t.at, convert.Left, "the %s %s: no entity or slot of a task has its name", t.kind, t.name)
		}
	}
}
