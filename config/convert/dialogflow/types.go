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

// kinds turns entities into types.
type kinds struct {
	bot   *convert.Bot
	types map[string]string // type in the agent by the name of an entity
	// redact names the entities whose values are hidden.
	redact map[string]bool
}

// of returns the type of a parameter; entity is written @sys.date, @size or size.
func (k *kinds) of(entity, param string, at convert.Place) string {
	name := strings.TrimPrefix(entity, "@")
	if known, ok := k.types[name]; ok {
		return known
	}
	if system, is := strings.CutPrefix(name, "sys."); is {
		if known, ok := builtins[system]; ok {
			return known
		}
	}
	if name != "" {
		k.bot.Report.Decide(at, "entity %s is not known: %s is of type text", entity, param)
	}
	return "text"
}

// entity is an entity of ES or CX.
type entity struct {
	name      string
	patterns  bool // its values are regular expressions
	list      bool // of values without synonyms
	expansion bool
	fuzzy     bool
	redact    bool
	entries   []esEntry
	at        *convert.Lines
}

// add makes a type of an entity.
func (k *kinds) add(e *entity) {
	out := &convert.Type{Name: k.bot.FreeType(e.name)}
	rep := &k.bot.Report
	if e.fuzzy {
		out.Fuzzy = 1
	}
	k.redact[e.name] = e.redact
	switch {
	case strings.HasPrefix(e.name, "sys."):
		rep.Add(e.at.Whole(), convert.Left, "values that the agent adds to the entity of the system @%s: %d", e.name, len(e.entries))
		return
	case len(e.entries) == 0:
		k.types[e.name] = "text"
		rep.Add(e.at.Whole(), convert.Carried, "entity %s has no values: its params are of type text", e.name)
		return
	case e.patterns:
		k.patterns(out, e)
	default:
		k.values(out, e)
	}
	if len(out.Patterns)+len(out.Values) == 0 {
		k.types[e.name] = "text"
		return
	}
	if e.expansion {
		out.Open = append(out.Open, rep.Decide(e.at.Whole(), "Dialogflow takes other values than those listed for %s; set `else: keep` at the params that may be anything", e.name))
	}
	k.types[e.name] = out.Name
	k.bot.Types = append(k.bot.Types, out)
}

func (k *kinds) patterns(out *convert.Type, e *entity) {
	for _, entry := range e.entries {
		for _, p := range append([]string{entry.Value}, entry.Synonyms...) {
			p = strings.TrimSuffix(strings.TrimPrefix(p, "^"), "$")
			if _, err := regexp.Compile(p); err != nil {
				out.Open = append(out.Open, k.bot.Report.Decide(e.at.Of(p), "a pattern of %s is none of RE2 (%s): write it anew", e.name, err))
				continue
			}
			if p = `(?i)\b(` + p + `)\b`; len(out.Patterns) == 0 || out.Patterns[len(out.Patterns)-1] != p {
				out.Patterns = append(out.Patterns, p)
			}
		}
	}
}

// composite matches a value with another entity in it: "@size:size pizza".
var composite = pattern.Must(`(?:^|\s)@[\pL_]`)

// values adds the values.
func (k *kinds) values(out *convert.Type, e *entity) {
	var values []convert.Value
	for _, v := range e.entries {
		if composite.MatchString(v.Value) {
			out.Open = append(out.Open, k.bot.Report.Decide(e.at.Of(v.Value), "a value of %s is made of other entities (%s): it needs params of its own", e.name, v.Value))
			continue
		}
		values = append(values, convert.Value(v))
	}
	out.Add(values)
}
