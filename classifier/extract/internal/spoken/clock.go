package spoken

import (
	"strconv"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
)

// buildClock is a time of day: an hour and what is added to it or taken away. "halb acht" is
// half an hour before eight.
func buildClock(s reader, m *match) (meaning, bool) {
	hour := m.part("hour", "hour12", "hh")
	t := calendar.TimeOfDay{Hour: int(hour.num)}
	t.Either = t.Hour >= 1 && t.Hour <= 12
	t.Doubt = t.Either && len(hour.word) < 2
	minutes := 0
	if mm := m.part("minute", "mm", "five"); mm != nil {
		minutes = int(mm.num)
	}
	if len(m.args) > 0 && m.args[0] == "before" {
		minutes = -minutes
	}
	for _, a := range m.args {
		if v, err := strconv.Atoi(a); err == nil {
			minutes += v
		}
	}
	if seconds := m.all("mm"); len(seconds) > 1 {
		t.Second = int(seconds[1].num)
	}
	if t.Hour == 24 && minutes > 0 {
		return meaning{}, false
	}
	at := 60*t.Hour + minutes
	if at < 0 {
		at += 24 * 60
	}
	if t.Hour = at / 60; t.Hour == 0 && t.Doubt && minutes < 0 {
		t.Hour = 12 // quarter to one
	}
	t.Minute = at % 60
	half := m.part("half", "half_day")
	if half == nil {
		return meaning{clock: t}, true
	}
	if t.Hour > 12 && half.word == "am" {
		return meaning{}, false
	}
	return meaning{clock: t.Half(half.word)}, true
}

// buildFixed is a time that has a name, with what is added to it: "midi et quart".
func buildFixed(_ reader, m *match) (meaning, bool) {
	minutes := int(60 * m.part("noon").num)
	for _, a := range m.args {
		if v, err := strconv.Atoi(a); err == nil {
			minutes += v
		}
	}
	if mm := m.part("minute"); mm != nil {
		if len(m.args) > 0 && m.args[0] == "before" {
			minutes -= int(mm.num)
		} else {
			minutes += int(mm.num)
		}
	}
	minutes = (minutes + 24*60) % (24 * 60)
	return meaning{clock: calendar.TimeOfDay{Hour: minutes / 60, Minute: minutes % 60}}, true
}
