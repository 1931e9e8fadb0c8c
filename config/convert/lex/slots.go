package lex

import (
	"cmp"
	"maps"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
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

// slotType makes a type of a slot type. One that cannot be is text.
func (r *reader) slotType(_ string, n *convert.Node) error {
	name, parent := n.Str("name"), n.Str("parentSlotTypeSignature")
	out, rep := &convert.Type{Name: r.bot.FreeType(name)}, &r.bot.Report
	r.types[name] = cmp.Or(builtinTypes[parent], "text")
	pattern, values := n.Str("valueSelectionSetting", "regexFilter", "pattern"), n.List("slotTypeValues")
	switch re, err := regexp.Compile(pattern); {
	case err != nil:
		rep.Decide(n.Place("valueSelectionSetting"), "the pattern of %s is none of RE2 (%s): write it anew", name, err)
		return nil
	case pattern != "":
		open := "(?:" // the value is the whole match
		if re.NumSubexp() > 0 {
			open = "(" // else it would be the pattern's own first group
		}
		out.Patterns = []string{`\b` + open + strings.TrimSuffix(strings.TrimPrefix(pattern, "^"), "$") + `)\b`}
	case len(values) == 0: // a grammar and a type made of several slots are listed as unread
		rep.Decide(n.Place(), "slot type %s has no values: its params are of type %s", name, r.types[name])
		return nil
	}
	var list []convert.Value
	for _, v := range values {
		value := convert.Value{Value: v.Str("sampleValue", "value")}
		for _, s := range v.List("synonyms") {
			value.Synonyms = append(value.Synonyms, s.Str("value"))
		}
		list = append(list, value)
	}
	if out.Add(list); n.Str("valueSelectionSetting", "resolutionStrategy") == "ORIGINAL_VALUE" && pattern == "" {
		r.free[name] = true
		out.Open = append(out.Open, rep.Decide(n.Place("valueSelectionSetting"),
			"Lex takes any answer for %s and has these values as examples only, so its params have `else: keep`; remove it where only the values will do", name))
	}
	if parent != "" && pattern == "" {
		out.Open = append(out.Open, rep.Decide(n.Place("parentSlotTypeSignature"), "%s adds values to %s; the agent knows the added ones only", name, parent))
	}
	r.types[name] = out.Name
	r.bot.Types = append(r.bot.Types, out)
	return nil
}

// slots reads the slots of an intent in the order of their priorities, and makes their params.
func (r *reader) slots(dir string, in *convert.Node) (list []*convert.Node, err error) {
	order := map[string]int{}
	for _, p := range in.List("slotPriorities") {
		order[p.Str("slotName")], _ = strconv.Atoi(p.Str("priority"))
	}
	for _, name := range r.names {
		if strings.HasPrefix(name, dir+"/Slots/") && path.Base(name) == "Slot.json" {
			s, err := r.JSON(name)
			if err != nil {
				return nil, err
			}
			list = append(list, s)
		}
	}
	rank := func(s *convert.Node) int { // one without a priority is asked for last
		if n, known := order[s.Str("name")]; known {
			return n
		}
		return math.MaxInt
	}
	slices.SortStableFunc(list, func(a, b *convert.Node) int { return cmp.Compare(rank(a), rank(b)) })
	for _, name := range slices.Sorted(maps.Keys(order)) {
		if !slices.ContainsFunc(list, func(s *convert.Node) bool { return s.Str("name") == name }) {
			r.bot.Report.Add(in.Place("slotPriorities"), convert.Left, "the export has no file of slot %s", name)
		}
	}
	return list, nil
}

// param makes the param of a slot. Slots of several intents are one param if they have the same name and
// differ in their questions only.
func (r *reader) param(s *convert.Node) string {
	name, kind := s.Str("name"), s.Str("slotTypeName")
	p := &convert.Param{Name: convert.Snake(name), Type: r.typeOf(s), List: s.Is("multipleValuesSetting", "allowMultipleValues"), Keep: r.free[kind]}
	for _, d := range s.List("valueElicitationSetting", "defaultValueSpecification", "defaultValueList") {
		if text := d.Str("defaultValue"); p.Default != nil || strings.ContainsAny(text[:min(len(text), 1)], "#[") {
			p.Open = append(p.Open, r.bot.Report.Decide(d.At, "a default of %s is %s, a further one, or from a context or a session attribute", name, text))
		} else {
			p.Default = text
		}
	}
	same := func(o *convert.Param) bool {
		return r.source[o] == name && o.Type == p.Type && o.List == p.List && o.Default == p.Default
	}
	if known := convert.Find(r.bot.Params, same); known != nil {
		p = known
	} else {
		p.Name = r.bot.FreeParam(name)
		r.source[p] = name
		r.bot.Params = append(r.bot.Params, p)
	}
	hidden := strings.EqualFold(strings.ReplaceAll(s.Str("obfuscationSetting", "obfuscationSettingType"), "_", ""), "DefaultObfuscation")
	if hidden && !slices.Contains(r.bot.Redact, p.Name) {
		r.bot.Redact = append(r.bot.Redact, p.Name)
	}
	return p.Name
}

// typeOf returns the type of a slot in the agent.
func (r *reader) typeOf(s *convert.Node) string {
	kind := s.Str("slotTypeName")
	if name := cmp.Or(r.types[kind], builtinTypes[kind]); name != "" {
		return name
	}
	r.bot.Report.Decide(s.Place("slotTypeName"), "slot type %s is not known: %s is of type text", kind, s.Str("name"))
	return "text"
}

// samples returns values of a param for example sentences.
func (r *reader) samples(param string) []string {
	p := r.bot.Param(param)
	if p == nil {
		return nil
	}
	t := r.bot.Type(p.Type)
	if t == nil {
		return said[p.Type]
	}
	var values []string
	for _, v := range t.Values {
		values = append(values, v.Value)
	}
	return values
}

// said are values of built-in types, as people say them.
var said = map[string][]string{
	"date": {"tomorrow", "Friday", "June 12", "next Monday", "the 3rd of May"}, "time": {"3 pm", "noon", "half past ten", "18:30", "9 in the morning"},
	"datetime": {"tomorrow at 3 pm", "Friday at noon", "June 12 at 18:30"}, "duration": {"two hours", "3 days", "a week", "45 minutes"},
	"integer": {"2", "three", "7", "twelve"}, "number": {"2", "3.5", "seven", "120"}, "percentage": {"10 percent", "25%", "half a percent"},
	"money": {"$20", "50 euros", "120 dollars"}, "email": {"ana@example.com", "tom.berg@example.org"},
	"phone": {"202-555-0142", "+44 20 7946 0018"}, "url": {"example.com", "https://example.org/help"}, "person": {"Ana Lima", "Tom Berg", "Lena Fischer"},
	"location": {"Lisbon", "Boston", "Paris", "New York"}, "zip": {"02139", "10115"},
	"ordinal": {"the first", "the second"}, "daterange": {"this weekend", "June 3 to June 7"}, "text": {"something else"},
}
