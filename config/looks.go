package config

import "cmp"

// looks maps each built-in type to the name of its values and a sample. It is English, like the
// sentences that use it.
var looks = map[string]struct{ kind, sample string }{
	"number":        {"number", "3.5"},
	"integer":       {"whole number", "3"},
	"ordinal":       {"place in an order", "the second"},
	"boolean":       {"yes or no", "yes"},
	"percentage":    {"percentage", "20%"},
	"money":         {"amount of money", "$25.50"},
	"date":          {"date", "November 21"},
	"time":          {"time of day", "3:30 pm"},
	"datetime":      {"day and time", "November 21 at 3:30 pm"},
	"duration":      {"length of time", "2 hours"},
	"daterange":     {"span of days", "from November 21 to November 24"},
	"timerange":     {"span of time", "from 3 to 5 pm"},
	"datetimerange": {"span of time", "November 21 from 3 to 5 pm"},
	"recurrence":    {"schedule", "every Monday at 8 am"},
	"email":         {"e-mail address", "ana@example.com"},
	"phone":         {"phone number", "555-234-9876"},
	"url":           {"web address", "https://example.com/page"},
	"zip":           {"postal code", "73301"},
	"person":        {"name", "Ana Lee"},
	"location":      {"place", "Boston"},
}

// Kind returns the name of the type's values, without an article: "e-mail address". It is "" for
// free text and for declared types, for which the label of a param stands.
func (t *Type) Kind() string { return looks[t.Builtin].kind }

// Looks returns a sample value as people write it: "ana@example.com". It is the type's own example,
// else the first value of an enumeration; "" if none is known.
func (t *Type) Looks() string {
	if t.Example == "" && len(t.Values) > 0 {
		return t.Values[0].Value
	}
	return cmp.Or(t.Example, looks[t.Builtin].sample)
}
