package extract

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/currency"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/extract/internal/numbers"
	"github.com/slotway/slotway/classifier/extract/internal/people"
	"github.com/slotway/slotway/classifier/extract/internal/phone"
	"github.com/slotway/slotway/classifier/message"
)

// matchBuiltins runs the recognisers of the built-in types once over the message and gives every
// find to the params of its type.
func (x *Extractor) matchBuiltins(s *reading, in *classifier.Input, taken []find.Span, c *collector) {
	asked := in.Asked
	if x.builtin["zip"] && s.Bytes.Meets(message.DigitSet) {
		x.zips(s, c)
	}
	if !x.scanned {
		return
	}
	phones := &phone.Dialer{Region: x.options.Region, Asked: s.Asked == "phone", Local: x.builtin["phone"]}
	for _, sp := range s.addresses(phones, taken, nil) {
		c.find(sp.Kind, sp.Start, sp.End)
		for _, r := range x.ofType(sp.Kind) {
			x.emit(r, c, sp.Value, sp.Start, sp.End, sp.Confidence, s.Text)
		}
	}
	x.matchRanges(s, in, c)
	companies := x.people(s, asked)
	x.tellPeople(s, companies, asked, c)
	s.Peopled = x.peopled
	finds := s.all()
	s.BothDays(finds)
	s.Halves(finds)
	for i := range finds {
		finds[i].Vague = finds[i].Vague || finds[i].Kind == "time" && s.limited(&finds[i])
	}
	s.shareUnits(finds)
	s.sameMonth(finds)
	unread := s.unread(finds)
	for i := range finds {
		f, why := &finds[i], ""
		c.find(f.Kind, s.Tokens[f.From].Start, s.endOf(f))
		if unread != nil {
			why = unread[i]
		}
		for _, r := range x.types {
			switch {
			case r.Builtin == "" || find.RangeKinds[r.Builtin]:
			case f.Kind == "number" && (r.Builtin == "time" || r.Builtin == "datetime"):
				if x.standsAsTime(s, f, companies, finds) {
					x.bareHour(s, in, r, f, finds, c)
				}
			case f.OfDay() && dayKinds[r.Builtin]:
				x.days(s, in, r, f, why, finds, c)
			default:
				x.plain(s, in, r, f, companies, c)
			}
		}
	}
}

// plain gives a find to the params of a type that can hold it.
func (x *Extractor) plain(s *reading, in *classifier.Input, r *recogniser, f *find.Find, companies []people.Company, c *collector) {
	isAsked := in.Asked != nil && slices.Contains(r.params, in.Asked.Param)
	v, at, ok := x.as(s, f, r.Builtin, isAsked)
	switch {
	case f.Kind == "duration" && numbers.Counts[r.Builtin] && !isAsked:
		x.unitsOf(s, r, f, c)
	case !ok:
	case amountKinds[f.Kind] && x.leftOpen(s, r, f, askedParam(in.Asked), false, c):
	case r.Builtin == "time" && r.agrees(s.Text[s.Tokens[at.From].Start:s.Tokens[at.To-1].End]):
		for _, p := range r.params {
			v, at, _ := x.as(s, s.likeKnown(f, known(in, p)), r.Builtin, isAsked)
			c.tokens(s, p, v, at.From, at.To, "builtin", at.Confidence)
		}
	case f.Kind == "number" && numbers.Counts[r.Builtin] && len(r.Patterns) == 0:
		if !people.Within(companies, at) {
			x.numbers(s, r, in.Asked, v, at, c)
		}
	case f.Kind == "number" && s.inAddress(f):
	default:
		x.emit(r, c, v, s.Tokens[at.From].Start, s.Tokens[at.To-1].End, at.Confidence, s.Text)
	}
}

