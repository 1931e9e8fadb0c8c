package rows

import (
	"slices"
	"strconv"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/message"
)

// Times of day.

// clockOf is the meaning of a time. One that may be a number includes the word that leads to it: "at 5".
func (m *match) clockOf(t calendar.TimeOfDay) (meaning, bool) {
	if t.Doubt {
		m.from = m.lead
	}
	return meaning{clock: t}, true
}

// buildClock is a time of day: an hour and what is added to it or taken away. "halb acht" is
// half an hour before eight.
func buildClock(s reader, m *match) (meaning, bool) {
	hour := m.part("hour", "hour12", "hh", "twelve", "hhmm")
	t, minutes := calendar.TimeOfDay{Hour: int(hour.num)}, 0
	if hour.name == "hhmm" {
		t.Hour, minutes = t.Hour/100, t.Hour%100
	}
	t.Either = t.Hour >= 1 && t.Hour <= 12
	t.Doubt = t.Either && (len(hour.word) < 2 || t.Hour >= 10)
	if mm := m.part("minute", "mm", "five", "fives", "minute_word", "unit"); mm != nil {
		minutes = int(mm.num)
	}
	half := m.part("am_pm", "half_day")
	if half != nil && t.Hour > 12 && half.word == "am" {
		return meaning{}, false
	}
	for _, arg := range m.args {
		v, err := strconv.Atoi(arg)
		switch {
		case err == nil:
			minutes += v
		case arg == "before":
			minutes = -minutes
		case arg == "exact":
			t.Either, t.Doubt = false, false
		case !s.shapeStands(arg, m, t.Hour, minutes, hour.word):
			return meaning{}, false
		}
	}
	if seconds := m.all("mm"); len(seconds) > 1 {
		t.Second = int(seconds[1].num)
	}
	if t.Hour == 24 && minutes > 0 {
		return meaning{}, false
	}
	if half != nil && half.name == "am_pm" && minutes < 0 { // quarter to 12 pm is before noon
		t, half = t.Half(half.word), nil
	}
	doubtful, at := t.Doubt, 60*t.Hour+minutes
	if at < 0 {
		at += 24 * 60
	}
	if t.Hour = at / 60; t.Hour == 0 && doubtful && minutes < 0 {
		t.Hour = 12 // quarter to one
	}
	t.Hour, t.Minute = t.Hour%24, at%60
	if half != nil {
		t = t.Half(half.word)
	}
	return m.clockOf(t)
}

// buildLetter is the half of the day by a letter, 9:00a, unless it belongs to the number of a class or a
// house: 3A, flat 4a.
func buildLetter(s reader, m *match) (meaning, bool) {
	letter := m.part("half_letter")
	named := s.Tokens[m.from].Text == "A" && !s.Shouts() && len(s.Low(m.from-1)) == 1 && !s.IsTerm(m.from-2, "time_cue")
	return meaning{word: letter.word}, !named && !s.IsTerm(m.from-2, "number_noun")
}

// shapeStands reports whether figures that may be something else are a time by what was asked.
func (s reader) shapeStands(shape string, m *match, hour, minutes int, figures string) bool {
	switch shape {
	case "military": // without a nought or an "at" 1830 hours are many
		return len(figures) == 4 && (figures[0] == '0' || s.TimeCue(m.lead-1) > 0 || s.Timely())
	case "twelve":
		return hour >= 1 && hour <= 12
	case "spoken":
		return figures == ""
	case "late":
		return hour > 12
	case "dotted": // 18.30 is no day where its minutes are no month
		return s.Asked == "time" || minutes > 12 || minutes == 0
	}
	return s.Asked == "time" && hour >= 1 && hour <= 12
}

// buildFixed is a time that has a name, with what is added to it: "midi et quart".
func buildFixed(_ reader, m *match) (meaning, bool) {
	minutes := int(60 * m.part("noon", "noon_part").num)
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

// buildHalved is a time in the half of the day that was said with it; an o'clock alone leaves it open.
func buildHalved(_ reader, m *match) (meaning, bool) {
	t := m.part("bare", "clock").clock
	if half := m.part("am_pm", "half_day"); half != nil {
		if t.Hour > 12 && half.word == "am" {
			return meaning{}, false
		}
		if t.Either {
			t = t.Half(half.word)
		}
	}
	return m.clockOf(t)
}

// buildAt is a time with what leads to it. A bare hour is one by the question or by the part of the day
// beside it: "8 tonight", but not "a table for 6 tonight at 9".
func buildAt(s reader, m *match) (meaning, bool) {
	t := m.part("clock", "minutes_to", "bare", "ish_hour").clock
	if m.part("ish_hour") != nil {
		t = calendar.TimeOfDay{Hour: int(m.part("ish_hour").num), Doubt: true, Either: true}
	}
	switch {
	case slices.Contains(m.args, "answers") && t.Minute == 0 && (s.Asked != "time" || m.lead > 0 || m.to < len(s.Tokens)):
		return meaning{}, false
	case slices.Contains(m.args, "word") && !s.WordAt(m.from), slices.Contains(m.args, "night") && !s.InPart(m.from, m.to, t):
		return meaning{}, false
	case slices.Contains(m.args, "beside") && !s.BehindPart(m.from, t):
		return meaning{}, false
	}
	return m.clockOf(t)
}

// buildBare is an hour at an end of a range, which may be a number.
func buildBare(_ reader, m *match) (meaning, bool) {
	if p := m.part("bare"); p != nil {
		return meaning{clock: p.clock, word: "bare"}, true
	}
	hour := int(m.part("twelve").num)
	return meaning{clock: calendar.TimeOfDay{Hour: hour, Minute: int(m.part("mm").num), Doubt: true, Either: true}, word: "bare"}, true
}

// standsAsTime reports whether the tokens [from, to) of a time are no part of a longer word.
func (s reader) standsAsTime(from, to int) bool {
	if s.Glued(from) && !s.OpenBefore(from) && !s.SymbolAt(from-1, "@-") && !(s.Low(from-1) == "t" && message.CountDigits(s.Low(from)) == 2) {
		return false
	}
	return !s.Glued(to) || s.CloseAfter(to)
}
