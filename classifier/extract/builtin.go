package extract

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/slotway/slotway/classifier"
)

// layout of a datetime: the zone is the agent's and is not written.
const dateTime = "2006-01-02T15:04:05"

// matchBuiltins runs the built-in types once over the message and gives every find to
// the params of its type.
func (x *Extractor) matchBuiltins(s *scan, in *classifier.Input, taken []span, c *collector) {
	asked := in.Asked
	if x.builtin["zip"] && s.bytes.meets(digitSet) {
		x.zips(s, c)
	}
	if !x.scanned {
		return
	}
	phones := &dialer{region: x.options.Region, asked: s.asked == "phone", local: x.builtin["phone"]}
	for _, sp := range s.addresses(phones, taken, nil) {
		for _, r := range x.ofType(sp.kind) {
			x.emit(r, c, sp.value, sp.start, sp.end, sp.confidence, s.text)
		}
	}
	x.matchRanges(s, asked, c)
	companies := x.people(s, asked)
	x.tellPeople(s, companies, asked, c)
	s.peopled = x.peopled
	finds := s.all()
	if s.tongue == nil && (x.builtin["date"] || x.builtin["datetime"]) {
		finds = s.bothDays(finds)
	}
	s.halves(finds)
	s.sameMonth(finds)
	unread := s.unread(finds)
	for i := range finds {
		f, why := &finds[i], ""
		if unread != nil {
			why = unread[i]
		}
		for _, r := range x.types {
			switch {
			case r.Builtin == "" || rangeKinds[r.Builtin]:
			case f.kind == "number" && (r.Builtin == "time" || r.Builtin == "datetime"):
				if x.standsAsTime(s, f, companies, finds) {
					x.bareHour(s, in, r, f, finds, c)
				}
			case f.ofDay() && dayKinds[r.Builtin]:
				x.days(s, in, r, f, why, finds, c)
			default:
				x.plain(s, in, r, f, companies, c)
			}
		}
	}
}

// plain gives a find to the params of a type that it is a value of.
func (x *Extractor) plain(s *scan, in *classifier.Input, r *recogniser, f *found, companies []company, c *collector) {
	isAsked := in.Asked != nil && slices.Contains(r.params, in.Asked.Param)
	v, at, ok := x.as(s, f, r.Builtin, isAsked)
	switch {
	case f.kind == "duration" && counts[r.Builtin] && !isAsked:
		x.unitsOf(s, r, f, c)
	case !ok:
	case r.Builtin == "time" && r.agrees(s.text[s.tokens[at.from].start:s.tokens[at.to-1].end]):
		for _, p := range r.params {
			v, at, _ := x.as(s, s.likeKnown(f, known(in, p)), r.Builtin, isAsked)
			c.tokens(s, p, v, at.from, at.to, "builtin", at.confidence)
		}
	case f.kind == "number" && counts[r.Builtin] && len(r.Patterns) == 0:
		if !within(companies, at) {
			x.numbers(s, r, in.Asked, v, at, c)
		}
	case f.kind == "number" && s.inAddress(f):
	default:
		x.emit(r, c, v, s.tokens[at.from].start, s.tokens[at.to-1].end, at.confidence, s.text)
	}
}

// ofDay reports whether a find names a day, or a time that may belong to one.
func (f *found) ofDay() bool { return f.kind == "date" || f.kind == "datetime" || f.kind == "time" }

// days gives a day or a time to the params of a type that holds days. One that was only half
// read, or is in no calendar, is told apart from the values.
func (x *Extractor) days(s *scan, in *classifier.Input, r *recogniser, f *found, why string, finds []found, c *collector) {
	isAsked := in.Asked != nil && slices.Contains(r.params, in.Asked.Param)
	said := f
	for _, p := range r.params {
		f := s.likeKnown(said, known(in, p))
		value, at, ok := x.as(s, f, r.Builtin, isAsked)
		reason := why
		if reason == "" && f.kind != "time" && s.bound(f) && !x.dueParam(p) {
			reason = classifier.WrongModifier
		}
		if reason != "" {
			c.refuse(s, p, cmp.Or(f.day(), f), reason)
			continue
		}
		if r.Builtin == "datetime" && f.kind != "datetime" {
			if whole, put := x.half(s, in, p, f, finds); put {
				value, at, ok = whole, bent(f), true
			} else if f.kind == "date" {
				c.refuse(s, p, f, classifier.WrongHalf)
			}
		}
		if ok && r.agrees(s.text[s.tokens[at.from].start:s.tokens[at.to-1].end]) {
			c.bytes(p, value, s.tokens[at.from].start, s.tokens[at.to-1].end, "builtin", s.near(at))
		}
	}
}

// near is how sure a day is: "around the 5th" may be another one.
func (s *scan) near(f *found) float64 {
	i := f.from - 1
	if s.low(i) == "the" {
		i--
	}
	if f.kind == "date" && s.is(i, roughly) {
		return roughDay
	}
	return f.confidence
}

// roughDay is how sure a day is that was said with an "around".
const roughDay = 0.5

// needsScan reports whether values of a built-in type are what the scan finds.
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

