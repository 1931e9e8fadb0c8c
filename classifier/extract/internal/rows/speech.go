package rows

import (
	"slices"

	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/message"
)

// tops are the grammars whose rows find values, and ranged those that are tried only where
// ranges are looked for.
var (
	tops   = [...]string{"skip", "when", "days", "duration", "idiom", "money", "percentage", "ordinal", "number"}
	ranged = [...]string{"skip", "when", "days", "span", "period", "recurrence", "duration", "idiom", "money", "percentage", "ordinal", "number"}
)

// spokenAt returns the longest find at token i, and where it ends with what it was read by.
func (s reader) spokenAt(i int) (best *find.Find, to int) {
	if s.Ranges {
		return s.longest(s.language.ranged, i)
	}
	return s.longest(s.language.tops, i)
}

// longest returns the longest find at token i by some grammars, of equal ones the first.
func (s reader) longest(list []*grammar, i int) (best *find.Find, to int) {
	for _, g := range list {
		m, n := s.readGrammar(g, i)
		if n == 0 || i+n <= to || m.find == nil {
			continue
		}
		if m.find.Kind != "" && (!s.apart(m.find, i+n) || s.AnyTaken(m.find.From, m.find.To) || !m.find.InCalendar()) {
			continue
		}
		if dayKind[m.find.Kind] && s.EndsTerm(m.find.From, "name_lead") > 0 {
			continue
		}
		best, to = m.find, i+n
	}
	return best, to
}

// apart reports whether a find, read up to a token, is no part of a longer word.
func (s reader) apart(f *find.Find, to int) bool {
	if s.Language.Coded && plainTops[f.Kind] {
		return s.stands(f)
	}
	if s.Language.Coded && f.Kind != "duration" && f.Kind != "recurrence" && f.Kind != "" {
		return true
	}
	return s.standsApart(f.From, to)
}

// dayKind are the kinds of finds that may be somebody's name: Mr. August.
var dayKind = message.Words("date daterange")

// standsApart reports whether the tokens [from, to) are no part of a longer word such as O-12
// or 4/5.
func (s reader) standsApart(from, to int) bool {
	if s.Glued(from) && !s.OpenBefore(from) && !s.afterElision(from) {
		if s.Tokens[from].Class == message.Digits || !s.SymbolAt(from-1, "-–@/") {
			return false
		}
	}
	return !s.Glued(to) || s.CloseAfter(to) || s.SymbolAt(to, "-–@") && s.Tokens[to-1].Class == message.Letters || s.SymbolAt(to, "€$£%")
}

// stretchStands does so for a stretch of the calendar: a dash may join it to the other end.
func (s reader) stretchStands(from, to int) bool {
	if s.Glued(from) && !s.OpenBefore(from) && !s.AtRangeEnd() && !s.SymbolAt(from-1, "<>") {
		return false
	}
	return !s.Glued(to) || s.CloseAfter(to) || s.SymbolAt(to, "-–~") || s.SymbolAt(to, ".") && s.Capital(to+1)
}

// afterElision reports whether token i stands behind an article cut short: d'avril.
func (s reader) afterElision(i int) bool {
	w := s.Tokens[i-1].Low
	return len(w) > 1 && w[len(w)-1] == '\''
}

// day is the day at token i, and spokenClock the time.
func (s reader) day(i int) *find.Find {
	if m, n := s.read("day", i); n > 0 && (s.language.Coded || s.standsApart(i, i+n)) {
		return s.dateFind(&m, i, i+n)
	}
	return nil
}

func (s reader) time(i int) *find.Find {
	if m, n := s.read("at", i); n > 0 && s.standsApart(i, i+n) {
		return s.timeFind(m.clock, m.from, i+n)
	}
	return nil
}

// changed reports whether the words beside a day make it another one, or no single one.
func (s reader) changed(f *find.Find) bool {
	if s.IsTerm(f.To, "open_behind") {
		return true
	}
	if _, n := s.TermAt(f.To, "bound"); n > 0 {
		for s.IsTerm(f.To+n, "the") {
			n++
		}
		if f.To+n >= len(s.Tokens) {
			return s.IsTerm(f.To, "bound_alone")
		}
		if !s.IsTerm(f.To+n, "hour_word") && s.time(f.To+n) == nil && s.Digits(f.To+n, 1, 99) == "" {
			return true
		}
	}
	for _, i := range s.behindArticles(f.From) {
		if n := s.EndsTerm(i, "bound"); n > 0 {
			i -= n
			return s.EndsTerm(i, "negation") > 0 || s.EndsTerm(i, "date_unit") > 0 || s.EndsTerm(i, "calendar_unit") > 0
		}
		if n := s.EndsTerm(i, "until"); n > 0 {
			return s.EndsTerm(i-n, "negation") > 0
		}
		if n := s.EndsTerm(i, "other_day"); n > 0 && s.EndsTerm(i-n, "negation") == 0 || s.EndsTerm(i, "stretch_of") > 0 {
			return true // but not "no later than"
		}
	}
	return false
}

// behindArticles are the places where the words before token i may end: there, and before each
// article that leads to it, since "antes del" holds one of its own.
func (s reader) behindArticles(i int) []int {
	out := []int{i}
	for n := s.EndsTerm(i, "the"); n > 0 && i > 0; n = s.EndsTerm(i, "the") {
		i -= n
		out = append(out, i)
	}
	return out
}

// bound reports whether a day is only an end of what is meant: "nach Montag".
func (s reader) bound(f *find.Find) bool {
	return slices.ContainsFunc(s.behindArticles(f.From), func(i int) bool { return s.EndsTerm(i, "bound") > 0 })
}
