package extract

import (
	"slices"
	"strings"
	"time"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/message"
)

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
		case s.byRows.Changed(&s.Reader, f):
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

// boundBetween reports whether nothing but a word of before and after joins two finds.
func (s *reading) boundBetween(a, b *find.Find) bool {
	return b.From > a.To && b.From <= a.To+2 && s.IsTerm(a.To, "bound")
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
	return slices.ContainsFunc(x.about[p].words, func(w string) bool { return message.English().Has("due_word", w) }) || slices.ContainsFunc(strings.Split(p, "_"), func(w string) bool { return message.English().Has("due_word", w) })
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