// as reads a find as a value of a built-in type. Only an answer may bend: "20" is an
// amount of money when one is asked for, "$20" a number.
func (x *Extractor) as(s *scan, f *found, kind string, asked bool) (any, *found, bool) {
	switch kind {
	case "date", "time", "datetime":
		return s.asTime(f, kind, asked)
	case f.kind:
		return f.plain(), f, true
	}
	n, isNumber := f.value.(float64)
	whole := isNumber && n == float64(int64(n))
	switch {
	case f.kind == "number" && kind == "integer" && whole:
		return n, f, true
	case !asked:
		return nil, nil, false
	case f.kind == "number" && kind == "money":
		return formatMoney(n, x.options.Currency), bent(f), true
	case f.kind == "number" && (kind == "percentage" || kind == "ordinal" && whole && n > 0):
		return n, bent(f), true
	case kind == "number" || kind == "integer":
		return s.numberIn(f, kind)
	}
	return nil, nil, false
}

// bent is a find whose type the question supplied.
func bent(f *found) *found {
	g := *f
	g.confidence = 0.8
	return &g
}

// numberIn reads the number at the head of money, a percentage or a duration.
func (s *scan) numberIn(f *found, kind string) (any, *found, bool) {
	if f.kind == "time" && (s.timeCue(f.from) > 0 || s.timeCue(f.from-1) > 0) {
		return nil, nil, false // at 7
	}
	for i := f.from; i < f.to; i++ {
		v, n := s.number(i)
		if n == 0 || i+n > f.to {
			continue
		}
		if kind == "integer" && v != float64(int64(v)) {
			return nil, nil, false
		}
		switch f.kind {
		case "money", "percentage", "duration", "ordinal", "time":
			return v, &found{kind: kind, from: i, to: i + n, confidence: 0.75}, true
		}
	}
	return nil, nil, false
}

// asTime reads a find as a day, a time or both.
func (s *scan) asTime(f *found, kind string, asked bool) (any, *found, bool) {
	part := f
	switch {
	case f.kind == "datetime" && kind == "date" && f.date != nil:
		part = f.date
	case f.kind == "datetime" && kind == "time" && f.time != nil:
		part = f.time
	}
	switch v := part.value.(type) {
	case instant:
		at := time.Time(v)
		switch kind {
		case "datetime":
			return at.Format(dateTime), f, true
		case "time":
			return timeOfDay{hour: at.Hour(), minute: at.Minute()}.String(), f, true
		case "date":
			return at.Format(time.DateOnly), f, asked
		}
	case time.Time:
		if kind == "date" {
			return v.Format(time.DateOnly), part, true
		}
	case timeOfDay:
		if kind == "time" {
			return v.settle().String(), part, true
		}
		if kind == "datetime" { // the next time that it is so late
			at := v.settle().on(s.clock.today())
			if !at.After(s.clock.now) {
				at = at.AddDate(0, 0, 1)
			}
			return at.Format(dateTime), bent(part), true
		}
	case float64:
		if t, ok := s.bareClock(f); ok && asked && kind == "time" {
			return t.settle().String(), bent(f), true
		}
	}
	return nil, nil, false
}

// Postal codes: United States, Canada, United Kingdom (the shape of BS 7666), and with
// a word before them any of 4 to 6 digits.
var (
	zipShape = regexp.MustCompile(`(?i)\b(?:\d{5}-\d{4}|[ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z] ?\d[ABCEGHJ-NPRSTV-Z]\d|[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|\d{5})\b`)
	zipNouns = words("order number no id account invoice ref reference case ticket nr item code pin room extension ext tracking confirmation booking policy member")
	zipCues  = words("zip postal postcode zipcode")
	zipUnits = words("dollars euros pounds usd eur people persons items units points miles km steps times orders years days")
)

func (x *Extractor) zips(s *scan, c *collector) {
	if !s.figuresLeft() {
		return
	}
	for _, m := range zipShape.FindAllStringIndex(s.text, -1) {
		start, end := m[0], m[1]
		first, last := s.tokenAt(start), s.tokenAt(end-1)
		if first < 0 || last < 0 || slices.Contains(s.taken[first:last+1], true) {
			continue
		}
		if s.glued(first) && !s.openBefore(first) || s.glued(last+1) && !s.closeAfter(last+1) {
			continue
		}
		confidence, figures := 0.9, false
		if last == first {
			switch {
			case s.is(first-1, zipCues) || s.is(first-2, zipCues) || s.is(first-3, zipCues): // "ZIP code is 12345"
				confidence = 0.95
			case s.is(first-1, zipNouns), s.is(last+1, zipUnits), s.symbolAt(first-1, "#"), s.low(first-1) == "is" && s.is(first-2, zipNouns):
				continue
			default:
				confidence, figures = 0.75, numeric[s.asked]
			}
		}
		for _, r := range x.ofType("zip") {
			x.emit(r, c, strings.ToUpper(s.text[start:end]), start, end, confidence, s.text)
		}
		if !figures { // what may answer a question for a number stays one, too
			s.take(start, end)
		}
	}
}

// figuresLeft reports whether a figure is in no pattern's match: a postal code has one.
func (s *scan) figuresLeft() bool {
	for i, t := range s.tokens {
		if t.class == digits && !s.taken[i] {
			return true
		}
	}
	return false
}

// numeric are the built-in types that a plain number answers.
var numeric = words("number integer money percentage ordinal")

// tokenAt returns the token that holds a byte, or -1.
func (s *scan) tokenAt(offset int) int {
	if i := s.behind(offset); i < len(s.tokens) && s.tokens[i].start <= offset {
		return i
	}
	return -1
}
