package when

import (
	"strings"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/message"
)

// holidayNames lists the names by their first word, each cut into words.
var holidayNames = func() map[string][]holidayName {
	out := map[string][]holidayName{}
	for k := range calendar.Holidays {
		for name := range strings.SplitSeq(calendar.Holidays[k].Names, "|") {
			w := strings.Fields(name)
			out[w[0]] = append(out[w[0]], holidayName{words: w, of: &calendar.Holidays[k]})
		}
	}
	return out
}()

type holidayName struct {
	words []string
	of    *calendar.Holiday
}

// holiday reads a feast, with its year: "christmas eve", "black friday 2010", "the next
// easter", "independence day of this year".
func holiday(s *Reader, i int) (calendar.Days, int) {
	n, shift, moved := 0, 0, false
	if s.Is(i, Which) {
		n, moved = 1, true
	}
	h, k := feast(s, i+n)
	if k == 0 || s.Is(i-1, otherYears) {
		return calendar.Days{}, 0
	}
	n += k
	if moved {
		d := h.Around(s.Clock)
		switch relatives[s.Low(i)] {
		case 1:
			return calendar.OneDay(d.Next), n
		case -1:
			return calendar.OneDay(d.Past), n
		}
		return calendar.OneDay(h.In(s.Clock, s.Clock.Now.Year())), n
	}
	if y, k := s.YearAfter(i + n); k > 0 {
		return calendar.OneDay(h.In(s.Clock, y)), n + k
	}
	if shift, k = relativeYear(s, i+n); k > 0 {
		return calendar.OneDay(h.In(s.Clock, s.Clock.Now.Year()+shift)), n + k
	}
	return h.Around(s.Clock), n
}

// otherYears have a new year of their own, on a day that no table tells.
var otherYears = message.Words("chinese lunar jewish islamic persian tibetan vietnamese korean hindu orthodox")

// feast matches the longest name at token i. Apostrophes do not matter.
func feast(s *Reader, i int) (best *calendar.Holiday, n int) {
	if s.Low(i) == "" {
		return nil, 0
	}
	for _, name := range holidayNames[message.Bare(s.Low(i))] {
		k := spellsName(s, i, name.words)
		if k > n {
			best, n = name.of, k
		}
	}
	return best, n
}

// spellsName counts the tokens at i that spell words, with any apostrophes among them.
func spellsName(s *Reader, i int, list []string) int {
	j := i
	for _, w := range list {
		if j > i && s.SymbolAt(j, "'’.") && s.Glued(j) {
			j++
		}
		if message.Bare(s.Low(j)) != w {
			return 0
		}
		j++
	}
	return j - i
}

// relativeYear reads "of this year", "next year".
func relativeYear(s *Reader, i int) (shift, n int) {
	if s.Says(i, "of", "in") {
		n = 1
	}
	n += s.Skip(i+n, "the")
	if r, ok := relatives[s.Low(i+n)]; ok && s.Low(i+n+1) == "year" {
		return r, n + 2
	}
	return 0, 0
}

// relatives are the words that count from this day, week or year.
var relatives = map[string]int{
	"this": 0, "current": 0, "same": 0, "next": 1, "following": 1, "coming": 1, "upcoming": 1,
	"last": -1, "previous": -1, "past": -1, "prior": -1,
}
