package extract

import (
	"slices"

	"github.com/slotway/slotway/classifier"
)

// company is how people say who comes: "me, my wife and our two kids". Offsets are tokens.
type company struct {
	from, to int
	count    int // 0: the words leave it open, as "me and the kids" do
}

var (
	// oneself is the speaker; kin are people who come one at a time, and how many a word
	// for them means.
	oneself = words("me myself i")
	kin     = kinWords()
	// childWords may or may not count: a baby has no seat.
	childWords = words("baby babies infant infants toddler toddlers newborn")
	owners     = words("my our his her their a an the one another")
	joins      = words("and plus & , + with")
	// companyLeads stand before who comes, in a message about something else as well.
	companyLeads = words("for just only it's its is are be of we're book including")
	aloneWords   = split("just me,only me,just myself,only myself,me alone,me only,by myself,on my own,alone,all alone,solo,myself,just for me,only for me,for me only,me,for me,for myself,just the one of us,i am alone,i'm alone,i travel alone,i'm travelling alone,i'm traveling alone,travelling alone,traveling alone,travelling solo,traveling solo")
	coupleWords  = split("a couple,couple,we are a couple,we're a couple,both of us,the both of us,us both,we both,the pair of us,a pair")
	aloneBook    = newBook(aloneWords)
	coupleBook   = newBook(coupleWords)
)

// kinWords are nouns for people who are counted: one of them, or of a plural two where it
// can be no other number, else 0.
func kinWords() map[string]int {
	out := map[string]int{"parents": 2, "grandparents": 2, "twins": 2, "folks": 2, "people": 0, "others": 0, "more": 0, "children": 0, "kids": 0, "men": 0, "women": 0, "wives": 0}
	for w := range words("wife husband partner spouse girlfriend boyfriend gf bf fiance fiancee fiancé fiancée mother father mom mum dad mama papa son daughter kid child brother sister sibling friend buddy mate colleague coworker boss cousin uncle aunt auntie nephew niece grandma grandpa grandmother grandfather granny gran nan nana nanny gramps granddad grandad mam mommy mummy daddy stepson stepdaughter godson goddaughter inlaw flatmate housemate classmate teammate neighbor grandson granddaughter teenager teen adult senior pensioner person guest passenger traveller traveler student man woman boy girl roommate neighbor neighbour assistant client guide driver") {
		out[w] = 1
		out[w+"s"] = 0
	}
	out["couple"], out["couples"] = 2, 0
	delete(out, "mans")
	delete(out, "womans")
	return out
}

// people reads who comes for the params that count people, and for a number that is asked
// for without a word of what it counts. What it leaves open is no value, and neither is a
// part of it. Where grown-ups and children are params of their own, nothing is summed.
func (x *Extractor) people(s *scan, asked *classifier.Asked) []company {
	isAsked := asked != nil && counts[s.asked] && (x.about[asked.Param].people || x.about[asked.Param].plain)
	if s.tongue != nil || x.ages || !x.peopled && !isAsked {
		return nil
	}
	if isAsked {
		if who := s.allCompany(); who.to > 0 {
			return []company{who}
		}
	}
	var out []company
	for i := 0; i < len(s.tokens); i++ {
		who := s.companyAt(i)
		if who.to == 0 || !isAsked && i > 0 && !s.is(i-1, companyLeads) && s.tokens[i].class == letters && wordValues[s.low(i)].kind == noNumber {
			continue
		}
		out = append(out, who)
		i = who.to - 1
	}
	return out
}

// allCompany reads an answer that is nothing but who comes: "just me", "a couple".
func (s *scan) allCompany() company {
	from, to := s.core(openingBook, closing, "")
	switch {
	case from >= to:
	case s.longest(from, aloneBook) == to-from:
		return company{from, to, 1}
	case s.longest(from, coupleBook) == to-from:
		return company{from, to, 2}
	}
	return company{}
}

