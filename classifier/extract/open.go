package extract

import (
	"slices"

	"github.com/slotway/slotway/classifier/extract/internal/currency"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/message"
)

// What the words beside a number make of it: another value than the one that is written.

// amountKinds are the kinds of finds that words before them turn round or make an end.
var amountKinds = message.Words("number money percentage ordinal time")

// leftOpen refuses a number that the words before it turn round, "all but 20", and as the answer to its
// own question one that is only an end of what is meant: "no more than 20". A param that holds such
// an end, by its label, takes it. Of a time whose day was said nothing is told: the day is kept, and its
// time asked for.
func (x *Extractor) leftOpen(s *reading, r *recogniser, f *find.Find, asked string, dated bool, c *collector) bool {
	from := s.TurnedRound(f.From)
	turned := from < f.From
	if n := s.EndsTerm(f.From, "bound_number"); !turned && s.EndsTerm(f.From-n, "alternative") == 0 { // 2 or no more than 3
		from -= n
	}
	said := &find.Find{From: from, To: f.To}
	if f.Kind == "time" {
		said = s.limit(f)
	}
	open := said.From < f.From || said.To > f.To
	refused := false
	for _, p := range r.params {
		if turned || open && (p == asked || f.Kind == "time") && !x.holdsEnd(p) {
			if refused = true; !dated {
				c.refuse(s, p, said, message.WrongAmount)
			}
		}
	}
	return refused
}

// limit is a time with the words that make it an end of what is meant: "not before 3", "3pm or later".
func (s *reading) limit(f *find.Find) *find.Find {
	_, n := s.TermAt(f.To, "bound_tail")
	if !s.Ends(f.To + n) {
		n = 0
	}
	return &find.Find{From: f.From - s.EndsTerm(f.From, "bound_time"), To: f.To + n}
}

// limited reports whether a time is only an end of what is meant.
func (s *reading) limited(f *find.Find) bool {
	l := s.limit(f)
	return l.From < f.From || l.To > f.To
}

// holdsEnd reports whether the words of a param say that it holds an end of something: a limit.
func (x *Extractor) holdsEnd(p string) bool {
	return slices.ContainsFunc(x.about[p].words, func(w string) bool {
		return slices.ContainsFunc(x.language.Words[w], func(t message.Term) bool { return t.Class == "bound_label" && len(t.Words) == 1 })
	})
}

// shareUnits gives a number the unit of the next one where only one of the two is meant: 10 or 20
// dollars. Nobody who says that means ten of another currency.
func (s *reading) shareUnits(finds []find.Find) {
	for i := len(finds) - 1; i > 0; i-- {
		a, b := &finds[i-1], &finds[i]
		v, plain := a.Value.(float64)
		if a.Kind != "number" || !plain || !s.alternates(a, b) {
			continue
		}
		switch unit := b.Value.(type) {
		case currency.Amount:
			unit.Value = v
			a.Kind, a.Value, a.Confidence = b.Kind, unit, b.Confidence
		case float64:
			if b.Kind == "percentage" {
				a.Kind, a.Confidence = b.Kind, b.Confidence
			}
		}
	}
}

// alternates reports whether one of two finds is meant: a word of choice stands between them, or
// "between" before them.
func (s *reading) alternates(a, b *find.Find) bool {
	if s.EndsTerm(a.From, "between") > 0 && b.From == a.To+1 {
		return true
	}
	_, n := s.TermAt(a.To, "alternative")
	return n > 0 && a.To+n == b.From
}
