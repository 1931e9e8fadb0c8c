package config

import (
	"slices"
	"strings"
	"time"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config/expr"
)

// misfit returns why a value does not fit a param's type and validation, "" if it does.
func misfit(p *Param, value any) string {
	if why := typeMisfit(p.Type, value); why != "" {
		return why
	}
	v := p.Validation
	if f, ok := value.(float64); ok {
		if v.Min != nil && f < *v.Min {
			return "it is below min"
		}
		if v.Max != nil && f > *v.Max {
			return "it is above max"
		}
	}
	if s, ok := value.(string); ok {
		switch n := len([]rune(s)); {
		case n < v.MinLength:
			return "it is shorter than min_length"
		case v.MaxLength > 0 && n > v.MaxLength:
			return "it is longer than max_length"
		case v.Pattern != nil && !v.Pattern.MatchString(s):
			return "it does not match the pattern"
		}
	}
	return ""
}

func typeMisfit(t *Type, value any) string {
	switch t.Builtin {
	case "number", "integer", "ordinal", "percentage":
		f, ok := value.(float64)
		if !ok {
			return "it is " + expr.KindOf(value) + ", not a number"
		}
		if t.Builtin != "number" && t.Builtin != "percentage" && f != float64(int64(f)) {
			return "it is not a whole number"
		}
		return ""
	case "boolean":
		if _, ok := value.(bool); !ok {
			return "it is " + expr.KindOf(value) + ", not true or false"
		}
		return ""
	case "money", "date", "time", "datetime", "duration":
		return "" // structured values; their recogniser defines them
	case "daterange", "timerange", "datetimerange", "recurrence":
		return rangeMisfit(t.Builtin, value)
	}
	s, ok := value.(string)
	if !ok {
		return "it is " + expr.KindOf(value) + ", not text"
	}
	if !t.accepts(s) {
		return "the type does not allow it"
	}
	return ""
}

// rangeMisfit returns why a value is no interval or recurrence rule (see BuiltinTypes).
func rangeMisfit(kind string, value any) string {
	s, ok := value.(string)
	start, end, pair := strings.Cut(s, "/")
	switch {
	case !ok:
		return "it is " + expr.KindOf(value) + ", not text"
	case kind == "recurrence":
		if !strings.HasPrefix(s, "FREQ=") {
			return "it is no recurrence rule such as FREQ=WEEKLY;BYDAY=MO"
		}
		return ""
	case !pair || !rangeEnd(kind, start) || !rangeEnd(kind, end) || start == ".." && end == "..":
		return "it is no interval such as " + map[string]string{
			"daterange": "2026-11-08/2026-11-10", "timerange": "T08:00/T12:00", "datetimerange": "2026-11-08T08:00:00/2026-11-08T12:00:00",
		}[kind]
	}
	return ""
}

func rangeEnd(kind, s string) bool {
	if s == ".." {
		return true
	}
	layouts := map[string][]string{
		"daterange": {time.DateOnly}, "timerange": {"T15:04", "T15:04:05"}, "datetimerange": {"2006-01-02T15:04:05"},
	}
	for _, layout := range layouts[kind] {
		if _, err := time.Parse(layout, s); err == nil {
			return true
		}
	}
	return false
}

// accepts reports whether a whole text can be a value of the type, as written or in normal form. A
// built-in type without patterns accepts everything.
func (t *Type) accepts(s string) bool {
	if len(t.Values) > 0 {
		return slices.ContainsFunc(t.Values, func(v EnumValue) bool {
			return t.near(s, v.Value) || slices.ContainsFunc(v.Synonyms, func(syn string) bool { return t.near(s, syn) })
		})
	}
	if len(t.Patterns) == 0 && t.Bare == nil {
		return true
	}
	if t.Bare != nil && t.Bare.MatchString(s) {
		return true
	}
	for _, re := range t.Patterns {
		if re.MatchString(s) {
			return true
		}
	}
	return false
}

func (t *Type) near(a, b string) bool {
	allowed := t.Fuzzy * len(strings.Fields(b))
	return message.Distance(strings.ToLower(a), strings.ToLower(b), allowed+1) <= allowed
}
