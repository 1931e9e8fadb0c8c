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

var (
	// oneself is the speaker; kin are people who come one at a time, and how many a word
	// for them means.
	oneself = message.Words("me myself i")
	kin     = kinWords()
	// childWords may or may not count: a baby has no seat.
	childWords = message.Words("baby babies infant infants toddler toddlers newborn")
	owners     = message.Words("my our his her their a an the one another")
	joins      = message.Words("and plus & , + with")
	// CompanyLeads stand before a party in a message about something else as well.
	CompanyLeads = message.Words("for just only it's its is are be of we're book including")
	aloneWords   = message.Split("just me,only me,just myself,only myself,me alone,me only,by myself,on my own,alone,all alone,solo,myself,just for me,only for me,for me only,me,for me,for myself,just the one of us,i am alone,i'm alone,i travel alone,i'm travelling alone,i'm traveling alone,travelling alone,traveling alone,travelling solo,traveling solo")
	coupleWords  = message.Split("a couple,couple,we are a couple,we're a couple,both of us,the both of us,us both,we both,the pair of us,a pair")
	// AloneBook holds the phrases of a person who comes alone.
	AloneBook  = message.NewBook(aloneWords)
	coupleBook = message.NewBook(coupleWords)
)

// kinWords are nouns for people who are counted: one of them, or of a plural two where it
// can be no other number, else 0.
func kinWords() map[string]int {
	out := map[string]int{"parents": 2, "grandparents": 2, "twins": 2, "folks": 2, "people": 0, "others": 0, "more": 0, "children": 0, "kids": 0, "men": 0, "women": 0, "wives": 0}
	for w := range message.Words("wife husband partner spouse girlfriend boyfriend gf bf fiance fiancee fiancé fiancée mother father mom mum dad mama papa son daughter kid child brother sister sibling friend buddy mate colleague coworker boss cousin uncle aunt auntie nephew niece grandma grandpa grandmother grandfather granny gran nan nana nanny gramps granddad grandad mam mommy mummy daddy stepson stepdaughter godson goddaughter inlaw flatmate housemate classmate teammate neighbor grandson granddaughter teenager teen adult senior pensioner person guest passenger traveller traveler student man woman boy girl roommate neighbor neighbour assistant client guide driver") {
		out[w] = 1
		out[w+"s"] = 0
	}
	out["couple"], out["couples"] = 2, 0
	delete(out, "mans")
	delete(out, "womans")
	return out
}

// AllCompany reads an answer that is only a party: "just me", "a couple".
func AllCompany(s *when.Reader) Company {
	from, to := talk.Core(s.Message, talk.Opening, talk.Closing, "")
	switch {
	case from >= to:
	case s.Longest(from, AloneBook) == to-from:
		return Company{from, to, 1}
	case s.Longest(from, coupleBook) == to-from:
		return Company{from, to, 2}
	}
	return Company{}
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
	for s.Is(i+n, ofUsLeads) && n < 4 {
		n++
	}
	v, k := numbers.Read(s.Message, i+n)
	whole := k > 0 && v == float64(int(v)) && v > 0 && v < 1000
	switch {
	case !whole:
	case s.Low(i+n+k) == "of" && s.Is(i+n+k+1, usWords) && n == 0 && partOfUs(s, i, i+k+2):
	case s.Low(i+n+k) == "of" && s.Is(i+n+k+1, usWords):
		return Company{i + n, i + n + k + 2, int(v)}
	case n > 0 && s.Is(i, weWords) && s.Ends(i+n+k):
		return Company{i + n, i + n + k, int(v)}
	}
	return Company{}
}

// partOfUs reports whether "two of us", the tokens [i, to) without a word before them that makes it
// all, is only a part of the party: "one of us can't eat nuts".
func partOfUs(s *when.Reader, i, to int) bool {
	if s.Is(i-1, CompanyLeads) || s.Is(i-1, ofUsLeads) {
		return false
	}
	return s.Is(to, partVerbs) || s.WordAt(to) && !s.Ends(to) && !s.Is(to, talk.NounStops) && !s.Is(to, talk.Fillers) && !s.Is(to, aloneTails)
}

