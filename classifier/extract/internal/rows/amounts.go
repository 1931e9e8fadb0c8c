package rows

import (
	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/when"
)

// buildLengths adds up lengths of time: two hours and thirty minutes. Each unit is counted once.
func buildLengths(_ reader, m *match) (meaning, bool) {
	var d calendar.Length
	many, last, said := 1.0, calendar.Length{}, false
	for k := range m.parts {
		add := calendar.Length{}
		switch p := &m.parts[k]; p.name {
		case "amount", "number", "count", "half", "minute", "mm", "part_of_one":
			many, said, d.Vague = p.num, true, d.Vague || p.vague
		case "date_unit", "clock_unit", "one_unit", "hour_unit", "hour_letter":
			one, ok := calendar.Of(1, p.word)
			if !ok || many < 0 {
				return meaning{}, false
			}
			add, many, said, last = one.Scaled(many), 1, false, one
		case "length", "one_length", "more_length":
			add = p.length
		case "time_length":
			add, said = calendar.Length{Minutes: p.num}, false
		case "and_part": // a part of the unit before, an hour and a half, or of the one that comes: 2 and half hours
			if said {
				many += p.num
				continue
			}
			d = d.Plus(last.Scaled(p.num))
		}
		if d.Shares(add) {
			return meaning{}, false
		}
		d = d.Plus(add)
	}
	if said && len(m.args) > 0 {
		d.Minutes = many // 1h30
	}
	return meaning{length: d}, d.InSeconds() > 0
}

func buildDuration(_ reader, m *match) (meaning, bool) {
	f := when.DurationFound(m.from, m.to-m.from, m.part("length", "loose").length)
	f.Vague = f.Vague || len(m.args) > 0
	return meaning{find: f}, true
}

// buildEitherLength is one of two lengths, of which the first is a number alone: "5 to 10 days",
// "five or six days". Both are found, so that it is asked which.
func buildEitherLength(_ reader, m *match) (meaning, bool) {
	number, unit := m.part("number"), m.part("date_unit", "clock_unit")
	least, ok := calendar.Of(number.num, unit.word)
	most, _ := calendar.Of(m.part("amount").num, unit.word)
	if !ok || least.InSeconds() <= 0 || least.InSeconds() >= most.InSeconds() {
		return meaning{}, false
	}
	f := when.DurationFound(m.from, m.to-m.from, most)
	f.Date = when.DurationFound(m.from, number.to-m.from, least)
	f.Time = when.DurationFound(m.part("amount").from, m.to-m.part("amount").from, most)
	return meaning{find: f}, true
}
