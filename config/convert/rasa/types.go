package rasa

import (
	"fmt"
	"maps"
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
	if len(s.values) > 0 {
		return r.enumeration(p.Name, entity, s.values), false
	}
	if values := r.intentValues(s); s.kind != "bool" && !r.yesOrNo(s) && len(values) > 0 {
		return r.enumerate(p.Name, values), false
	}
	if s.kind == "bool" || r.yesOrNo(s) {
		return "boolean", false
	}
	if name := r.patterns(p.Name, entity, s.name); name != "" {
		return name, false
	}
	if words := r.lookup(entity, s.name); len(words) > 0 {
		return r.enumeration(p.Name, entity, words), true
	}
	own := len(r.nlu.mentions(entity)) > 0
	switch {
	case s.kind == "float":
		return "number", false
	case entity == "time" && !own:
		p.Open = append(p.Open, r.bot.Report.Decide(place(s.at), "%s is what Duckling calls a time, a day, an hour or a span, and of type text here: choose date, time, datetime or daterange", s.name))
	case extracted[entity] != "" && !own:
		return extracted[entity], false
	}

	return "text", false
}

// entityName returns the entity that fills a slot; "" for none.
func (s *slot) entityName() string {
	for _, m := range s.mappings {
		if m.kind == "from_entity" {
			return m.entity
		}
	}
	if len(s.mappings) == 0 {
		return s.name // Rasa 2 fills a slot by the entity of its name
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
			if in := r.nlu.intent(intent); in != nil {
				value.Synonyms = append(value.Synonyms, in.sentences()...)
			}
		}
		values = append(values, value)
	}
	return values
}

// patterns declares a type of the regular expressions that have the name of the entity or the slot.
func (r *reader) patterns(id, entity, slot string) string {
	for _, name := range []string{entity, slot} {
		var list []string
		for _, p := range r.nlu.regexes[name] {
			if _, err := expr.CompilePattern(p.text); err != nil || p.text == "" {
				r.lost(p.at, "the pattern of %s: %v", name, err)
				continue
			}
			list = append(list, p.text)
			r.bot.Report.Add(p.at, convert.Carried, "the pattern of %s says what its values are; in Rasa it may be a hint only", name)
		}
		delete(r.nlu.regexes, name)
		if len(list) > 0 && name != "" {
			kind := r.bot.FreeType(id)
			r.bot.Types = append(r.bot.Types, &convert.Type{Name: kind, Patterns: list})
			return kind
		}
	}
	return ""
}

// lookup returns the words of a lookup table for a slot, whose values are open all the same.
func (r *reader) lookup(names ...string) []string {
	for _, name := range names {
		words := r.nlu.lookups[name]
		at := r.nlu.tables[name]
		if name == "" || len(words) == 0 {
			continue
		}
		if len(words) > mostValues {
			r.tables[name] = true
			r.lost(at, "the lookup table %s has %d words, more than the %d that a type may have: its values are free text", name, len(words), mostValues)
			return nil
		}
		r.tables[name] = true
		r.bot.Report.Add(at, convert.Carried, "the lookup table %s is a type; another answer is asked for once more, then kept", name)
		return words
	}
	return nil
}

// enumeration declares a type with values, the words that examples mark for them, and their synonyms.
func (r *reader) enumeration(id, entity string, words []string) string {
	values := make([]convert.Value, len(words))
	for i, word := range words {
		values[i] = convert.Value{Value: r.nlu.normal(word), Synonyms: append([]string{word}, r.nlu.synonyms[r.nlu.normal(word)]...)}
	}
	for _, m := range r.nlu.mentions(entity) {
		values = append(values, convert.Value{Value: r.nlu.normal(m.value), Synonyms: []string{m.text}})
	}
	return r.enumerate(id, values)
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
	for _, name := range slices.Sorted(maps.Keys(r.nlu.regexes)) {
		for _, p := range r.nlu.regexes[name] {
			r.bot.Report.Add(p.at, convert.Left, "the pattern %s: no entity or slot of a task has its name", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.nlu.tables)) {
		if r.tables[name] {
			continue
		}
		r.bot.Report.Add(r.nlu.tables[name], convert.Left, "the lookup table %s: no entity or slot of a task has its name", name)
	}
}
