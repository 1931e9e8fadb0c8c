// Package people reads who comes: "me, my wife and our two kids".
package people

import (
	"slices"

	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/extract/internal/numbers"
	"github.com/slotway/slotway/classifier/extract/internal/talk"
	"github.com/slotway/slotway/classifier/extract/internal/when"
	"github.com/slotway/slotway/classifier/message"
)

// Company is a party as people describe it: "me, my wife and our two kids". Offsets are tokens.
type Company struct {
	From, To int
	Count    int // 0: the words leave it open, as "me and the kids" do
}

// AllCompany reads an answer that is only a party: "just me", "a couple".
func AllCompany(s *when.Reader) Company {
	from, to := talk.Core(s.Message, "opening", "")
	switch {
	case from >= to:
	case spans(s, from, to, "alone"):
		return Company{from, to, 1}
	case spans(s, from, to, "couple"):
		return Company{from, to, 2}
	}
	return Company{}
}

// spans reports whether the tokens [from, to) are a phrase of a class.
func spans(s *when.Reader, from, to int, class string) bool {
	_, n := s.TermAt(from, class)
	return n == to-from
}

// CompanyAt reads a party at token i: "the two of us", "we are four", "me and my wife".
func CompanyAt(s *when.Reader, i int) Company {
	if who := ofUs(s, i); who.To > 0 {
		return who
	}
	return listed(s, i)
}

// ofUs reads "the two of us", "us three", "we are four", "we'll be five", "two of us". What
// leads to the number is no part of it.
func ofUs(s *when.Reader, i int) Company {
	n := 0
	for s.IsTerm(i+n, "of_us_lead") && n < 4 {
		n++
	}
	v, k := numbers.Read(s.Message, i+n)
	whole := k > 0 && v == float64(int(v)) && v > 0 && v < 1000
	switch {
	case !whole:
	case s.Low(i+n+k) == "of" && s.IsTerm(i+n+k+1, "us_word") && n == 0 && partOfUs(s, i, i+k+2):
	case s.Low(i+n+k) == "of" && s.IsTerm(i+n+k+1, "us_word"):
		return Company{i + n, i + n + k + 2, int(v)}
	case n > 0 && s.IsTerm(i, "we_word") && s.Ends(i+n+k):
		return Company{i + n, i + n + k, int(v)}
	}
	return Company{}
}

// partOfUs reports whether "two of us", the tokens [i, to) without a word before them that makes it
// all, is only a part of the party: "one of us can't eat nuts".
func partOfUs(s *when.Reader, i, to int) bool {
	if s.IsTerm(i-1, "company_lead") || s.IsTerm(i-1, "of_us_lead") {
		return false
	}
	return s.IsTerm(to, "part_verb") || s.WordAt(to) && !s.Ends(to) && !s.In(to, "noun_stop") && !s.In(to, "filler") && !s.IsTerm(to, "alone_tail")
}

// listed reads a list of people that holds the speaker or two kinds of them: "me, my wife
// and our two kids", "2 adults and 3 kids".
func listed(s *when.Reader, i int) Company {
	who := Company{From: i}
	speaker, numbered, items, open := false, false, 0, false
	for j := i; items < mostCompany; {
		count, n, known := companion(s, j)
		if n == 0 && speaker {
			count, n, known = furtherOnes(s, j)
		}
		if n == 0 || s.Low(j) == "i" && subject(s, j) && (numbered || !opensClause(s, i)) {
			break // two people and I would like ...
		}
		numbered = numbered || !s.IsTerm(j, "owner") && !s.IsTerm(j, "oneself")
		speaker = speaker || s.IsTerm(j, "oneself")
		items, open = items+1, open || !known
		who.Count, who.To = who.Count+count, j+n
		if j = joinedAt(s, who.To); j == who.To || s.Low(j-1) == "with" && !speaker {
			break // seven guests with me
		}
	}
	if j := joinedAt(s, who.To); j > who.To && speaker && !open && unknownCompanion(s, j) {
		open, items = true, items+1 // me and Tom's whole class
	}
	return total(s, who, items, open)
}

// total checks a list of so many items and returns who comes. An open list has no number.
func total(s *when.Reader, who Company, items int, open bool) Company {
	couples := items > 0 && !open && s.IsTerm(who.To-1, "couple_noun")
	if items == 0 || items == 1 && !couples && (!open || s.IsTerm(who.From, "owner")) {
		return Company{} // one of something is left to the numbers
	}
	if open {
		who.Count, who.To = 0, clauseEnd(s, who.To)
	}
	return who
}