// days gives a day or a time to the params of a type that holds days. A day that was read only in
// part, or that no calendar has, is reported as wrong.
func (x *Extractor) days(s *reading, in *classifier.Input, r *recogniser, f *find.Find, why string, finds []find.Find, c *collector) {
	isAsked := in.Asked != nil && slices.Contains(r.params, in.Asked.Param)
	dated := slices.ContainsFunc(finds, func(g find.Find) bool { return g.Day() != nil })
	if r.Builtin == "datetime" && f.Kind == "time" && x.leftOpen(s, r, f, askedParam(in.Asked), dated, c) {
		return
	}
	said := f
	for _, p := range r.params {
		f := x.onSide(p, s.likeKnown(said, known(in, p)))
		value, at, ok := x.as(s, f, r.Builtin, isAsked)
		reason := why
		if reason == "" && f.Kind != "time" && s.byRows.Bound(&s.Reader, f) && !x.dueParam(p) {
			reason = message.WrongModifier
		}
		if reason != "" {
			c.refuse(s, p, cmp.Or(f.Day(), f), reason)
			continue
		}
		if r.Builtin == "datetime" && f.Kind != "datetime" {
			whole, put := x.half(s, in, p, f, finds)
			switch {
			case put:
				value, at, ok = whole, find.Bent(f), true
			case f.Kind == "date":
				c.refuse(s, p, f, message.WrongHalf)
			case dated: // the time is not today's then
				ok = false
			}
		}
		if ok && r.agrees(s.Text[s.Tokens[at.From].Start:s.Tokens[at.To-1].End]) {
			c.bytes(p, value, s.Tokens[at.From].Start, s.Tokens[at.To-1].End, "builtin", s.near(at))
		}
	}
}

// onSide moves a day that has two sides to the one that has been, for a param of what has happened:
// the "monday" of a loss is the last one.
func (x *Extractor) onSide(param string, f *find.Find) *find.Find {
	day := f.Day()
	if day == nil || len(day.Readings) < 2 || !x.about[param].past {
		return f
	}
	was, on := *f, *day
	on.Value = day.Readings[0].Start
	if v, isMoment := f.Value.(find.Instant); isMoment {
		was.Value, was.Date = find.Instant(onto(day.Readings[0].Start, time.Time(v), "date", "datetimerange")), &on
		return &was
	}
	return &on
}

// near returns the confidence of a day: "around the 5th" may be another one.
func (s *reading) near(f *find.Find) float64 {
	i := f.From - 1
	if s.Low(i) == "the" {
		i--
	}
	if f.Kind == "date" && s.IsTerm(i, "roughly") {
		return roughDay
	}
	return f.Confidence
}

// roughDay is the confidence of a day behind "around".
const roughDay = 0.5

// needsScan reports whether the scan finds values of a built-in type.
func needsScan(kind string) bool {
	switch kind {
	case "", "text", "person", "location", "boolean", "zip":
		return false
	}
	return true
}

func (x *Extractor) ofType(kind string) []*recogniser { return x.byKind[kind] }

// emit adds a find for every param of a type, if the patterns that narrow it agree.
func (x *Extractor) emit(r *recogniser, c *collector, value any, start, end int, confidence float64, text string) {
	if !r.agrees(text[start:end]) {
		return
	}
	for _, p := range r.params {
		c.bytes(p, value, start, end, "builtin", confidence)
	}
}

// agrees reports whether the patterns that narrow a built-in type, if any, match a text.
func (r *recogniser) agrees(text string) bool {
	return len(r.Patterns) == 0 || slices.ContainsFunc(r.Patterns, func(p *regexp.Regexp) bool { return p.MatchString(text) })
}

// as reads a find as a value of a built-in type. Only an answer may change its type: "20" is an
// amount of money when one is asked for, "$20" a number.
func (x *Extractor) as(s *reading, f *find.Find, kind string, asked bool) (any, *find.Find, bool) {
	switch kind {
	case "date", "time", "datetime":
		return s.asTime(f, kind, asked)
	case f.Kind:
		return f.Plain(), f, true
	}
	n, isNumber := f.Value.(float64)
	whole := isNumber && n == float64(int64(n))
	switch {
	case f.Kind == "number" && kind == "integer" && whole:
		return n, f, true
	case !asked:
		return nil, nil, false
	case f.Kind == "number" && kind == "money" && s.Currency != "":
		return currency.Format(n, s.Currency), find.Bent(f), true
	case f.Kind == "ordinal" && numbers.Counts[kind]: // the floor is the third
		return n, find.Bent(f), whole && n > 0 && s.Ends(f.To)
	case f.Kind == "number" && kind == "percentage" && numbers.IsFraction(s.Message, f.From, f.To):
		return math.Round(1e4*n) / 100, find.Bent(f), true // a quarter
	case f.Kind == "number" && (kind == "percentage" || kind == "ordinal" && whole && n > 0):
		return n, find.Bent(f), true
	case kind == "number" || kind == "integer":
		return s.numberIn(f, kind)
	}
	return nil, nil, false
}