// companyAt reads who comes at token i: "the two of us", "we are four", "me and my wife".
func (s *scan) companyAt(i int) company {
	if who := s.ofUs(i); who.to > 0 {
		return who
	}
	return s.listed(i)
}

// ofUs reads "the two of us", "us three", "we are four", "we'll be five", "two of us". What
// leads to the number is no part of it.
func (s *scan) ofUs(i int) company {
	n := 0
	for s.is(i+n, ofUsLeads) && n < 4 {
		n++
	}
	v, k := s.number(i + n)
	whole := k > 0 && v == float64(int(v)) && v > 0 && v < 1000
	switch {
	case !whole:
	case s.low(i+n+k) == "of" && s.is(i+n+k+1, usWords) && n == 0 && s.partOfUs(i, i+k+2):
	case s.low(i+n+k) == "of" && s.is(i+n+k+1, usWords):
		return company{i + n, i + n + k + 2, int(v)}
	case n > 0 && s.is(i, weWords) && s.ends(i+n+k):
		return company{i + n, i + n + k, int(v)}
	}
	return company{}
}

// partOfUs reports whether "two of us", the tokens [i, to) without a word before them that makes
// all of it, are only some of who comes: "one of us can't eat nuts".
func (s *scan) partOfUs(i, to int) bool {
	if s.is(i-1, companyLeads) || s.is(i-1, ofUsLeads) {
		return false
	}
	return s.is(to, partVerbs) || s.wordAt(to) && !s.ends(to) && !s.is(to, nounStops) && !s.is(to, fillers) && !s.is(to, aloneTails)
}

var (
	// aloneTails may stand behind all of who comes.
	aloneTails = words("total altogether today tonight tomorrow only travelling traveling coming going all then in")
	partVerbs  = words("is are was were has have had will can can't cannot don't doesn't")
)

var (
	ofUsLeads = words("we we're there there's are is were be will we'll the all just only us there'll")
	weWords   = words("we we're we'll us")
	usWords   = words("us")
)

// listed reads a list of people that holds the speaker or two kinds of them: "me, my wife
// and our two kids", "2 adults and 3 kids".
func (s *scan) listed(i int) company {
	who := company{from: i}
	speaker, numbered, items, open := false, false, 0, false
	for j := i; items < mostCompany; {
		count, n, known := s.companion(j)
		if n == 0 && speaker {
			count, n, known = s.furtherOnes(j)
		}
		if n == 0 {
			break
		}
		if s.low(j) == "i" && s.subject(j) && (numbered || !s.opensClause(i)) {
			break // two people and I would like ...
		}
		numbered = numbered || !s.is(j, owners) && !s.is(j, oneself)
		speaker = speaker || s.is(j, oneself)
		items, open = items+1, open || !known
		who.count, who.to = who.count+count, j+n
		if j = s.joinedAt(who.to); j == who.to || s.low(j-1) == "with" && !speaker {
			break // seven guests with me
		}
	}
	if j := s.joinedAt(who.to); j > who.to && speaker && !open && s.unknownCompanion(j) {
		open, items = true, items+1 // me and Tom's whole class
	}
	couples := items > 0 && !open && s.is(who.to-1, coupleNouns)
	if items == 0 || items == 1 && !couples && (!open || s.is(i, owners)) {
		return company{} // one of something is left to the numbers
	}
	if open {
		who.count, who.to = 0, s.clauseEnd(who.to)
	}
	return who
}

// subject reports whether the "i" at token i is the one that does what follows.
func (s *scan) subject(i int) bool { return s.wordAt(i+1) && !s.is(i+1, joins) && !s.is(i+1, cueStops) }

// opensClause reports whether nothing of its clause stands before token i.
func (s *scan) opensClause(i int) bool {
	return i == 0 || s.tokens[i-1].class == symbol || s.is(i-1, cueStops) || s.low(i-1) == "so"
}

// furtherOnes reads the plain number of "me plus 3".
func (s *scan) furtherOnes(i int) (count, n int, known bool) {
	if v, k := s.number(i); k > 0 && s.ends(i+k) && v == float64(int(v)) && v > 0 && v < 1000 {
		return int(v), k, true
	}
	return 0, 0, false
}

