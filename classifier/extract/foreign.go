package extract

import (
	"cmp"
	"strings"
	"time"

	money "golang.org/x/text/currency"
	"golang.org/x/text/language"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/message"
)

// What the steps behind the recognisers know of another language.

// sameEverywhere are the built-in types whose values are written alike in all languages.
var sameEverywhere = message.Words("email url phone boolean")

// cycleOf returns the cycle of a day that these words alone name.
func (x *Extractor) cycleOf(text string, now time.Time) calendar.Cycle {
	if x.language.Coded {
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
		for _, e := range s.Language.Classes["street_ending"] {
			if strings.HasSuffix(w, e.Words[0]) {
				return true
			}
		}
	}
	return false
}

// at fills in what is usual where the users live: how they call, pay and write a day. A region
// that is given comes first, then that of the language tag, then the home of the language.
func (o *Options) at(tag string) Options {
	var v Options
	if o != nil {
		v = *o
	}
	tag = cmp.Or(tag, v.Language)
	v.Region = cmp.Or(strings.ToUpper(v.Region), regionOf(tag), homeOf(tag))
	v.DayFirst = v.DayFirst || !monthFirst[v.Region]
	if region, err := language.ParseRegion(v.Region); err == nil && v.Currency == "" {
		if unit, known := money.FromRegion(region); known {
			v.Currency = unit.String()
		}
	}
	v.Currency = cmp.Or(v.Currency, "USD")
	return v
}

// regionOf is the country that a language tag names: GB of en-GB.
func regionOf(tag string) string {
	t, err := language.Parse(tag)
	if err != nil {
		return ""
	}
	if region, sure := t.Region(); sure == language.Exact && region.IsCountry() {
		return region.String()
	}
	return ""
}

// homeOf is the country where most who speak the language of a tag live.
func homeOf(tag string) string {
	return strings.ToUpper(message.LanguageOf(tag).Classes["home"][0].Words[0])
}

// monthFirst are the countries (ISO 3166) where 3/4 is the 4th of March, as in the date formats of
// CLDR 44.
var monthFirst = message.Words("AS BZ FM GU MH MP PH PR PW UM US VI")
