package extract

import (
	"github.com/slotway/slotway/classifier/extract/internal/choices"
	"github.com/slotway/slotway/classifier/extract/internal/scan"
	"github.com/slotway/slotway/classifier/extract/internal/talk"
)

// mostOrdered is how many values an enumeration has at most whose order people keep in mind.
const mostOrdered = 9

// byOrder reads an answer that names a value of an enumeration by its place: "the second
// one", "number 2", "first", "the last". A figure alone names none.
func (s *reading) byOrder(r *recogniser, param string, c *collector) {
	from, to := talk.Core(s.Message, talk.Opening, talk.Closing, "")
	if len(r.Values) > mostOrdered || from >= to || to-from > 8 || choices.Denied(s.Message, from) {
		return
	}
	for _, p := range s.places(from, to, len(r.Values)) {
		c.tokens(s, param, r.Values[p.Option].Value, p.From, p.To, "enum", orderedValue)
	}
}

// places reads the tokens [from, to) as places in a list of so many; nil where they are more.
func (s *reading) places(from, to, count int) []choices.Choice {
	var picked []choices.Choice
	for i := from; i < to; {
		start := i
		for s.Is(i, orderLeads) || s.SymbolAt(i, "#") {
			i++
		}
		if i >= to {
			return nil
		}
		at, n := choices.Position(s.Message, i, count)
		if n == 0 || at < 1 || at > count || i+n > to || choices.IsFigure(s.Message, i) && !s.Is(i-1, choices.PositionCues) && !s.SymbolAt(i-1, "#") {
			return nil
		}
		picked = append(picked, choices.Choice{Option: at - 1, From: start, To: i + n})
		i = s.behindPlace(i+n, to)
	}
	return picked
}

// behindPlace passes the nouns behind a place and what joins it to the next.
func (s *reading) behindPlace(i, to int) int {
	for i < to && s.Is(i, orderNouns) || i+1 < to && s.Low(i) == "the" && s.Low(i+1) == "list" {
		i++
	}
	for i < to && (s.Low(i) == "and" || s.SymbolAt(i, ",&")) {
		i++
	}
	return i
}

// orderedValue is how sure a value is that was named by its place among the values.
const orderedValue = 0.7

var (
	orderLeads = scan.Words("the a number option choice no nr item take pick choose my")
	orderNouns = scan.Words("one ones option choice item of them please that which you u just said say named mentioned listed gave offered on in from list there above")
)
