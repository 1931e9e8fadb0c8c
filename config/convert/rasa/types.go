package rasa

import (
	"fmt"
	"slices"
	"strings"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/expr"
	"github.com/slotway/slotway/config/pattern"
)

// extracted maps the entities of Rasa's ready-made extractors, Duckling and spaCy, to built-in types.
var extracted = map[string]string{
	"amount-of-money": "money", "email": "email", "number": "number", "ordinal": "ordinal", "phone-number": "phone", "url": "url",
	"duration": "duration", "temperature": "number", "distance": "text", "credit-card-number": "text",
	"PERSON": "person", "GPE": "location", "LOC": "location", "FAC": "location", "ORG": "text", "DATE": "date", "TIME": "time",
	"MONEY": "money", "CARDINAL": "number", "ORDINAL": "ordinal", "PERCENT": "percentage", "QUANTITY": "number",
}

// hints map words of names and questions to built-in types; the first that fits counts.
var hints = []struct {
	words *pattern.Pattern
	kind  string
}{
	{pattern.Must(`\b(e-?mail)\b`), "email"},
	{pattern.Must(`\b(phone|telephone|mobile|cell)\b`), "phone"},
	{pattern.Must(`\b(url|website|link)\b`), "url"},
	{pattern.Must(`\b(zip|postcode|postal code|zipcode)\b`), "zip"},
	{pattern.Must(`\b(time ?frame|period|date range|between which)\b`), "daterange"},
	{pattern.Must(`\b(duration|how long)\b`), "duration"},
	{pattern.Must(`\b(datetime|date and time|day and time)\b`), "datetime"},
	{pattern.Must(`\b(date|day|birthday)\b`), "date"},
	{pattern.Must(`\b(time|hour|o'clock)\b`), "time"},
	{pattern.Must(`\b(amount of money|money|price|cost|how much)\b`), "money"},
	{pattern.Must(`\b(count|quantity|num|number of|how many|party size|people|guests)\b`), "integer"},
	{pattern.Must(`\b(id|code|reference)\b|\w+ number\b`), "text"},
	{pattern.Must(`\b(amount|number|percentage|age)\b`), "number"},
	{pattern.Must(`\b(person|first name|last name|full name|customer name|user name|recipient|who)\b`), "person"},
	{pattern.Must(`\b(city|country|location|destination|origin|place)\b`), "location"},
}

// looks are forms that all marked values of an entity may have.
var looks = []struct {
	form *pattern.Pattern
	kind string
}{
	{pattern.Must(`^[^@\s]+@[^@\s]+\.\w+$`), "email"},
	{pattern.Must(`^\d{1,6}$`), "integer"},
	{pattern.Must(`^[$€£]\s?\d[\d.,]*$`), "money"},
	{pattern.Must(`^\d{1,2}:\d\d$`), "time"},
	{pattern.Must(`^https?://\S+$`), "url"},
}

// typeOf decides the type of a param, and declares it if it is none of the built-in ones. keep says that
// an enumeration is open: it was made of examples alone.
func (r *reader) typeOf(s *slot, id, prompt string) (kind string, keep bool) {
	entity, role := s.entity()
	if kind := r.saidType(s, id, entity, role); kind != "" {
		return kind, false
	}
	said := r.nlu.mentions(entity, role)
	name := convert.Spoken(s.name) + " " + convert.Spoken(entity)
	if s.kind == "float" {
		return numberKind(name, said), false
	}
	if kind := looksLike(said); kind != "" {
		return kind, false
	}
	kind = hinted(name)
	if values := repeated(said); len(values) > 1 && (kind == "" || kind == "text") {
		return r.enumeration(id, nil, entity, role), true
	}
	if countTypes[kind] && len(said) > 0 && !slices.ContainsFunc(said, func(m mention) bool { return hasDigit.MatchString(m.text) }) {
		kind = "" // such as a size of S or L
	}
	asksTime := entity == "time" && (kind == "time" || kind == "date")
	if kind == "" && len(said) == 0 || asksTime {
		kind = timeKind(kind, hinted(strings.ToLower(prompt)))
	}
	if kind == "" {
		kind = "text"
	}
	return kind, false
}

// saidType returns the type that the bot itself gives a slot: by its kind, by a list of its values, or
// by a ready-made extractor. "" if it gives none.
func (r *reader) saidType(s *slot, id, entity, role string) string {
	switch {
	case s.kind == "categorical" && len(s.values) > 0:
		return r.enumeration(id, s.values, entity, role)
	case s.yesNo():
		return "boolean"
	}
	if kind := r.patterns(id, entity, s.name); kind != "" {
		return kind
	}
	if words := r.lookup(entity, s.name); len(words) > 0 {
		return r.enumeration(id, words, entity, role)
	}
	known := extracted[entity]
	switch {
	case known != "" && known != "text" && !(known == "number" && s.kind == "float"):
		return known
	case s.kind == "bool":
		return "boolean"
	}
	if values := r.choices(s); len(values) > 1 {
		return r.enumeration(id, values, entity, role)
	}
	return ""
}

// timeKind prefers what the question asks for: Duckling's entity "time" may be a day, an hour or a span.
func timeKind(byName, byPrompt string) string {
	if byPrompt != "" {
		return byPrompt
	}
	return byName
}

func numberKind(words string, said []mention) string {
	if kind := hinted(strings.ToLower(words)); kind == "integer" || looksLike(said) == "integer" {
		return "integer"
	}
	return "number"
}

func hinted(words string) string {
	for _, h := range hints {
		if h.words.MatchString(words) {
			return h.kind
		}
	}
	return ""
}

