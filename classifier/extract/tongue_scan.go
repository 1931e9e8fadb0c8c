package extract

import "slices"

// speech is what is known of a message in another language while it is read.
type speech struct {
	stack []meaning // what the rows under way have read
	deep  int       // how deep they read each other
	memo  memo      // what they have read
	terms [][]term  // by token: what may begin with it
}

// speak makes a scan one of a language; nil is English.
func (s *scan) speak(t *tongue) *scan {
	if s.tongue = t; t != nil {
		if s.speech == nil {
			s.speech = &speech{}
		}
		s.stack = s.stack[:0]
		s.cutElided()
		s.terms = s.terms[:0]
		for k := range s.tokens {
			s.terms = append(s.terms, t.words[s.tokens[k].low])
		}
		s.memo.reset(0)
	}
	return s
}

// allSpoken walks a message once, as [scan.all] does in English.
func (s *scan) allSpoken() []found {
	var out []found
	s.memo.reset((len(s.tongue.grammar) + len(readers)) * len(s.tokens))
	defer s.memo.reset(0) // what is asked later may be asked of other words
	for i := 0; i < len(s.tokens); {
		if s.taken[i] {
			i++
			continue
		}
		best, to := s.spokenAt(i)
		switch {
		case best == nil:
			i++
			continue
		case best.kind == "":
			i = to // a phrase that holds none
			continue
		case best.date != nil && best.kind == "daterange" && !s.ranges:
			out = append(out, *best.date, *best.time)
		default:
			out = append(out, *best)
		}
		for k := best.from; k < best.to; k++ {
			s.exact[k] = true
		}
		i = to
	}
	return out
}

// tops are the grammars whose rows find values, and ranged those that are tried only where
// ranges are looked for.
var (
	tops   = [...]string{"skip", "when", "days", "duration", "money", "percentage", "ordinal", "number"}
	ranged = [...]string{"skip", "when", "days", "period", "recurrence", "duration", "money", "percentage", "ordinal", "number"}
)

// spokenAt returns the longest find at token i, and where it ends with what it was read by.
func (s *scan) spokenAt(i int) (best *found, to int) {
	list := tops[:]
	if s.ranges {
		list = ranged[:]
	}
	for _, name := range list {
		m, n := s.read(name, i)
		if n == 0 || i+n <= to || m.find == nil {
			continue
		}
		if m.find.kind != "" && (!s.standsApart(m.find.from, i+n) || s.anyTaken(m.find.from, m.find.to) || !m.find.inCalendar()) {
			continue
		}
		if dayKind[m.find.kind] && s.endsTerm(m.find.from, "name_lead") > 0 {
			continue
		}
		best, to = m.find, i+n
	}
	return best, to
}

// dayKind are the kinds of finds that may be somebody's name: Mr. August.
var dayKind = words("date daterange")

// standsApart reports whether the tokens [from, to) are no part of a longer word such as O-12
// or 4/5.
func (s *scan) standsApart(from, to int) bool {
	if s.glued(from) && !s.openBefore(from) && !s.afterElision(from) {
		if s.tokens[from].class == digits || !s.symbolAt(from-1, "-–@/") {
			return false
		}
	}
	return !s.glued(to) || s.closeAfter(to) || s.symbolAt(to, "-–@") && s.tokens[to-1].class == letters || s.symbolAt(to, "€$£%")
}

// afterElision reports whether token i stands behind an article cut short: d'avril.
func (s *scan) afterElision(i int) bool {
	w := s.tokens[i-1].low
	return len(w) > 1 && w[len(w)-1] == '\''
}

// spokenDate is the day at token i, and spokenClock the time.
func (s *scan) spokenDate(i int) *found {
	if m, n := s.read("day", i); n > 0 && s.standsApart(i, i+n) {
		return dateFind(&m, i, i+n)
	}
	return nil
}

func (s *scan) spokenClock(i int) *found {
	if m, n := s.read("clock", i); n > 0 && s.standsApart(i, i+n) {
		return timeFind(m.clock, i, i+n)
	}
	return nil
}

// changedSpoken is [scan.changed] in another language: the words beside a day make it another
// one, or no single one.
func (s *scan) changedSpoken(f *found) bool {
	if s.isTerm(f.to, "open_behind") {
		return true
	}
	if _, n := s.termAt(f.to, "bound"); n > 0 {
		for s.isTerm(f.to+n, "the") {
			n++
		}
		if !s.isTerm(f.to+n, "hour_word") && s.spokenClock(f.to+n) == nil && s.digits(f.to+n, 1, 99) == "" && f.to+n < len(s.tokens) {
			return true
		}
	}
	for _, i := range s.behindArticles(f.from) {
		if n := s.endsTerm(i, "bound"); n > 0 {
			i -= n
			return s.endsTerm(i, "negation") > 0 || s.endsTerm(i, "date_unit") > 0 || s.endsTerm(i, "calendar_unit") > 0
		}
		if n := s.endsTerm(i, "until"); n > 0 {
			return s.endsTerm(i-n, "negation") > 0
		}
		if s.endsTerm(i, "other_day") > 0 || s.endsTerm(i, "stretch_of") > 0 {
			return true
		}
	}
	return false
}

// behindArticles are the places where the words before token i may end: there, and before each
// article that leads to it, since "antes del" holds one of its own.
func (s *scan) behindArticles(i int) []int {
	out := []int{i}
	for n := s.endsTerm(i, "the"); n > 0 && i > 0; n = s.endsTerm(i, "the") {
		i -= n
		out = append(out, i)
	}
	return out
}

// boundSpoken reports whether a day is only an end of what is meant: "nach Montag".
func (s *scan) boundSpoken(f *found) bool {
	return slices.ContainsFunc(s.behindArticles(f.from), func(i int) bool { return s.endsTerm(i, "bound") > 0 })
}
