package when

import (
	"time"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/numbers"
	"github.com/slotway/slotway/classifier/message"
)

// endOfTalk are the words of "that's all for today", which closes a conversation.
var endOfTalk = message.Words("all it everything done enough")

// relativeDays are the days that have a name of their own, counted from today.
var relativeDays = []struct {
	phrase []string
	days   int
}{
	{[]string{"the day after tomorrow", "day after tomorrow"}, 2},
	{[]string{"the day before yesterday", "day before yesterday"}, -2},
	{[]string{"today", "tonight"}, 0},
	{[]string{"tomorrow", "tmrw", "tmr", "tomorow", "tommorow", "tommorrow"}, 1},
	{[]string{"yesterday"}, -1},
}

// RelativeHeads are the first words of relativeDays.
var RelativeHeads = message.Words("the day today tonight tomorrow tmrw tmr tomorow tommorow tommorrow yesterday")

func relativeDay(s *Reader, i int) (calendar.Days, int) {
	if !s.Is(i, RelativeHeads) {
		return calendar.Days{}, 0
	}
	for _, r := range relativeDays {
		if n := s.Phrase(i, r.phrase); n > 0 {
			if r.days == 0 && (s.Low(i-1) == "all" || s.Low(i-1) == "for" && s.Is(i-2, endOfTalk)) {
				return calendar.Days{}, 0
			}
			named := s.Clock.InDays(r.days)
			if d, k := explained(s, i+n, named); k > 0 {
				return d, n + k
			}
			return calendar.OneDay(named), n
		}
	}
	return calendar.Days{}, 0
}

// explained reads the date behind a day that has a name: "tomorrow, 13/04/21". One that is
// another day clashes.
func explained(s *Reader, i int, named time.Time) (calendar.Days, int) {
	if !s.SymbolAt(i, ",") {
		return calendar.Days{}, 0
	}
	for _, rule := range [...]func(*Reader, int) (calendar.Days, int){(*Reader).ISODate, slashDate, monthDate, dayMonthDate} {
		if d, k := rule(s, i+1); k > 0 && !d.Unreal {
			d.Clash = !d.Next.Equal(named) && !d.Past.Equal(named)
			if !d.Clash {
				d = calendar.OneDay(named)
			}
			return d, k + 1
		}
	}
	return calendar.Days{}, 0
}

// thatDays refer to a day of the conversation, too vague for a param.
var thatDays = []struct {
	phrase []string
	days   int
}{
	{[]string{"the day after", "the next day", "next day", "the following day", "following day", "the coming day"}, 1},
	{[]string{"the day before", "the previous day", "previous day", "the last day", "last day"}, -1},
	{[]string{"the day", "this day", "current date", "the current date", "current day", "otd"}, 0},
}

// thatDay reads "the day before", "the next day", "the day".
func thatDay(s *Reader, i int) (calendar.Days, int) {
	if !s.Ranges || !s.Is(i, dayHeads) {
		return calendar.Days{}, 0
	}
	for _, r := range thatDays {
		n := s.Phrase(i, r.phrase)
		if n == 0 || s.Low(i+n) == "of" && r.days <= 0 || s.Low(i+n) == "and" && s.Digits(i+n+1, 1, 2) != "" {
			continue
		}
		if _, name := calendar.Weekdays[s.Low(i+n)]; name || r.days == 0 && s.Low(i-1) == "in" {
			continue // "early in the day"
		}
		return calendar.OneDay(s.Clock.InDays(r.days)), n
	}
	return calendar.Days{}, 0
}

var dayHeads = message.Words("the next following previous last this current otd")

// amount reads a count before a unit: 3, three, a.
func amount(s *Reader, i int) (value float64, n int) {
	if v, n := numbers.Read(s.Message, i); n > 0 {
		return v, n
	}
	if s.Says(i, "a", "an") {
		return 1, 1
	}
	return 0, 0
}

// MostUnits is the greatest count of units, so that no date overflows.
const MostUnits = 10000

var (
	agoWords   = []string{"ago", "back", "earlier"}
	laterWords = []string{"from now", "from today", "later", "hence", "time"}
)

var theDay = []string{"the day", "day"}

// offsetDate reads "in 3 days", "3 days ago", "a week from now", "2 weeks from friday",
// "two days before christmas".
func offsetDate(s *Reader, i int) (calendar.Days, int) {
	if n := s.Phrase(i, theDay); n > 0 { // the day after christmas
		if d, k := counted(s, i+n, DateUnits["day"]); k > 0 {
			return d, n + k
		}
		return calendar.Days{}, 0
	}
	ahead := s.Low(i) == "in" || s.Low(i) == "within" && s.Asked != "duration" && !s.Ranges
	n := message.Btoi(ahead)
	d, k := s.length(i + n)
	if k == 0 || !d.Calendar() || d.Most() > MostUnits {
		return calendar.Days{}, 0
	}
	n += k
	step, whole := d.Steps()
	if !whole {
		if tail := max(s.Phrase(i+n, agoWords), s.Phrase(i+n, laterWords)); ahead || tail > 0 {
			return calendar.Days{Unreal: true}, n + tail // half a week is in no calendar
		}
		return calendar.Days{}, 0
	}
	if d, k, said := fromWhen(s, i, i+n, step, ahead); said {
		return d, (n + k) * min(k, 1)
	}
	if !ahead {
		return calendar.Days{}, 0
	}
	return calendar.OneDay(calendar.Move(s.Clock.Today(), step, 1)), n
}

// fromWhen reads at token at the point from which the units that begin at token i are counted:
// "ago", "from now", "before christmas". A point that leaves the day open has no tokens.
func fromWhen(s *Reader, i, at int, step [3]int, ahead bool) (d calendar.Days, n int, said bool) {
	if n = s.Phrase(at, agoWords); n > 0 && !ahead {
		n *= message.Btoi(s.Low(at) != "earlier" || s.Ranges)
		return calendar.OneDay(calendar.Move(s.Clock.Today(), step, -1)), n, true
	}
	if n = s.Phrase(at, laterWords); n > 0 && s.Low(at) != "time" {
		n *= message.Btoi(s.Low(at+n) != "than") // a day later than planned: nobody said when that was
		return calendar.OneDay(calendar.Move(s.Clock.Today(), step, 1)), n, true
	}
	if d, n = counted(s, at, step); n == 0 || ahead && s.Low(at) != "from" {
		return d, 0, false
	}
	if s.Low(i-1) == "for" && s.Low(at) == "from" && figured(s, at+1, at+n) {
		n = 0 // "for two weeks from july 1st" begins on that day; "for a week from friday" may be either
	}
	return d, n, true
}

// figured reports whether figures or an ordinal stand among the tokens [from, to).
func figured(s *Reader, from, to int) bool {
	for i := from; i < to; i++ {
		if _, n := numbers.Ordinal(s.Message, i); n > 0 || s.Tokens[i].Class == message.Digits {
			return true
		}
	}
	return false
}

// counted reads what days are counted from: "from tomorrow", "before christmas".
func counted(s *Reader, i int, step [3]int) (calendar.Days, int) {
	sign := 1
	switch s.Low(i) {
	case "from", "after", "following":
	case "before", "prior":
		sign = -1
	default:
		return calendar.Days{}, 0
	}
	n := 1
	if s.Low(i+1) == "to" {
		n = 2
	}
	base := s.Date(i + n)
	if base == nil || len(base.Readings) == 0 {
		return calendar.Days{}, 0
	}
	from := base.Readings[len(base.Readings)-1].Start
	return calendar.OneDay(calendar.Move(from, step, sign)), n + base.To - (i + n)
}
