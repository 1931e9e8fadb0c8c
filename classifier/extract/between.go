package extract

import "time"

// between reads a range by its ends: "from monday to friday", "between 2014 and 2018",
// "january 12 - january 22", "from 8am tomorrow to 5pm".
func (s *scan) between(i int) *found {
	n := 0
	if w := s.low(i); w == "from" || w == "between" || w == "in" {
		n = 1
	}
	if s.atRangeEnd || s.joins <= i+n {
		return nil
	}
	a, b, second := s.rangeEnds(i+n, s.low(i) == "between")
	if a == nil || n == 0 && a.kind == "time" {
		return nil
	}
	if second == 0 && s.low(i) == "from" && a.kind == "datetimerange" && a.value != nil {
		a.from = i // from today 9am to 5pm
		return a
	}
	if second == 0 {
		return nil
	}
	if s.low(i) == "in" && a.unit != aNumberedYear {
		return nil
	}
	if b == nil || a.unit == aNumberedYear && b.unit == aNumberedYear && roundYears(a, b) {
		return nil
	}
	f := s.join(a, b)
	if f == nil {
		return nil
	}
	f.from, f.to, f.confidence = i, b.to, 0.9
	if s.low(i) == "in" && b.unit != aNumberedYear {
		f.from = i + 1
	}
	return f
}

// roundYears reports whether both ends look rather like amounts: 1500 to 2000.
func roundYears(a, b *found) bool {
	return a.readings[0].start.Year()%100 == 0 && b.readings[0].start.Year()%100 == 0
}

// rangeEnd reads one end of a range: the longest day, moment, time or stretch at i.
func (s *scan) rangeEnd(i int) *found {
	s.atRangeEnd = true
	defer func() { s.atRangeEnd = false }()
	var best *found
	for _, rule := range [...]func(*scan, int) *found{(*scan).moment, (*scan).whenever, (*scan).period} {
		if f := rule(s, i); f != nil && (best == nil || f.to > best.to) {
			best = f
		}
	}
	return best
}

// join makes a range of two ends. A stretch counts by its start, unless its end was named.
func (s *scan) join(a, b *found) *found {
	ka, kb := a.kind, b.kind
	switch {
	case ka == "daterange" && kb == "datetime", ka == "date" && kb == "datetime" && b.date == nil:
		b = s.dayOf(b) // between aug 2019 and now
	case ka == "datetime" && (kb == "date" || kb == "daterange") && a.date == nil:
		a = s.dayOf(a)
	}
	if !isDays(a) || !isDays(b) {
		return s.joinMoments(a, b)
	}
	f := &found{kind: "daterange"}
	if len(a.readings) == 0 || len(b.readings) == 0 {
		return f // an end that no calendar settles
	}
	f.readings = pair(a.endPoints(), b.endPoints(), a.cycle, b.cycle)
	if len(f.readings) == 0 {
		return f
	}
	f.value = f.readings[len(f.readings)-1]
	if len(f.readings) > 1 {
		f.cycle = a.cycle
	}
	if day, ok := a.value.(time.Time); ok && a.cycle == weekly && b.cycle == weekly { // not a week that has begun
		f.value = pair([]time.Time{day}, b.endPoints(), once, weekly)[0]
	}
	return f
}

func isDays(f *found) bool { return f.kind == "date" || f.kind == "daterange" }

// dayOf is the day of a moment.
func (s *scan) dayOf(f *found) *found {
	g := *f
	g.kind, g.readings = "date", []interval{point(s.clock.today())}
	return &g
}

// endPoints are the days that a find stands for at the end of a range.
func (f *found) endPoints() []time.Time {
	var out []time.Time
	for _, r := range f.readings {
		t := r.start
		switch {
		case f.edge == tail:
			t = r.end
		case f.edge == middle && f.unit == aMonth:
			t = r.start.AddDate(0, 0, 6) // the 16th
		case f.edge == middle && f.unit == aNumberedYear:
			t = time.Date(t.Year(), 7, 2, 0, 0, 0, 0, t.Location())
		}
		out = append(out, t)
	}
	return out
}

// pair settles which of the days that two ends may be belong together: an end comes
// after its start, and not a whole round later.
func pair(a, b []time.Time, ca, cb cycle) []interval {
	switch {
	case len(a) == 1 && len(b) == 1:
		if b[0].Before(a[0]) {
			return nil
		}
		return []interval{{a[0], b[0]}}
	case len(a) == 1:
		end := b[0]
		for k := 0; k < 400 && end.Before(a[0]); k++ {
			end, _ = cb.move(end, 1)
		}
		for k := 0; k < 400 && cb == yearly && end.AddDate(-1, 0, 0).After(a[0]); k++ {
			end = end.AddDate(-1, 0, 0)
		}
		return []interval{{a[0], end}}
	case len(b) == 1:
		start := a[len(a)-1]
		if ca == yearly {
			moved, ok := yearly.move(start, b[0].Year()-start.Year())
			if !ok {
				return nil
			}
			start = moved
		}
		for k := 0; k < 400 && start.After(b[0]); k++ {
			start, _ = ca.move(start, -1)
		}
		return []interval{{start, b[0]}}
	}
	past, next := interval{a[0], b[0]}, interval{a[1], b[1]}
	if past.end.Before(past.start) {
		past.end = b[1]
	}
	if next.end.Before(next.start) {
		next.start = a[0]
	}
	if cb == yearly {
		for end := past.end.AddDate(-1, 0, 0); !end.Before(past.start); end = end.AddDate(-1, 0, 0) {
			past.end = end
		}
	}
	if past == next {
		return []interval{next}
	}
	return []interval{past, next}
}

