package extract

import (
	"strings"
	"time"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/extract/internal/numbers"
	"github.com/slotway/slotway/classifier/message"
)

// What the steps behind the recognisers know of another language.

// sameEverywhere are the built-in types whose values are written alike in all languages.
var sameEverywhere = message.Words("email url phone boolean")

// cycleOf returns the cycle of a day that these words alone name.
func (x *Extractor) cycleOf(text string, now time.Time) calendar.Cycle {
	s := newReading(text, x.options.clock(now), "date", x.language)
	for i := range s.Tokens {
		if f := s.byRows.Day(&s.Reader, i); f != nil {
			return f.Cycle
		}
	}
	return calendar.Once
}

// namesThing reports whether the words beside a number make it the name of a thing, "apt 4", "no. 14",
// "#3", or the number of a house.
func (s *reading) namesThing(f *find.Find) bool {
	if numbers.NamesThing(s.Message, f.From) {
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
