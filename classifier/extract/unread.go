package extract

import (
	"slices"
	"strings"
	"time"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/message"
)

var (
	// boundWords behind a day, and before one, move it or make it an end of something.
	boundWords = message.Words("before after following prior preceding")
	// dueWords in the label of a param say that it holds an end: "due date", "start".
	dueWords = message.Words("due by deadline until till before latest earliest after since start begin from end expiry expires expiration limit")
	// hourWords name a time of day by an event: "friday after lunch".
	hourWords = message.Words("lunch breakfast dinner supper brunch work school noon midday midnight dawn dusk sunrise sunset hours office business class opening closing bedtime tea dark")
	// otherDays before a day make it another one, or several.
	otherDays = message.Words("every each any most some other alternate alternating except excluding second third fourth first last next")
	// stretchNouns before "of" a day mean a time around it.
	stretchNouns = message.Words("week weeks weekend month year quarter rest remainder fortnight")
	openBehind   = message.Split("or later,or earlier,or sooner,or before,or after,or so,onward,onwards,and later,and after,and up,week,weeks,earlier,weekend")
)

var lateness = message.Words("earlier later sooner other before after until")

// unread returns for each find the reason why it is no value: a word beside it changes its meaning
// and was not read. It returns nil where there is no such find.
func (s *reading) unread(finds []find.Find) []string {
	var out []string
	mark := func(i int, why string) {
		if out == nil {
			out = make([]string, len(finds))
		}
		out[i] = why
	}
	for i := range finds {
		f := &finds[i]
		day := f.Day()
		if day == nil {
			continue
		}
		switch {
		case day.Unreal:
			mark(i, message.WrongCalendar)
		case day.Clash:
			mark(i, message.WrongWeekday)
		case day.EitherFirst:
			mark(i, message.WrongOrder)
		case s.changed(f):
			mark(i, message.WrongModifier)
			if i+1 < len(finds) && finds[i+1].Day() != nil && s.boundBetween(f, &finds[i+1]) {
				mark(i+1, message.WrongModifier)
			}
		}
		if i > 0 && s.decorates(&finds[i-1], f) {
			s.agree(&finds[i-1], f, func(why string) { mark(i-1, why) })
			mark(i, message.WrongModifier)
		}
	}
	return out
}

// changed reports whether the words beside a day make it another one, or no single one.
func (s *reading) changed(f *find.Find) bool {
	if !s.Language.Coded {
		return s.byRows.Changed(&s.Reader, f)
	}
	return s.changedBehind(f.To) || s.changedBefore(f.From, f)
}

func (s *reading) changedBehind(i int) bool {
	if s.Phrase(i, openBehind) > 0 {
		return true
	}
	if !s.Is(i, boundWords) {
		return false
	}
	i++
	i += s.Skip(i, "to")
	for s.Says(i, "the", "my", "our") {
		if s.Is(i+1, hourWords) {
			return false
		}
		i++
		if !s.WordAt(i) {
			return true
		}
	}
	return !s.Is(i, hourWords) && s.ClockTime(i) == nil && (s.Low(i) == "" || s.Tokens[i].Class != message.Digits)
}

func (s *reading) changedBefore(i int, f *find.Find) bool {
	k := i - 1
	if s.Says(k, "the", "this") {
		k--
	}
	w := s.Low(k)
	switch {
	case w == "":
		return false
	case boundWords[w]: // not before monday, the week before christmas
		return s.IsTerm(k-1, "negation") || s.WordAt(k-1) && (s.Is(k-1, stretchNouns) || s.countedNoun(k-1))
	case w == "until" || w == "till":
		return s.IsTerm(k-1, "negation")
	case w == "of":
		return s.Is(k-1, stretchNouns)
	case w == "than":
		return s.laterThan(k)
	case w == "but":
		return s.Is(k-1, weekNouns) && (s.Is(k-2, otherDays) || s.Low(k-2) == "all")
	}
	return otherDays[w] && k == i-1 && (f.Cycle == calendar.Weekly || s.Says(k, "every", "each", "any", "except", "excluding"))
}

var weekNouns = message.Words("day days time date week weekday")

// countedNoun reports whether a count of days ends at token i: "two days".
func (s *reading) countedNoun(i int) bool {
	return s.IsTerm(i, "date_unit")
}

// bound reports whether a day is only an end of what is meant: "after monday". A param that
// holds such an end takes it.
func (s *reading) bound(f *find.Find) bool {
	if !s.Language.Coded {
		return s.byRows.Bound(&s.Reader, f)
	}
	k := f.From - 1
	return s.Says(k, "before", "after") && !s.Exact[k]
}

// laterThan reports whether a "than" at token k leaves a day open. "No later than friday" is
// by friday.
func (s *reading) laterThan(k int) bool {
	return s.Is(k-1, lateness) && !(s.Low(k-1) == "later" && s.IsTerm(k-2, "negation"))
}

// boundBetween reports whether nothing but a word of before and after joins two finds.
func (s *reading) boundBetween(a, b *find.Find) bool {
	return b.From > a.To && b.From <= a.To+2 && s.Is(a.To, boundWords)
}

// decorates reports whether the second of two days is only the weekday of the first: "25
// november, monday".
func (s *reading) decorates(a, b *find.Find) bool {
	if a.Kind != "date" || b.Kind != "date" || a.Cycle == calendar.Weekly || b.Cycle != calendar.Weekly || b.To != b.From+1 {
		return false
	}
	gap := b.From - a.To
	return gap == 0 || gap == 1 && s.SymbolAt(a.To, ",(")
}

// agree reports where a day and its weekday do not agree.
func (s *reading) agree(day, name *find.Find, wrong func(why string)) {
	t, ok := day.Value.(time.Time)
	w, n := s.TermAt(name.From, "weekday")
	if ok && n > 0 && int(t.Weekday()) != int(w.Num) {
		wrong(message.WrongWeekday)
	}
}

// dueParam reports whether the words of a param say that it holds an end.
func (x *Extractor) dueParam(p string) bool {
	return slices.ContainsFunc(x.about[p].words, func(w string) bool { return dueWords[w] }) || slices.ContainsFunc(strings.Split(p, "_"), func(w string) bool { return dueWords[w] })
}

// refuse notes a recognised value that is none for the params of a type.
func (c *collector) refuse(s *reading, param string, f *find.Find, why string) {
	var value any
	if t, ok := f.Value.(time.Time); ok && why != message.WrongModifier {
		value = t.Format(time.DateOnly)
	}
	start, end := s.Tokens[f.From].Start, s.Tokens[f.To-1].End
	c.wrong = append(c.wrong, message.Value{
		Param: param, Value: value, Text: c.text[start:end], Start: c.at.Point(start), End: c.at.Point(end), Source: "builtin", Wrong: why,
	})
}
