package extract

import "strconv"

// buildClock is a time of day: an hour and what is added to it or taken away. "halb acht" is
// half an hour before eight.
func buildClock(s *scan, m *match) (meaning, bool) {
	hour := m.part("hour", "hour12", "hh")
	t := timeOfDay{hour: int(hour.num)}
	t.either = t.hour >= 1 && t.hour <= 12
	t.doubt = t.either && len(hour.word) < 2
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
		t.second = int(seconds[1].num)
	}
	if t.hour == 24 && minutes > 0 {
		return meaning{}, false
	}
	at := 60*t.hour + minutes
	if at < 0 {
		at += 24 * 60
	}
	if t.hour = at / 60; t.hour == 0 && t.doubt && minutes < 0 {
		t.hour = 12 // quarter to one
	}
	t.minute = at % 60
	half := m.part("half", "half_day")
	if half == nil {
		return meaning{clock: t}, true
	}
	if t.hour > 12 && half.word == "am" {
		return meaning{}, false
	}
	return meaning{clock: t.half(half.word)}, true
}

// buildFixed is a time that has a name, with what is added to it: "midi et quart".
func buildFixed(_ *scan, m *match) (meaning, bool) {
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
	return meaning{clock: timeOfDay{hour: minutes / 60, minute: minutes % 60}}, true
}