var (
	// aloneTails may stand behind all of who comes.
	aloneTails = message.Words("total altogether today tonight tomorrow only travelling traveling coming going all then in")
	partVerbs  = message.Words("is are was were has have had will can can't cannot don't doesn't")
)

var (
	ofUsLeads = message.Words("we we're there there's are is were be will we'll the all just only us there'll")
	weWords   = message.Words("we we're we'll us")
	usWords   = message.Words("us")
)

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
		numbered = numbered || !s.Is(j, owners) && !s.Is(j, oneself)
		speaker = speaker || s.Is(j, oneself)
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
	couples := items > 0 && !open && s.Is(who.To-1, coupleNouns)
	if items == 0 || items == 1 && !couples && (!open || s.Is(who.From, owners)) {
		return Company{} // one of something is left to the numbers
	}
	if open {
		who.Count, who.To = 0, clauseEnd(s, who.To)
	}
	return who
}

// subject reports whether the "i" at token i is the one that does what follows.
func subject(s *when.Reader, i int) bool {
	return s.WordAt(i+1) && !s.Is(i+1, joins) && !s.Is(i+1, talk.CueStops)
}

// opensClause reports whether nothing of its clause stands before token i.
func opensClause(s *when.Reader, i int) bool {
	return i == 0 || s.Tokens[i-1].Class == message.Symbol || s.Is(i-1, talk.CueStops) || s.Low(i-1) == "so"
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
	for k := 0; k < 2 && (s.Is(i, joins) || s.SymbolAt(i, ",&+")); k++ {
		i++
	}
	return i
}

// mostCompany bounds the work on one list of people.
const mostCompany = 16

// companion reads one entry of a list of people; known is false where it does not say how
// many.
func companion(s *when.Reader, i int) (count, n int, known bool) {
	if s.Is(i, oneself) {
		return 1, 1, true
	}
	for s.Is(i+n, owners) || s.Low(i+n) == "both" {
		n++
	}
	v, k := numbers.Read(s.Message, i+n)
	if k > 0 && (v != float64(int(v)) || v < 0 || v > 1000) {
		return 0, 0, false
	}
	n += k
	for m := 0; m < 2 && s.Is(i+n, kinMarks) && (s.Is(i+n+1, kinMarks) || IsKin(s, i+n+1)); m++ {
		n++
	}
	if s.Is(i+n, childWords) {
		return 0, n + 1, false
	}
	each := kin[s.Low(i+n)]
	switch {
	case !IsKin(s, i+n) || n == 0:
		return 0, 0, false
	case s.Is(i+n, coupleNouns):
		count, m := couples(s, i+n, int(v), k > 0)
		return count, (n + m) * min(m, 1), count > 0
	case k > 0:
		return int(v), n + 1, true
	case s.Low(i+n-1) == "both":
		return 2, n + 1, true
	case s.Is(i, owners) && each > 0:
		return each, n + 1, true
	}
	return 0, n + 1, false
}

var coupleNouns = message.Words("couple couples")

// couples reads the couples at token i, two people each. "a couple of friends" is two people, "a
// couple of days" none.
func couples(s *when.Reader, i, number int, numbered bool) (count, n int) {
	switch {
	case s.Low(i+1) == "of" && IsKin(s, i+2) && !numbered:
		return 2, 3
	case s.Low(i+1) == "of" || s.WordAt(i+1) && !s.Is(i+1, talk.NounStops) && !s.Is(i+1, joins) && !s.BareHourEnds(i+1):
		return 0, 0
	case numbered:
		return 2 * number, 1
	case s.Low(i) == "couple":
		return 2, 1
	}
	return 0, 1
}

// IsKin reports whether token i is a word for a person.
func IsKin(s *when.Reader, i int) bool {
	_, ok := kin[s.Low(i)]
	return ok
}

// kinMarks may stand between a number or an owner and a person.
var kinMarks = message.Words("little small young younger older elder eldest youngest grown best good other dear old teenage adult other")

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
	return s.Is(i, owners) && s.WordAt(i+1) || s.Is(i, numberless)
}

var numberless = message.Words("some several few many others everyone everybody all")

// Within reports whether a find is a part of who comes.
func Within(companies []Company, f *find.Find) bool {
	return slices.ContainsFunc(companies, func(w Company) bool { return w.From <= f.From && f.To <= w.To })
}
