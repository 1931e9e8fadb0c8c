package extract

import (
	"slices"
	"strconv"
	"time"

	"github.com/slotway/slotway/config"
)

// RecognizeKind finds the values of one built-in type as if no other existed: the number
// in "5 dollars", both numbers in 1-222. It is how recognisers are compared with others;
// an [Extractor] reads a message as [Recognize] does. Units of money without an amount
// are found too, with a nil Value. Of yes and no there is at most one. The types that
// only answer a question (text, person, location) are not found, nor is an unknown kind.
func RecognizeKind(kind, text string, now time.Time, opts *Options) []Entity {
	o := opts.withDefaults()
	if spoken := tongueOf(o.Language); spoken != nil && !sameEverywhere[kind] {
		return slices.DeleteFunc(Recognize(text, now, opts), func(e Entity) bool { return e.Kind != kind })
	}
	s := newScan(text, clock{now, o.DayFirst}, "")
	s.currency, s.only = o.Currency, kind
	at := newPositions(text)
	var out []Entity
	var rule func(int) *found
	switch kind {
	case "number", "integer":
		rule = func(i int) *found { return s.plainNumber(i) }
	case "ordinal":
		rule = func(i int) *found { return s.plainOrdinal(i) }
	case "percentage":
		rule = func(i int) *found { return s.percentage(i) }
	case "money":
		rule = func(i int) *found { return s.money(i) }
	case "boolean":
		rule = s.choiceIn()
	case "email", "url", "phone":
		for _, sp := range s.address(kind, o.Region) {
			out = append(out, sp.entity(text, at))
		}
		return out
	default:
		if !slices.Contains(config.BuiltinTypes, kind) {
			return nil
		}
		return slices.DeleteFunc(Recognize(text, now, opts), func(e Entity) bool { return e.Kind != kind })
	}
	for i := 0; i < len(s.tokens); {
		f := rule(i)
		if f == nil {
			i++
			continue
		}
		i = f.to
		if kind == "integer" {
			if v, ok := f.value.(float64); !ok || v != float64(int64(v)) {
				continue
			}
			f.kind = kind
		}
		out = append(out, f.entity(s, at))
	}
	return out
}

// address finds e-mail addresses, URLs or phone numbers alone.
func (s *scan) address(kind, region string) []span {
	switch kind {
	case "email":
		return emails(s.text, nil)
	case "url":
		return s.urls(nil, nil)
	}
	return (&dialer{region: region}).phones(s, emails(s.text, s.urls(nil, nil)), nil)
}

func (f *found) entity(s *scan, at positions) Entity {
	start, end := s.tokens[f.from].start, s.endOf(f)
	e := Entity{
		Kind: f.kind, Start: at.rune(start), End: at.rune(end), Text: s.text[start:end],
		Value: f.plain(), Confidence: f.confidence, Resolution: f.resolution(),
	}
	switch v := f.value.(type) {
	case float64:
		e.Normal = figure(v)
		if f.kind == "percentage" {
			e.Normal += "%"
		}
	case amount:
		e.Unit, e.Code = v.unit.name, v.unit.iso()
		if e.Normal = figure(v.value); v.missing {
			e.Normal, e.Value = "", nil
		}
	}
	return e
}

func (sp *span) entity(text string, at positions) Entity {
	return Entity{
		Kind: sp.kind, Start: at.rune(sp.start), End: at.rune(sp.end), Text: text[sp.start:sp.end],
		Value: sp.value, Confidence: sp.confidence,
	}
}

// figure writes a number with the 15 digits that a float64 holds for certain.
func figure(v float64) string { return strconv.FormatFloat(v, 'G', 15, 64) }
