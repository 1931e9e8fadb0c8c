package dialogflow

import (
	"regexp"
	"strings"

	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/pattern"
)

// builtins maps the system entities of Dialogflow to built-in types.
var builtins = map[string]string{
	"date": "date", "time": "time", "date-time": "datetime", "date-period": "daterange", "time-period": "timerange", "duration": "duration",
	"number": "number", "cardinal": "number", "ordinal": "ordinal", "number-integer": "integer", "number-sequence": "text", "flight-number": "text",
	"unit-currency": "money", "currency-name": "text", "percentage": "percentage", "email": "email", "phone-number": "phone", "url": "url",
	"zip-code": "zip", "address": "text", "street-address": "text", "geo-city": "location", "geo-city-gb": "location", "geo-city-us": "location",
	"geo-country": "location", "geo-country-code": "text", "geo-state": "location", "location": "location", "place-attraction": "location",
	"airport": "location", "person": "person", "given-name": "person", "last-name": "person", "any": "text", "age": "integer", "unit-length": "text",
	"unit-weight": "text", "temperature": "text", "unit-information": "text", "color": "text", "language": "text", "music-artist": "text", "music-genre": "text",
}

// typeOf returns the type of a parameter; entity is written @sys.date, @size or size.
func (r *reader) typeOf(entity, param string, at convert.Place) string {
	name := strings.TrimPrefix(entity, "@")
	if known, ok := r.types[name]; ok {
		return known
	}
	if known := builtins[strings.TrimPrefix(name, "sys.")]; known != "" && strings.HasPrefix(name, "sys.") {
		return known
	}
	if name != "" {
		r.bot.Report.Decide(at, "entity %s is not known: %s is of type text", entity, param)
	}
	return "text"
}

// composite matches a value with another entity in it: "@size:size pizza".
var composite = pattern.Must(`(?:^|\s)@[\pL_]`)

// entity makes a type of an entity. One without values is text.
func (r *reader) entity(p *part, entries []*convert.Node) {
	out, rep := &convert.Type{Name: r.bot.FreeType(p.name)}, &r.bot.Report
	if p.Is("allowFuzzyExtraction") || p.Is("enableFuzzyExtraction") {
		out.Fuzzy = 1
	}
	r.redact[p.name] = p.Is("redact")
	patterns := p.Is("isRegexp") || p.Str("kind") == "KIND_REGEXP"
	p.Get("isEnum").Done() // values without synonyms
	var values []convert.Value
	for _, entry := range entries {
		v := convert.Value{Value: entry.Str("value"), Synonyms: entry.Strs("synonyms")}
		switch {
		case patterns:
			for _, text := range append([]string{v.Value}, v.Synonyms...) {
				text = strings.TrimSuffix(strings.TrimPrefix(text, "^"), "$")
				if _, err := regexp.Compile(text); err != nil {
					out.Open = append(out.Open, rep.Decide(entry.At, "a pattern of %s is none of RE2 (%s): write it anew", p.name, err))
				} else if text = `(?i)\b(` + text + `)\b`; len(out.Patterns) == 0 || out.Patterns[len(out.Patterns)-1] != text {
					out.Patterns = append(out.Patterns, text)
				}
			}
		case composite.MatchString(v.Value):
			out.Open = append(out.Open, rep.Decide(entry.At, "a value of %s is made of other entities (%s): it needs params of its own", p.name, v.Value))
		default:
			values = append(values, v)
		}
	}
	switch out.Add(values); {
	case strings.HasPrefix(p.name, "sys."):
		rep.Add(p.Place(), convert.Left, "values that the agent adds to the entity of the system @%s: %d", p.name, len(entries))
		return
	case len(out.Patterns)+len(out.Values) == 0:
		r.types[p.name] = "text"
		rep.Add(p.Place(), convert.Carried, "entity %s has no values: its params are of type text", p.name)
		return
	case p.Is("automatedExpansion") || strings.HasSuffix(p.Str("autoExpansionMode"), "_DEFAULT"):
		out.Open = append(out.Open, rep.Decide(p.Place(), "Dialogflow takes other values than those listed for %s; set `else: keep` at the params that may be anything", p.name))
	}
	r.types[p.name] = out.Name
	r.bot.Types = append(r.bot.Types, out)
}