// joinedAt is where the next of a list of people starts, or i.
func (s *scan) joinedAt(i int) int {
	for k := 0; k < 2 && (s.is(i, joins) || s.symbolAt(i, ",&+")); k++ {
		i++
	}
	return i
}

// mostCompany bounds the work on one list of people.
const mostCompany = 16

// companion reads one entry of a list of people; known is false where it does not say how
// many.
func (s *scan) companion(i int) (count, n int, known bool) {
	if s.is(i, oneself) {
		return 1, 1, true
	}
	for s.is(i+n, owners) || s.low(i+n) == "both" {
		n++
	}
	v, k := s.number(i + n)
	if k > 0 && (v != float64(int(v)) || v < 0 || v > 1000) {
		return 0, 0, false
	}
	n += k
	for m := 0; m < 2 && s.is(i+n, kinMarks) && (s.is(i+n+1, kinMarks) || s.isKin(i+n+1)); m++ {
		n++
	}
	if s.is(i+n, childWords) {
		return 0, n + 1, false
	}
	each := kin[s.low(i+n)]
	switch {
	case !s.isKin(i+n) || n == 0:
		return 0, 0, false
	case s.is(i+n, coupleNouns):
		count, m := s.couples(i+n, int(v), k > 0)
		return count, (n + m) * min(m, 1), count > 0
	case k > 0:
		return int(v), n + 1, true
	case s.low(i+n-1) == "both":
		return 2, n + 1, true
	case s.is(i, owners) && each > 0:
		return each, n + 1, true
	}
	return 0, n + 1, false
}

var coupleNouns = words("couple couples")

// couples reads the couples at token i, which are two people each; "a couple of friends" are two
// as well, "a couple of days" is nobody.
func (s *scan) couples(i, number int, numbered bool) (count, n int) {
	switch {
	case s.low(i+1) == "of" && s.isKin(i+2) && !numbered:
		return 2, 3
	case s.low(i+1) == "of" || s.wordAt(i+1) && !s.is(i+1, nounStops) && !s.is(i+1, joins) && !s.bareHourEnds(i+1):
		return 0, 0
	case numbered:
		return 2 * number, 1
	case s.low(i) == "couple":
		return 2, 1
	}
	return 0, 1
}

func (s *scan) isKin(i int) bool {
	_, ok := kin[s.low(i)]
	return ok
}

// kinMarks may stand between a number or an owner and a person.
var kinMarks = words("little small young younger older elder eldest youngest grown best good other dear old teenage adult other")

// clauseEnd is where the sentence that holds token i ends.
func (s *scan) clauseEnd(i int) int {
	for i < len(s.tokens) && !s.symbolAt(i, ".!?;") {
		i++
	}
	return i
}

// unknownCompanion reports whether somebody, or something, is named at token i that nobody
// can count: "me and the team". Words of the next clause are none.
func (s *scan) unknownCompanion(i int) bool {
	return s.is(i, owners) && s.wordAt(i+1) || s.is(i, numberless)
}

var numberless = words("some several few many others everyone everybody all")

// tellPeople gives each company to the params that it answers.
func (x *Extractor) tellPeople(s *scan, companies []company, asked *classifier.Asked, c *collector) {
	for _, who := range companies {
		for _, r := range x.types {
			if !counts[r.Builtin] {
				continue
			}
			for _, p := range r.params {
				switch {
				case !x.about[p].people && !(asked != nil && asked.Param == p && x.about[p].plain):
				case who.count == 0:
					c.refuse(s, p, &found{from: who.from, to: who.to}, classifier.WrongPeople)
				default:
					c.tokens(s, p, float64(who.count), who.from, who.to, "builtin", 0.8)
				}
			}
		}
	}
}

// within reports whether a find is a part of who comes.
func within(companies []company, f *found) bool {
	return slices.ContainsFunc(companies, func(w company) bool { return w.from <= f.from && f.to <= w.to })
}
