package extract

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/extract/internal/codes"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/extract/internal/lexicon"
	"github.com/slotway/slotway/classifier/extract/internal/numbers"
	"github.com/slotway/slotway/classifier/extract/internal/people"
	"github.com/slotway/slotway/classifier/extract/internal/when"
	"github.com/slotway/slotway/classifier/message"
)

// A value without a word of what it is for corrects one that is known as it would answer
// its question: "no, the 6th", "make it 45". It may be meant for several params, and nothing
// says that it is meant at all.
const (
	bareValue   = 0.6
	doubtedBare = 0.5
)

// solo is the name of the only param of an extractor of one type.
const solo = "value"

// soloOf returns an extractor that knows one built-in type only, to read a stretch of a
// message as an answer.
func (x *Extractor) soloOf(r *recogniser) *Extractor {
	if r.Builtin == "" || numbers.Counts[r.Builtin] || r.Open() || r.Builtin == "boolean" {
		return nil
	}
	one := *r
	one.params = []string{solo}
	return &Extractor{
		options: x.options, language: x.language, types: []*recogniser{&one}, params: map[string][]*recogniser{solo: {&one}},
		builtin: map[string]bool{r.Builtin: true}, scanned: needsScan(r.Builtin), byKind: map[string][]*recogniser{r.Builtin: {&one}}, heads: message.Set{},
	}
}

// corrections finds the values that may correct known params: every stretch of the message that is,
// as a whole, a value of one of them.
func (x *Extractor) corrections(s *reading, in *classifier.Input, c *collector) {
	rest := s.remainders()
	for _, r := range rest {
		if x.correct(s, in, r, c) {
			continue
		}
		for _, part := range s.parts(r) {
			x.correct(s, in, part, c)
		}
	}
}

// correct reads one stretch as a value of the type of each known param.
func (x *Extractor) correct(s *reading, in *classifier.Input, r remainder, c *collector) bool {
	r = s.without(r, "bare_lead")
	if r.from >= r.to || r.to-r.from > longRemainder {
		return false
	}
	before := c.bares
	for _, t := range x.types {
		if find.RangeLayouts[t.Builtin] != "" {
			continue // what corrects one end of a range is no whole one
		}
		if t.Open() || t.Builtin == "boolean" || t.enum != nil && t.enum.Yes != "" {
			continue
		}
		if t.Tail != nil && in.Asked != nil && c.has(in.Asked.Param) {
			continue // the digits are those of what was asked for
		}
		var read []bared
		done := false
		for _, p := range t.params {
			if !corrects(in, p) {
				continue
			}
			if !done || clockKinds[t.Builtin] || t.Builtin == "money" { // what is known completes a time or an amount
				read, done = x.bareIn(s, in, t, r, in.Params[p]), true
			}
			for _, b := range read {
				if x.restIs(s, t, p, r, b) {
					c.bare(s, p, b)
				}
			}
		}
	}
	return c.bares > before
}

// without drops words at the head of a remainder.
func (s *reading) without(r remainder, drop string) remainder {
	for r.from < r.to && s.In(r.from, drop) && !s.Exact[r.from] {
		r.from++
	}
	return r
}

// corrects reports whether a param is known and another one is asked for.
func corrects(in *classifier.Input, param string) bool {
	return slices.Contains(in.Filled, param) && (in.Asked == nil || in.Asked.Param != param)
}

// bared is a value of a type in a remainder. Offsets are bytes.
type bared struct {
	value      any
	start, end int
	people     bool // it says who comes
	doubt      bool
}

// bareIn reads a remainder as an answer that is a value of a type.
func (x *Extractor) bareIn(s *reading, in *classifier.Input, t *recogniser, r remainder, held any) []bared {
	switch {
	case t.enum != nil:
		head := s.without(r, "leftover").from
		for i := r.from; i < min(r.to, head+2); i++ { // a word of its label may stand before it
			if v, n, exact := t.enum.At(s.Message, i, true); n > message.Btoi(i < head) && i+n <= r.to { // "a minus"
				return s.baredAt(v, i, i+n, !exact)
			}
		}
	case numbers.Counts[t.Builtin]:
		return x.bareCount(s, t, r)
	case t.coded():
		return x.bareCode(s, t, s.without(r, "leftover"))
	case t.Builtin == "date" && s.OpenPoint(r.from) && x.figuresKnown(in):
		return nil
	case t.solo != nil && (t.Builtin == "email" || t.Builtin == "url" || s.mayStart(r.from)):
		return t.bareBuiltin(s, in, r, held)
	}
	return nil
}

// baredAt is a value of the tokens [from, to).
func (s *reading) baredAt(v any, from, to int, doubt bool) []bared {
	return []bared{{value: v, start: s.Tokens[from].Start, end: s.Tokens[to-1].End, doubt: doubt}}
}

