package phrase

import (
	"strconv"
	"strings"
	"time"
)

// say puts a text into words by its kind, a built-in type or a format; it returns a text of another
// kind unchanged.
func (w *Language) say(kind, s string) string {
	if w == nil {
		if kind != asWords && kind != asMoney {
			return s
		}
		w = wordTables["en"]
	}
	for _, k := range sayers[kind] {
		if out := k(w, s); out != "" {
			return out
		}
	}
	return s
}

// sayer puts a value into words; "" if it is not of its kind.
type sayer func(w *Language, s string) string

// sayers are the functions to try for a kind, in order.
var sayers = map[string][]sayer{
	"date": {(*Language).moment}, "time": {(*Language).moment}, "datetime": {(*Language).moment},
	"daterange": {(*Language).span}, "timerange": {(*Language).span}, "datetimerange": {(*Language).span},
	"duration": {(*Language).duration}, "recurrence": {(*Language).recurrence}, "money": {(*Language).money}, asMoney: {(*Language).money},
	asWords: {(*Language).moment, (*Language).span, (*Language).duration, (*Language).recurrence},
}

// moment is a date, a time of day or both.
type moment struct {
	t         time.Time
	day, hour bool // which of the two it has
}

// momentLayouts are the forms of our types, and those of RFC 3339 that tools return.
var momentLayouts = []struct {
	layout    string
	day, hour bool
}{
	{time.DateOnly, true, false},
	{"15:04", false, true},
	{time.TimeOnly, false, true},
	{"T15:04", false, true},
	{"T15:04:05", false, true},
	{"2006-01-02T15:04:05", true, true},
	{"2006-01-02T15:04", true, true},
	{time.DateTime, true, true},
	{time.RFC3339Nano, true, true},
}

func parseMoment(s string) (moment, bool) {
	if s == "" || s[0] != 'T' && (s[0] < '0' || s[0] > '9') {
		return moment{}, false
	}
	for _, l := range momentLayouts {
		if t, err := time.Parse(l.layout, s); err == nil {
			return moment{t, l.day, l.hour}, true
		}
	}
	return moment{}, false
}

func (w *Language) moment(s string) string {
	m, ok := parseMoment(s)
	switch {
	case !ok:
		return ""
	case m.day && m.hour:
		return w.date(m.t) + w.at + w.clock(m.t)
	case m.day:
		return w.date(m.t)
	}
	return w.clock(m.t)
}

func (w *Language) date(t time.Time) string {
	return strings.NewReplacer("{w}", w.weekdays[t.Weekday()], "{d}", strconv.Itoa(t.Day()),
		"{m}", w.months[t.Month()-1], "{y}", strconv.Itoa(t.Year())).Replace(w.day)
}

// clock leaves out zero seconds.
func (w *Language) clock(t time.Time) string {
	layout := "15:04"
	if w.half {
		layout = "3:04"
	}
	if t.Second() != 0 {
		layout += ":05"
	}
	if w.half {
		layout += " pm"
	}
	return t.Format(layout)
}

// span says a range, START/END; a range of one day is that day.
func (w *Language) span(s string) string {
	from, to, ok := strings.Cut(s, "/")
	if !ok {
		return ""
	}
	a, begins := parseMoment(from)
	b, ends := parseMoment(to)
	switch {
	case !begins && from != ".." || !ends && to != ".." || !begins && !ends || begins && ends && a.hour != b.hour:
		return ""
	case !ends:
		return w.from + w.phrase(a)
	case !begins:
		return w.until + w.phrase(b)
	}
	sameDay := a.t.Format(time.DateOnly) == b.t.Format(time.DateOnly)
	switch {
	case !a.hour && sameDay:
		return w.date(a.t)
	case a.day && a.hour && sameDay:
		return w.phrase(a) + w.to + w.clock(b.t)
	}
	return w.phrase(a) + w.to + w.phrase(b)
}

func (w *Language) phrase(m moment) string {
	switch {
	case m.day && m.hour:
		return w.date(m.t) + w.at + w.clock(m.t)
	case m.day:
		return w.date(m.t)
	}
	return w.clock(m.t)
}

// duration turns P1DT2H30M into "1 day 2 hours 30 minutes".
func (w *Language) duration(s string) string {
	rest, ok := strings.CutPrefix(s, "P")
	if !ok {
		return ""
	}
	var out []string
	clock := false
	for rest != "" {
		if rest[0] == 'T' {
			clock, rest = true, rest[1:]
			continue
		}
		i := strings.IndexFunc(rest, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
		if i < 1 {
			return ""
		}
		n, err := strconv.ParseFloat(rest[:i], 64)
		unit := rest[i]
		if unit == 'M' && !clock {
			unit = 'N'
		}
		name, known := w.units[unit]
		if err != nil || !known {
			return ""
		}
		rest = rest[i+1:]
		if n == 1 {
			out = append(out, "1 "+name[0])
		} else if n != 0 || rest == "" && len(out) == 0 {
			out = append(out, strings.Replace(displayNumber(n), ".", w.point, 1)+" "+name[1])
		}
	}
	return strings.Join(out, " ")
}
