package lex

import (
	"regexp"
	"strings"

	"github.com/slotway/slotway/config/convert"
)

// builtinTypes maps the slot types of Lex to built-in types.
var builtinTypes = map[string]string{
	"AMAZON.Date": "date", "AMAZON.Time": "time", "AMAZON.Number": "number", "AMAZON.Duration": "duration", "AMAZON.Percentage": "percentage",
	"AMAZON.EmailAddress": "email", "AMAZON.PhoneNumber": "phone", "AMAZON.City": "location", "AMAZON.Country": "location", "AMAZON.State": "location",
	"AMAZON.StreetName": "text", "AMAZON.FirstName": "person", "AMAZON.LastName": "person", "AMAZON.AlphaNumeric": "text", "AMAZON.FreeFormInput": "text",
	"AMAZON.Airport": "location", "AMAZON.UKPostalCode": "zip", "AMAZON.Confirmation": "boolean",
}

// readTypes reads the slot types that the bot declares.
func (r *reader) readTypes() error {
	for _, name := range r.under("SlotTypes", "SlotType.json") {
		var t slotTypeFile
		lines, err := r.json(name, &t)
		if err != nil {
			return err
		}
		r.slotType(&t, lines)
	}
	return nil
}

func (r *reader) slotType(t *slotTypeFile, lines *convert.Lines) {
	out := &convert.Type{Name: r.bot.FreeType(t.Name)}
	rep := &r.bot.Report
	switch {
	case t.External != nil:
		r.types[t.Name] = "text"
		rep.Decide(lines.Whole(), "slot type %s comes from a grammar outside of the export: its params are of type text", t.Name)
		return
	case t.CompositeSetting != nil:
		r.types[t.Name] = "text"
		rep.Decide(lines.Whole(), "slot type %s is made of several slots: ask for each with a param of its own", t.Name)
		return
	case t.Selection.Regex != nil:
		pattern := t.Selection.Regex.Pattern
		re, err := regexp.Compile(pattern)
		if err != nil {
			r.types[t.Name] = "text"
			rep.Decide(lines.Of(pattern), "the pattern of %s is none of RE2 (%s): write it anew", t.Name, err)
			return
		}
		open := "(?:" // the value is the whole match
		if re.NumSubexp() > 0 {
			open = "(" // else it would be the pattern's own first group
		}
		out.Patterns = []string{`\b` + open + strings.TrimSuffix(strings.TrimPrefix(pattern, "^"), "$") + `)\b`}
	case len(t.SlotTypeValues) == 0:
		r.types[t.Name] = "text"
		if known := builtinTypes[t.Parent]; known != "" {
			r.types[t.Name] = known
		}
		rep.Add(lines.Whole(), convert.Carried, "slot type %s has no values: its params are of type %s", t.Name, r.types[t.Name])
		return
	default:
		var values []convert.Value
		for _, v := range t.SlotTypeValues {
			value := convert.Value{Value: v.Sample.Value}
			for _, s := range v.Synonyms {
				value.Synonyms = append(value.Synonyms, s.Value)
			}
			values = append(values, value)
		}
		out.Add(values)
		if t.Selection.Strategy == "ORIGINAL_VALUE" {
			r.free[t.Name] = true
			out.Open = append(out.Open, rep.Decide(lines.Of(t.Selection.Strategy),
				"Lex takes any answer for %s and has these values as examples only, so its params have `else: keep`; remove it where only the values will do", t.Name))
		}
		if t.Parent != "" {
			out.Open = append(out.Open, rep.Decide(lines.Of(t.Parent), "%s adds values to %s; the agent knows the added ones only", t.Name, t.Parent))
		}
	}
	r.types[t.Name] = out.Name
	r.bot.Types = append(r.bot.Types, out)
}

// typeOf returns the type of a slot in the agent.
func (r *reader) typeOf(slot *slotFile, lines *convert.Lines) string {
	if name, ok := r.types[slot.Type]; ok {
		return name
	}
	if name, ok := builtinTypes[slot.Type]; ok {
		return name
	}
	r.bot.Report.Decide(lines.Of(slot.Type), "slot type %s is not known: %s is of type text", slot.Type, slot.Name)
	return "text"
}

// amazonSamples are values of Amazon's types that a built-in type has no good ones for.
var amazonSamples = map[string][]string{
	"AMAZON.AlphaNumeric": {"A1B2C3", "48213", "XK204"}, "AMAZON.StreetName": {"Main Street", "Fifth Avenue"},
}

// samples returns values of a param for example sentences.
func (r *reader) samples(param string) []string {
	p := r.bot.Param(param)
	if p == nil {
		return nil
	}
	if own := amazonSamples[r.amazon[param]]; own != nil {
		return own
	}
	for _, t := range r.bot.Types {
		if t.Name != p.Type {
			continue
		}
		var values []string
		for _, v := range t.Values {
			values = append(values, v.Value)
		}
		return values
	}
	return convert.Samples[p.Type]
}