// joinMoments makes a range of two moments, of which one may lack its day.
func (s *scan) joinMoments(a, b *found) *found {
	switch {
	case a.kind == "datetime" && b.kind == "datetime":
	case a.kind == "datetime" && b.kind == "time" && a.date != nil:
		b = timesOn(b, a.date)
	case a.kind == "date" && b.kind == "datetime" && b.date != nil:
		a = timesOn(&found{temporal: temporal{readings: []interval{point(noDay)}}}, a)
	case a.kind == "time" && b.kind == "datetime" && b.date != nil:
		a = timesOn(a, b.date)
	default:
		return nil
	}
	f := &found{kind: "datetimerange"}
	for _, r := range a.readings {
		for _, e := range b.readings {
			if e.start.After(r.start) {
				f.readings = append(f.readings, interval{r.start, e.start})
				break
			}
		}
	}
	if len(f.readings) == 0 {
		return nil
	}
	f.value = f.readings[len(f.readings)-1]
	if first, ok := a.value.(instant); ok {
		for _, r := range f.readings {
			if r.start.Equal(time.Time(first)) {
				f.value = r
			}
		}
	}
	return f
}

// timesOn puts times on the days of a date.
func timesOn(t, day *found) *found {
	g := &found{kind: "datetime"}
	for _, d := range day.readings {
		for _, r := range t.readings {
			g.readings = append(g.readings, r.onDay(d.start))
		}
	}
	return g
}

// dayRange reads two days of one month: "9 to 12 of june", "june 9-12, 2018", "from 4-23
// in next month", "from the 5th to the 9th of may".
func (s *scan) dayRange(i int) *found {
	n, between := 0, false
	switch s.low(i) {
	case "from", "between":
		n, between = 1, s.low(i) == "between"
	}
	led := n > 0
	if m := months[s.low(i+n)]; m > 0 {
		a, b, k := s.twoDays(i+n+1, between)
		if k == 0 || s.low(i+n) == "may" && n == 0 && !s.capital(i) && !s.ends(i+n+1+k) {
			return nil
		}
		n += 1 + k
		y, k := s.yearAfter(i + n)
		return s.daysOf(i, n+k, m, y, a, b)
	}
	a, b, k := s.twoDays(i+n, between)
	if k == 0 {
		return nil
	}
	n += k
	if s.low(i+n) == "of" || s.low(i+n) == "in" {
		n++
	}
	m := months[s.low(i+n)]
	if m > 0 {
		y, k := s.yearAfter(i + n + 1)
		if k == 0 && !led && doubtfulMonths[s.low(i+n)] && s.tokens[i+n-1].class == digits && !s.capital(i+n) && !s.ends(i+n+1) {
			return nil // "2 to 3 may come"
		}
		n++
		return s.daysOf(i, n+k, m, y, a, b)
	}
	r, ok := relatives[s.low(i+n)]
	if s.low(i+n) == "the" {
		r, ok = 0, true
	}
	if !ok || s.low(i+n+1) != "month" {
		return nil
	}
	v := s.clock.stretch(aMonth, r)
	return s.daysOf(i, n+2, v.start.Month(), v.start.Year(), a, b)
}

// twoDays reads two numbers of days with what joins them.
func (s *scan) twoDays(i int, between bool) (a, b, n int) {
	for k, v := range [2]*int{&a, &b} {
		if k == 1 {
			j := s.joiner(i+n, between)
			if j == 0 {
				return 0, 0, 0
			}
			n += j
		}
		if s.low(i+n) == "the" {
			n++
		}
		d, j, _ := s.dayNumber(i + n)
		if j == 0 || d < 1 || d > 31 {
			return 0, 0, 0
		}
		*v, n = d, n+j
	}
	if s.glued(i+n) && !s.closeAfter(i+n) {
		return 0, 0, 0
	}
	return a, b, n
}

// daysOf is a range of days in a month, of a year that was said or not.
func (s *scan) daysOf(i, n int, m time.Month, y, a, b int) *found {
	if a >= b || s.glued(i) && !s.openBefore(i) {
		return nil
	}
	var starts []time.Time
	if y > 0 {
		t, _ := s.clock.day(y, m, a)
		starts = append(starts, t)
	} else if d := s.clock.yearly(m, a); !d.unreal {
		starts = append(starts, d.past, d.next)
	}
	f := rangeFound(i, n, noUnit)
	for _, t := range starts {
		if end, ok := s.clock.day(t.Year(), m, b); ok && t.Day() == a {
			f.readings = append(f.readings, interval{t, end})
		}
	}
	if len(f.readings) > 0 {
		f.value = f.readings[len(f.readings)-1]
	}
	return f
}
