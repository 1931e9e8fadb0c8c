package extract

import (
	"slices"
	"strconv"
	"time"

	"github.com/slotway/slotway/classifier/extract/internal/currency"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/extract/internal/phone"
	"github.com/slotway/slotway/classifier/extract/internal/rows"
	"github.com/slotway/slotway/classifier/extract/internal/web"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// RecognizeKind finds the values of one built-in type as if no other existed: the number
// in "5 dollars", both numbers in 1-222. It is how recognisers are compared with others;
// an [Extractor] reads a message as [Recognize] does. Units of money without an amount
// are found too, with a nil Value. Of yes and no there is at most one. The types that
// only answer a question (text, person, location) are not found, nor is an unknown kind.
func RecognizeKind(kind, text string, now time.Time, opts *Options) []Entity {
	o := opts.at("", "")
	if !message.LanguageOf(o.Language).Coded && !sameEverywhere[kind] {
		return slices.DeleteFunc(Recognize(text, now, opts), func(e Entity) bool { return e.Kind != kind })
	}
	s := newReading(text, o.clock(now), "", rows.Of(o.Language))
	s.Currency, s.Only = o.Currency, kind
	at := message.PlacesOf(text)
	var out []Entity
	var rule func(int) *find.Find
	switch kind {
	case "number", "integer", "ordinal", "percentage", "money":
		s.byRows.Begin(&s.Reader)
		defer s.byRows.End()
		rule = func(i int) *find.Find { return s.byRows.OfKind(&s.Reader, i) }
	case "boolean":
		rule = s.choiceIn()
	case "email", "url", "phone":
		for _, sp := range s.address(kind, o.Region) {
			out = append(out, spanEntity(&sp, text, &at))
		}
		return out
	default:
		if !slices.Contains(config.BuiltinTypes, kind) {
			return nil
		}
		return slices.DeleteFunc(Recognize(text, now, opts), func(e Entity) bool { return e.Kind != kind })
	}
	for i := 0; i < len(s.Tokens); {
		f := rule(i)
		if f == nil {
			i++
			continue
		}
		i = f.To
		if f.Kind == "" {
			continue
		}
		if kind == "integer" {
			if v, ok := f.Value.(float64); !ok || v != float64(int64(v)) {
				continue
			}
			f.Kind = kind
		}
		out = append(out, s.entity(f, &at))
	}
	return out
}

// address finds e-mail addresses, URLs or phone numbers alone.
func (s *reading) address(kind, region string) []find.Span {
	switch kind {
	case "email":
		return web.Emails(s.Text, nil)
	case "url":
		return web.URLs(s.Message, nil, nil)
	}
	return (&phone.Dialer{Region: region}).Phones(s.Message, web.Emails(s.Text, web.URLs(s.Message, nil, nil)), nil)
}

func (s *reading) entity(f *find.Find, at *message.Places) Entity {
	start, end := s.Tokens[f.From].Start, s.endOf(f)
	e := Entity{
		Kind: f.Kind, Start: at.Point(start), End: at.Point(end), Text: s.Text[start:end],
		Value: f.Plain(), Confidence: f.Confidence, Resolution: f.Resolution(),
	}
	switch v := f.Value.(type) {
	case float64:
		e.Normal = figure(v)
		if f.Kind == "percentage" {
			e.Normal += "%"
		}
	case currency.Amount:
		e.Unit, e.Code = v.Unit.Name, v.Unit.ISO()
		if e.Normal = figure(v.Value); v.Missing {
			e.Normal, e.Value = "", nil
		}
	}
	return e
}

func spanEntity(sp *find.Span, text string, at *message.Places) Entity {
	return Entity{
		Kind: sp.Kind, Start: at.Point(sp.Start), End: at.Point(sp.End), Text: text[sp.Start:sp.End],
		Value: sp.Value, Confidence: sp.Confidence,
	}
}

// figure writes a number with the 15 digits that a float64 holds for certain.
func figure(v float64) string { return strconv.FormatFloat(v, 'G', 15, 64) }
