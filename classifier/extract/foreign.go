package extract

import (
	"cmp"
	"strings"
	"time"

	money "golang.org/x/text/currency"
	"golang.org/x/text/language"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/extract/internal/foreign"
	"github.com/slotway/slotway/classifier/message"
)

// What the steps behind the recognisers know of another language.

// sameEverywhere are the built-in types whose values are written alike in all languages.
var sameEverywhere = message.Words("email url phone boolean")

// cycleOf returns the cycle of a day that these words alone name.
func (x *Extractor) cycleOf(text string, now time.Time) calendar.Cycle {
	if x.language == nil {
		return cycleOf(text)
	}
	s := newReading(text, calendar.Clock{Now: now, DayFirst: x.options.DayFirst}, "", x.language)
	for i := range s.Tokens {
		if f := s.byRows.Day(&s.Reader, i); f != nil {
			return f.Cycle
		}
	}
	return calendar.Once
}

// namesThingSpoken reports whether the words beside a number make it the name of a thing or
// the number of a house.
func (s *reading) namesThingSpoken(f *find.Find) bool {
	i := f.From
	if s.SymbolAt(i-1, ".:") {
		i--
	}
	if s.SymbolAt(f.From-1, "#") || s.EndsTerm(i, "number_noun") > 0 {
		return true
	}
	if s.Tokens[f.From].Class == message.Digits && (s.IsTerm(f.To, "way_noun") || s.EndsTerm(f.From-1, "way_noun") > 0 || s.EndsTerm(f.From-2, "way_noun") > 0) {
		return true // 12 rue de la paix, calle mayor 12
	}
	if w := s.Low(f.From - 1); w != "" && s.Tokens[f.From].Class == message.Digits {
		for _, e := range s.Foreign.Classes["street_ending"] {
			if strings.HasSuffix(w, e.Words[0]) {
				return true
			}
		}
	}
	return false
}

// at fills in the users' country by their language: German speakers call and pay as in Germany,
// unless the tag names another region.
func (o *Options) at(tag string) Options {
	var v Options
	if o != nil {
		v = *o
	}
	tag = cmp.Or(tag, v.Language)
	t := foreign.Of(tag)
	if t == nil || len(t.Classes["home"]) == 0 {
		return v.withDefaults()
	}
	if _, region, cut := strings.Cut(tag, "-"); cut && len(region) == 2 {
		v.Region = cmp.Or(v.Region, strings.ToUpper(region))
	}
	v.Region = cmp.Or(v.Region, strings.ToUpper(t.Classes["home"][0].Words[0]))
	if region, err := language.ParseRegion(v.Region); err == nil && v.Currency == "" {
		if unit, known := money.FromRegion(region); known {
			v.Currency = unit.String()
		}
	}
	return v.withDefaults()
}