// numberIn reads the number at the head of money, a percentage or a duration.
func (s *reading) numberIn(f *find.Find, kind string) (any, *find.Find, bool) {
	if f.Kind == "time" && (s.TimeCue(f.From) > 0 || s.TimeCue(f.From-1) > 0) {
		return nil, nil, false // at 7
	}
	for i := f.From; i < f.To; i++ {
		v, n := numbers.Read(s.Message, i)
		if n == 0 || i+n > f.To {
			continue
		}
		if kind == "integer" && v != float64(int64(v)) {
			return nil, nil, false
		}
		switch f.Kind {
		case "money", "percentage", "duration", "time":
			return v, &find.Find{Kind: kind, From: i, To: i + n, Confidence: 0.75}, true
		}
	}
	return nil, nil, false
}

// asTime reads a find as a day, a time or both.
func (s *reading) asTime(f *find.Find, kind string, asked bool) (any, *find.Find, bool) {
	part := f
	switch {
	case f.Kind == "datetime" && kind == "date" && f.Date != nil:
		part = f.Date
	case f.Kind == "datetime" && kind == "time" && f.Time != nil:
		part = f.Time
	}
	switch v := part.Value.(type) {
	case find.Instant:
		return partOfMoment(time.Time(v), kind), f, kind != "date" || asked
	case time.Time:
		if kind == "date" {
			return v.Format(time.DateOnly), part, true
		}
	case calendar.TimeOfDay:
		switch kind {
		case "time":
			return v.Settle().String(), part, true
		case "datetime": // the next time that it is so late
			at := v.Settle().On(s.Clock.Today())
			if !at.After(s.Clock.Now) {
				at = at.AddDate(0, 0, 1)
			}
			return at.Format(calendar.DateTime), find.Bent(part), true
		}
	case float64:
		if t, ok := s.BareClock(f); ok && asked && kind == "time" {
			return t.Settle().String(), find.Bent(f), true
		}
	}
	return nil, nil, false
}

// partOfMoment returns the part of a moment that a value of a kind of time holds.
func partOfMoment(at time.Time, kind string) string {
	switch kind {
	case "time":
		return calendar.TimeOfDay{Hour: at.Hour(), Minute: at.Minute()}.String()
	case "date":
		return at.Format(time.DateOnly)
	}
	return at.Format(calendar.DateTime)
}

// Postal codes: United States, Canada, United Kingdom (the shape of BS 7666), and with
// a word before them any of 4 to 6 digits.
var zipShape = regexp.MustCompile(`(?i)\b(?:\d{5}-\d{4}|[ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z] ?\d[ABCEGHJ-NPRSTV-Z]\d|[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|\d{5})\b`)

func (x *Extractor) zips(s *reading, c *collector) {
	if !s.figuresLeft() {
		return
	}
	for _, m := range zipShape.FindAllStringIndex(s.Text, -1) {
		start, end := m[0], m[1]
		first, last := s.TokenAt(start), s.TokenAt(end-1)
		if first < 0 || last < 0 || slices.Contains(s.Taken[first:last+1], true) {
			continue
		}
		if s.Inside(first, last+1) {
			continue
		}
		confidence, figures := 0.9, false
		if last == first {
			switch {
			case s.In(first-1, "zip_cue") || s.In(first-2, "zip_cue") || s.In(first-3, "zip_cue"): // "ZIP code is 12345"
				confidence = 0.95
			case s.In(first-1, "zip_noun"), s.In(last+1, "zip_unit"), s.SymbolAt(first-1, "#"), s.Low(first-1) == "is" && s.In(first-2, "zip_noun"):
				continue
			default:
				confidence, figures = 0.75, numbers.Numeric[s.Asked]
			}
		}
		for _, r := range x.ofType("zip") {
			x.emit(r, c, strings.ToUpper(s.Text[start:end]), start, end, confidence, s.Text)
		}
		if !figures { // what may answer a question for a number stays one, too
			s.Take(start, end)
		}
	}
}

// figuresLeft reports whether a figure is in no pattern's match: a postal code has one.
func (s *reading) figuresLeft() bool {
	for i, t := range s.Tokens {
		if t.Class == message.Digits && !s.Taken[i] {
			return true
		}
	}
	return false
}