// bareCode reads an id or a code.
func (x *Extractor) bareCode(s *reading, t *recogniser, r remainder) []bared {
	run := codes.CodeRun(s.Message, r.from, x.heads)
	for len(run) > 0 && run[len(run)-1].To > r.to {
		run = run[:len(run)-1]
	}
	if len(run) > 0 {
		if v, _ := t.spelling(run, true); v != "" {
			return s.baredAt(v, r.from, run[len(run)-1].To, false)
		}
	}
	if r.from == r.to {
		return nil
	}
	if v := t.bareMatch(s.Text[s.Tokens[r.from].Start:s.Tokens[r.to-1].End], true); v != "" && s.hasDigit(r) {
		return s.baredAt(v, r.from, r.to, false)
	}
	return nil
}

func (s *reading) hasDigit(r remainder) bool {
	return slices.ContainsFunc(s.Tokens[r.from:r.to], func(t message.Token) bool { return t.Class == message.Digits })
}

// bareCount reads a party, or a plain number.
func (x *Extractor) bareCount(s *reading, t *recogniser, r remainder) []bared {
	if who := s.companyIn(r); x.peopled && !x.ages && who.Count > 0 {
		return []bared{{value: float64(who.Count), start: s.Tokens[who.From].Start, end: s.Tokens[who.To-1].End, people: true}}
	}
	r = s.without(r, "leftover")
	asked := s.Asked
	s.Asked = t.Builtin // 10 455 is one number
	v, n := numbers.Read(s.Message, r.from)
	s.Asked = asked
	f := find.Find{Kind: "number", From: r.from, To: r.from + n}
	if n == 0 || f.To > r.to || numbers.Joined(s.Message, f.From, f.To) || t.Builtin == "integer" && v != float64(int64(v)) || s.inAddress(&f) {
		return nil
	}
	return []bared{{value: v, start: s.Tokens[f.From].Start, end: s.Tokens[f.To-1].End}}
}

// companyIn reads a party in a remainder.
func (s *reading) companyIn(r remainder) people.Company {
	who := people.CompanyAt(&s.Reader, r.from)
	if _, n := s.TermAt(r.from, "alone"); n > 1 || s.In(r.from, "alone_word") {
		who = people.Company{From: r.from, To: r.from + n, Count: 1}
	}
	if who.To > r.to {
		return people.Company{}
	}
	return who
}

// bareBuiltin asks the extractor of a built-in type alone.
func (t *recogniser) bareBuiltin(s *reading, in *classifier.Input, r remainder, held any) []bared {
	if t.Builtin == "date" && s.anyTerm(r.from, r.to, "hourly") {
		return nil // an hour later
	}
	start := s.Tokens[r.from].Start
	text := s.Text[start:s.Tokens[r.to-1].End]
	var out []bared
	alone := classifier.Input{Text: text, Now: in.Now, Asked: &classifier.Asked{Param: solo}}
	if held != nil && (clockKinds[t.Builtin] || t.Builtin == "money") {
		alone.Params = map[string]any{solo: held}
	}
	at := message.PlacesOf(text)
	for _, v := range t.solo.Extract(alone, nil) {
		from := at.Byte(v.Start)
		out = append(out, bared{value: v.Value, start: start + from, end: start + from + len(v.Text), doubt: v.Confidence < 0.7})
	}
	return out
}

// figuresKnown reports whether a param is known that a figure with a point may correct, so
// that 3.4 is not taken for a day.
func (x *Extractor) figuresKnown(in *classifier.Input) bool {
	return slices.ContainsFunc(x.types, func(t *recogniser) bool {
		return when.PointedKinds[t.Builtin] && slices.ContainsFunc(t.params, func(p string) bool { return corrects(in, p) })
	})
}

// clockKinds are the built-in types that hold a day or a time.
var clockKinds = message.Words("date time datetime")

// restIs reports whether a remainder holds a value and beside it only fillers and names of its
// param.
func (x *Extractor) restIs(s *reading, t *recogniser, param string, r remainder, b bared) bool {
	if b.people && !x.about[param].people {
		return false
	}
	for i := r.from; i < r.to; i++ {
		tok := &s.Tokens[i]
		switch {
		case tok.Start >= b.start && tok.End <= b.end, tok.Class == message.Symbol && strings.Contains(pauses, tok.Text), s.Language.Has("leftover", tok.Low):
		case lexicon.OneOf(s.Message, i, x.about[param].words), numbers.Counts[t.Builtin] && x.about[param].people && s.IsTerm(i, "people_word"):
		default:
			return false
		}
	}
	return true
}

// bare adds a bare value, or raises the confidence of the same value at the same place.
func (c *collector) bare(s *reading, param string, b bared) {
	c.bares++
	confidence := bareValue
	if b.doubt {
		confidence = doubtedBare
	}
	from, to := c.at.Point(b.start), c.at.Point(b.end)
	for i := c.base; i < len(c.values); i++ {
		v := &c.values[i]
		switch {
		case v.Param != param || v.Start > from || v.End < to:
		case v.Start == from && v.End == to:
			if v.Confidence < confidence {
				v.Confidence, v.Source = confidence, "bare"
			}
			return
		case v.Confidence > confidence:
			return // a part of what was read as a whole: "we are 3"
		}
	}
	c.bytes(param, b.value, b.start, b.end, "bare", confidence)
}
