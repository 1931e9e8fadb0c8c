package lex

import (
	"regexp"
	"strings"

	"github.com/slotway/slotway/config/convert"
)

// builtins maps the slot types of Lex to built-in types.
var builtins = map[string]string{
	"AMAZON.Date": "date", "AMAZON.Time": "time", "AMAZON.Number": "number", "AMAZON.Duration": "duration", "AMAZON.Percentage": "percentage",
	"AMAZON.EmailAddress": "email", "AMAZON.PhoneNumber": "phone", "AMAZON.City": "location", "AMAZON.Country": "location", "AMAZON.State": "location",
	"AMAZON.StreetName": "text", "AMAZON.FirstName": "person", "AMAZON.LastName": "person", "AMAZON.AlphaNumeric": "text", "AMAZON.FreeFormInput": "text",
	"AMAZON.Airport": "location", "AMAZON.UKPostalCode": "zip", "AMAZON.Confirmation": "boolean",
}

// readTypes reads the slot types that the bot declares.
func (r *reader) readTypes() error {
	for _, name := range r.under("SlotTypes", "SlotType.json") {
		var t slotTypeFile
		lines, err := r.files.JSON(name, &t)
		if err != nil {
			return err
		}
		r.slotType(&t, lines)
	}
	return nil
}

func (r *reader) slotType(t *slotTypeFile, lines *convert.Lines) {
	out := &convert.Type{Name: convert.Snake(t.Name)}
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
		if _, err := regexp.Compile(pattern); err != nil {
			r.types[t.Name] = "text"
			rep.Decide(lines.Of(pattern), "the pattern of %s is none of RE2 (%s): write it anew", t.Name, err)
			return
		}
		out.Patterns = []string{`\b(` + strings.TrimSuffix(strings.TrimPrefix(pattern, "^"), "$") + `)\b`}
	case len(t.SlotTypeValues) == 0:
		r.types[t.Name] = "text"
		if known := builtins[t.Parent]; known != "" {
			r.types[t.Name] = known
		}
		rep.Add(lines.Whole(), convert.Carried, "slot type %s has no values: its params are of type %s", t.Name, r.types[t.Name])
		return
	default:
		r.values(out, t)
		if t.Selection.Strategy == "ORIGINAL_VALUE" {
			out.Open = append(out.Open, rep.Decide(lines.Of(t.Selection.Strategy),
				"Lex takes any answer for %s and has these values as examples only; set `else: keep` at the params that may be anything", t.Name))
		}
	}
	r.types[t.Name] = out.Name
	r.bot.Types = append(r.bot.Types, out)
}

// values adds the values.
func (r *reader) values(out *convert.Type, t *slotTypeFile) {
	all := make([]string, len(t.SlotTypeValues))
	for i, v := range t.SlotTypeValues {
		all[i] = v.Sample.Value
	}
	for _, v := range t.SlotTypeValues {
		spellings := make([]string, len(v.Synonyms))
		for i, s := range v.Synonyms {
			spellings[i] = s.Value
		}
		out.AddValue(v.Sample.Value, spellings, all)
	}
}

// typeOf returns the type of a slot in the agent.
func (r *reader) typeOf(slot *slotFile, lines *convert.Lines) string {
	if name, ok := r.types[slot.Type]; ok {
		return name
	}
	if name, ok := builtins[slot.Type]; ok {
		return name
	}
	r.bot.Report.Decide(lines.Of(slot.Type), "slot type %s is not known: %s is of type text", slot.Type, slot.Name)
	return "text"
}

// samples returns values of a param for example sentences.
func (r *reader) samples(param string) []string {
	p := r.params[param]
	if p == nil {
		return nil
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
