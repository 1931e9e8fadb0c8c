package extract

import (
	"slices"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/extract/internal/people"
	"github.com/slotway/slotway/classifier/extract/internal/scan"
)

// standsAsTime reports whether a plain number may answer a question for a time: it counts
// nobody, names nothing, and no other time is said.
func (x *Extractor) standsAsTime(s *reading, f *find.Find, companies []people.Company, finds []find.Find) bool {
	if !s.HourEnds(f.To) || people.Within(companies, f) || s.namesThing(f) || x.countsElse(s, f) {
		return false
	}
	clocked := slices.ContainsFunc(finds, func(g find.Find) bool { return g.Kind == "time" || g.Kind == "datetime" })
	return !clocked || s.Low(f.To) == "or" || s.Is(f.From-1, hourLinks) || s.SymbolAt(f.From-1, ",") && s.Is(f.From-2, hourLinks)
}

// hourLinks stand between a time and another one that may be a bare number: "7:30, no, 8".
var hourLinks = scan.Words("or no nope rather wait actually sorry mean make it to until and between better")

// bareHour gives a plain number to the params of a type of times that it answers.
func (x *Extractor) bareHour(s *reading, in *classifier.Input, r *recogniser, f *find.Find, finds []find.Find, c *collector) {
	if in.Asked == nil || !slices.Contains(r.params, in.Asked.Param) || s.inAddress(f) {
		return
	}
	clock, ok := s.BareClock(f)
	if !ok {
		return
	}
	g := find.Bent(f)
	g.Kind, g.Value = "time", clock
	held := known(in, in.Asked.Param)
	g = s.likeKnown(g, held)
	v, _, ok := s.asTime(g, "time", true)
	if r.Builtin == "datetime" { // the other half of a day that was said before
		if _, day, _ := moment(held, s.Clock.Now.Location()); !day {
			return
		}
		v, ok = x.half(s, in, in.Asked.Param, g, finds)
	}
	if start, end := s.Tokens[f.From].Start, s.Tokens[f.To-1].End; ok && r.agrees(s.Text[start:end]) {
		c.bytes(in.Asked.Param, v, start, end, "builtin", g.Confidence)
	}
}