// subject reports whether the "i" at token i is the one that does what follows.
func subject(s *when.Reader, i int) bool {
	return s.WordAt(i+1) && !s.IsTerm(i+1, "people_join") && !s.In(i+1, "cue_stop")
}

// opensClause reports whether nothing of its clause stands before token i.
func opensClause(s *when.Reader, i int) bool {
	return i == 0 || s.Tokens[i-1].Class == message.Symbol || s.In(i-1, "cue_stop") || s.Low(i-1) == "so"
}

// furtherOnes reads the plain number of "me plus 3".
func furtherOnes(s *when.Reader, i int) (count, n int, known bool) {
	if v, k := numbers.Read(s.Message, i); k > 0 && s.Ends(i+k) && v == float64(int(v)) && v > 0 && v < 1000 {
		return int(v), k, true
	}
	return 0, 0, false
}

// joinedAt is where the next of a list of people starts, or i.
func joinedAt(s *when.Reader, i int) int {
	for k := 0; k < 2 && (s.IsTerm(i, "people_join") || s.SymbolAt(i, ",&+")); k++ {
		i++
	}
	return i
}

// mostCompany bounds the work on one list of people.
const mostCompany = 16

// companion reads one entry of a list of people; known is false where it does not say how
// many.
func companion(s *when.Reader, i int) (count, n int, known bool) {
	if s.IsTerm(i, "oneself") {
		return 1, 1, true
	}
	for s.IsTerm(i+n, "owner") || s.Low(i+n) == "both" {
		n++
	}
	v, k := numbers.Read(s.Message, i+n)
	if k > 0 && (v != float64(int(v)) || v < 0 || v > 1000) {
		return 0, 0, false
	}
	n += k
	for m := 0; m < 2 && s.IsTerm(i+n, "kin_mark") && (s.IsTerm(i+n+1, "kin_mark") || IsKin(s, i+n+1)); m++ {
		n++
	}
	if s.IsTerm(i+n, "child_word") {
		return 0, n + 1, false
	}
	each, _ := s.TermAt(i+n, "kin")
	switch {
	case !IsKin(s, i+n) || n == 0:
		return 0, 0, false
	case s.IsTerm(i+n, "couple_noun"):
		count, m := couples(s, i+n, int(v), k > 0)
		return count, (n + m) * min(m, 1), count > 0
	case k > 0:
		return int(v), n + 1, true
	case s.Low(i+n-1) == "both":
		return 2, n + 1, true
	case s.IsTerm(i, "owner") && each.Num > 0:
		return int(each.Num), n + 1, true
	}
	return 0, n + 1, false
}

// couples reads the couples at token i, two people each. "a couple of friends" is two people, "a
// couple of days" none.
func couples(s *when.Reader, i, number int, numbered bool) (count, n int) {
	switch {
	case s.Low(i+1) == "of" && IsKin(s, i+2) && !numbered:
		return 2, 3
	case s.Low(i+1) == "of" || s.WordAt(i+1) && !s.In(i+1, "noun_stop") && !s.IsTerm(i+1, "people_join") && !s.BareHourEnds(i+1):
		return 0, 0
	case numbered:
		return 2 * number, 1
	case s.Low(i) == "couple":
		return 2, 1
	}
	return 0, 1
}

// IsKin reports whether token i is a word for a person.
func IsKin(s *when.Reader, i int) bool { return s.IsTerm(i, "kin") }

// clauseEnd is where the sentence that holds token i ends.
func clauseEnd(s *when.Reader, i int) int {
	for i < len(s.Tokens) && !s.SymbolAt(i, ".!?;") {
		i++
	}
	return i
}

// unknownCompanion reports whether token i names a person or a group without a number: "me and the
// team". Words of the next clause do not count.
func unknownCompanion(s *when.Reader, i int) bool {
	return s.IsTerm(i, "owner") && s.WordAt(i+1) || s.IsTerm(i, "numberless")
}

// Within reports whether a find is a part of who comes.
func Within(companies []Company, f *find.Find) bool {
	return slices.ContainsFunc(companies, func(w Company) bool { return w.From <= f.From && f.To <= w.To })
}
