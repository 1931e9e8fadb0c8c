package extract

import (
	"slices"
	"strings"
	"time"

	"github.com/slotway/slotway/classifier"
)

var (
	// boundWords behind a day, and before one, move it or make it an end of something.
	boundWords = words("before after following prior preceding")
	// dueWords in the label of a param say that it holds an end: "due date", "start".
	dueWords = words("due by deadline until till before latest earliest after since start begin from end expiry expires expiration limit")
	// hourWords tell a time of the day by what happens then: "friday after lunch".
	hourWords = words("lunch breakfast dinner supper brunch work school noon midday midnight dawn dusk sunrise sunset hours office business class opening closing bedtime tea dark")
	// otherDays before a day make it another one, or several.
	otherDays = words("every each any most some other alternate alternating except excluding second third fourth first last next")
	// stretchNouns before "of" a day mean a time around it.
	stretchNouns = words("week weeks weekend month year quarter rest remainder fortnight")
	openBehind   = split("or later,or earlier,or sooner,or before,or after,or so,onward,onwards,and later,and after,and up,week,weeks,earlier,weekend")
	roughly      = words("around about approximately roughly circa approx near")
	lateness     = words("earlier later sooner other before after until")
)

// unread says for each find why it is no value although it was read: a word beside it that
// changes what it means was not. Nil where none is so.
func (s *scan) unread(finds []found) []string {
	var out []string
	mark := func(i int, why string) {
		if out == nil {
			out = make([]string, len(finds))
		}
		out[i] = why
	}
	for i := range finds {
		f := &finds[i]
		day := f.day()
		if day == nil {
			continue
		}
		switch {
		case day.unreal:
			mark(i, classifier.WrongCalendar)
		case day.clash:
			mark(i, classifier.WrongWeekday)
		case s.changed(f):
			mark(i, classifier.WrongModifier)
			if i+1 < len(finds) && finds[i+1].day() != nil && s.boundBetween(f, &finds[i+1]) {
				mark(i+1, classifier.WrongModifier)
			}
		}
		if i > 0 && s.decorates(&finds[i-1], f) {
			s.agree(&finds[i-1], f, func(why string) { mark(i-1, why) })
			mark(i, classifier.WrongModifier)
		}
	}
	return out
}

// day is the day that a find of time holds, or nil.
func (f *found) day() *found {
	switch {
	case f.kind == "date":
		return f
	case f.kind == "datetime":
		return f.date
	}
	return nil
}

// changed reports whether the words beside a day make it another one, or no single one.
func (s *scan) changed(f *found) bool {
	if s.tongue != nil {
		return s.changedSpoken(f)
	}
	return s.changedBehind(f.to) || s.changedBefore(f.from, f)
}

func (s *scan) changedBehind(i int) bool {
	if s.phrase(i, openBehind) > 0 {
		return true
	}
	if !s.is(i, boundWords) {
		return false
	}
	i++
	if s.low(i) == "to" {
		i++
	}
	for s.low(i) == "the" || s.low(i) == "my" || s.low(i) == "our" {
		if s.is(i+1, hourWords) {
			return false
		}
		i++
		if !s.wordAt(i) {
			return true
		}
	}
	return !s.is(i, hourWords) && s.clockTime(i) == nil && (s.low(i) == "" || s.tokens[i].class != digits)
}

func (s *scan) changedBefore(i int, f *found) bool {
	k := i - 1
	if s.low(k) == "the" || s.low(k) == "this" {
		k--
	}
	w := s.low(k)
	switch {
	case w == "":
		return false
	case boundWords[w]: // not before monday, the week before christmas
		return s.is(k-1, negations) || s.wordAt(k-1) && (s.is(k-1, stretchNouns) || s.countedNoun(k-1))
	case w == "until" || w == "till":
		return s.is(k-1, negations)
	case w == "of":
		return s.is(k-1, stretchNouns)
	case w == "than":
		return s.laterThan(k)
	case w == "but":
		return s.is(k-1, weekNouns) && (s.is(k-2, otherDays) || s.low(k-2) == "all")
	}
	return otherDays[w] && k == i-1 && (f.cycle == weekly || w == "every" || w == "each" || w == "any" || w == "except" || w == "excluding") && s.low(k) != ""
}

var weekNouns = words("day days time date week weekday")

// countedNoun reports whether a count of days ends at token i: "two days".
func (s *scan) countedNoun(i int) bool {
	_, ok := dateUnits[s.low(i)]
	return ok
}

// bound reports whether a day is only an end of what is meant: "after monday". A param that
// holds such an end takes it.
func (s *scan) bound(f *found) bool {
	if s.tongue != nil {
		return s.boundSpoken(f)
	}
	k := f.from - 1
	return (s.low(k) == "before" || s.low(k) == "after") && !s.exact[k]
}

// laterThan reports whether a "than" at token k leaves a day open. "No later than friday" is
// by friday.
func (s *scan) laterThan(k int) bool {
	return s.is(k-1, lateness) && !(s.low(k-1) == "later" && s.is(k-2, negations))
}

// boundBetween reports whether nothing but a word of before and after joins two finds.
func (s *scan) boundBetween(a, b *found) bool {
	return b.from > a.to && b.from <= a.to+2 && s.is(a.to, boundWords)
}

// decorates reports whether the second of two days is only the weekday of the first: "25
// november, monday".
func (s *scan) decorates(a, b *found) bool {
	if a.kind != "date" || b.kind != "date" || a.cycle == weekly || b.cycle != weekly || b.to != b.from+1 {
		return false
	}
	gap := b.from - a.to
	return gap == 0 || gap == 1 && s.symbolAt(a.to, ",(")
}

// agree tells where a day and its weekday do not agree.
func (s *scan) agree(day, name *found, wrong func(why string)) {
	t, ok := day.value.(time.Time)
	w, isName := weekdays[s.low(name.from)]
	if ok && isName && t.Weekday() != w {
		wrong(classifier.WrongWeekday)
	}
}

// dueParam reports whether a param holds an end by its own words.
func (x *Extractor) dueParam(p string) bool {
	return slices.ContainsFunc(x.about[p].words, func(w string) bool { return dueWords[w] }) || slices.ContainsFunc(strings.Split(p, "_"), func(w string) bool { return dueWords[w] })
}

// refuse notes what was recognised and is no value of the params of a type.
func (c *collector) refuse(s *scan, param string, f *found, why string) {
	var value any
	if t, ok := f.value.(time.Time); ok && why != classifier.WrongModifier {
		value = t.Format(time.DateOnly)
	}
	start, end := s.tokens[f.from].start, s.tokens[f.to-1].end
	c.wrong = append(c.wrong, classifier.Value{
		Param: param, Value: value, Text: c.text[start:end], Start: c.at.rune(start), End: c.at.rune(end), Source: "builtin", Wrong: why,
	})
}