func looksLike(said []mention) string {
	for _, l := range looks {
		if len(said) > 0 && !slices.ContainsFunc(said, func(m mention) bool { return !l.form.MatchString(m.text) }) {
			return l.kind
		}
	}
	return ""
}

// repeated returns the values of an entity if they are few and recur.
func repeated(said []mention) []string {
	var values []string
	for _, m := range said {
		if !slices.Contains(values, strings.ToLower(m.value)) {
			values = append(values, strings.ToLower(m.value))
		}
	}
	if len(said) >= 3*len(values) || len(values) <= 12 && 2*len(said) >= 3*len(values) {
		return values
	}
	return nil
}

// entity returns the entity that fills a slot; "" for none.
func (s *slot) entity() (entity, role string) {
	for _, m := range s.mappings {
		if m.kind == "from_entity" {
			return m.entity, m.role
		}
	}
	if len(s.mappings) == 0 {
		return s.name, "" // Rasa 2 fills a slot by the entity of its name
	}
	return "", ""
}

// yesNo reports whether a slot is true after a yes and false after a no, and no entity fills it.
func (s *slot) yesNo() bool {
	yes, no := false, false
	for _, m := range s.mappings {
		value, isBool := truth(m.value.Value())
		switch {
		case m.kind == "from_entity":
			return false
		case m.kind != "from_intent":
		case !isBool:
			return false
		case value:
			yes = yes || slices.ContainsFunc(m.intents, func(i string) bool { return builtinOf(i) == "affirm" })
		default:
			no = no || slices.ContainsFunc(m.intents, func(i string) bool { return builtinOf(i) == "deny" })
		}
	}
	return yes && no
}

// truth reads a yes or a no. YAML 1.2, which Rasa writes, takes yes and no for texts.
func truth(value any) (yes, ok bool) {
	switch value {
	case true, "yes", "Yes", "true", "True":
		return true, true
	case false, "no", "No", "false", "False":
		return false, true
	}
	return false, false
}

// patterns declares a type of the regular expressions that have the name of the entity or the slot.
func (r *reader) patterns(id, entity, slot string) string {
	for _, name := range []string{entity, slot} {
		var list []string
		for _, p := range r.nlu.regexes[name] {
			if _, err := expr.CompilePattern(p.text); err != nil || p.text == "" {
				r.bot.Report.Add(p.at, convert.Left, "the pattern of %s: %v", name, err)
				continue
			}
			list = append(list, p.text)
		}
		delete(r.nlu.regexes, name)
		if len(list) > 0 && name != "" {
			kind := r.typeName(id)
			r.bot.Types = append(r.bot.Types, &convert.Type{Name: kind, Patterns: list})
			return kind
		}
	}
	return ""
}

func (r *reader) lookup(names ...string) []string {
	for _, name := range names {
		if words := r.nlu.lookups[name]; len(words) > 0 && name != "" {
			return words
		}
	}
	return nil
}

// choices returns the values that the buttons of a slot's questions give.
func (r *reader) choices(s *slot) []string {
	var out []string
	for _, resp := range r.prompts(s.name) {
		for _, v := range resp.variants {
			for _, b := range v.buttons {
				if value := b.value(s.name); value != "" && !slices.Contains(out, value) {
					out = append(out, value)
				}
			}
		}
	}
	return out
}

// enumeration declares a type with values, those that are marked in examples, and their synonyms.
func (r *reader) enumeration(id string, values []string, entity, role string) string {
	key := entity + "\x00" + strings.Join(values, "\x00")
	if kind := r.made.enums[key]; kind != "" && entity != "" { // roles of one entity, which have the same values
		return kind
	}
	if role != "" {
		id = convert.Snake(entity)
	}
	t := &convert.Type{Name: r.typeName(id), Fuzzy: 1}
	r.made.enums[key] = t.Name
	add := func(value, spelling string) {
		value, spelling = strings.TrimSpace(value), strings.TrimSpace(spelling)
		if value == "" {
			return
		}
		i := slices.IndexFunc(t.Values, func(v convert.Value) bool { return strings.EqualFold(v.Value, value) })
		if i < 0 {
			i = len(t.Values)
			t.Values = append(t.Values, convert.Value{Value: value})
		}
		taken := slices.ContainsFunc(t.Values, func(v convert.Value) bool {
			return strings.EqualFold(v.Value, spelling) || slices.ContainsFunc(v.Synonyms, func(s string) bool { return strings.EqualFold(s, spelling) })
		})
		if spelling != "" && !taken {
			t.Values[i].Synonyms = append(t.Values[i].Synonyms, spelling)
		}
	}
	for _, v := range values {
		add(r.nlu.normal(v), v)
	}
	for _, m := range r.nlu.mentions(entity, "") {
		add(r.nlu.normal(m.value), m.text)
	}
	for _, v := range slices.Clone(t.Values) {
		for _, s := range r.nlu.synonyms[v.Value] {
			add(v.Value, s)
		}
	}
	r.bot.Types = append(r.bot.Types, t)
	return t.Name
}

// typeName returns the name of a declared type; a built-in one would be narrowed.
func (r *reader) typeName(id string) string {
	name := id
	for n := 2; slices.Contains(config.BuiltinTypes, name) || slices.ContainsFunc(r.bot.Types, func(t *convert.Type) bool { return t.Name == name }); n++ {
		name = fmt.Sprintf("%s_%d", id, n)
		if n == 2 {
			name = id + "_value"
		}
	}
	return name
}
