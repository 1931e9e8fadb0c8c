package extract

import (
	"slices"
	"strings"
	"unicode"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/config"
)

// How sure a number is the value of a param of numbers that nobody asked for. A number with
// nothing beside it that says what it counts may count anything.
const (
	loneNumber = 0.6 // the message is nothing else
	someNumber = 0.3
)

// counts are the types of params whose values are plain numbers.
var counts = words("number integer")

// about is what the agent says of a param: the words that announce its values.
type about struct {
	words  []string // of its label and its name, but for those that any param may have
	people bool     // it counts people
	plain  bool     // no word says what it counts
	ages   bool     // it counts people of one age
	old    bool     // it holds how old somebody is
}

var (
	// labelStops are words of labels that announce nothing by themselves.
	labelStops = words("number numbers no nr count of the a an your our my how many much for in at on to and or id code total value new old")
	// peopleWords name the people that a param may count.
	peopleWords = words("person persons people passenger passengers guest guests seat seats ticket tickets traveller travellers traveler travelers pax party visitor visitors attendee attendees diner diners head heads cover covers participant participants adult adults occupant occupants")
	ageWords    = words("adult adults child children kid kids infant infants senior seniors student students teen teens youth")
	plainCounts = words("quantity amount size count qty sum figure")
	groupNouns  = words("party group family table")
)

// describe collects the words of a param's label and name.
func describe(p *config.Param) about {
	a := about{plain: true}
	for w := range strings.FieldsFuncSeq(strings.ToLower(p.Label+" "+p.Name), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if labelStops[w] || len(w) < 2 || slices.Contains(a.words, w) {
			continue
		}
		a.words = append(a.words, w)
		a.people = a.people || peopleWords[w]
		a.ages = a.ages || ageWords[w]
		a.plain = a.plain && plainCounts[w]
	}
	a.old = asksAge(p)
	return a
}

// numbers gives a number to the params of a type, each as sure as the words around it say.
func (x *Extractor) numbers(s *scan, r *recogniser, asked *classifier.Asked, v any, f *found, c *collector) {
	place := s.inAddress(f) || s.namesThing(f)
	for _, p := range r.params {
		isAsked := asked != nil && asked.Param == p
		confidence := f.confidence
		switch {
		case x.about[p].people && s.someOf(f):
			continue
		case s.announces(x.about[p], f):
		case place && !(isAsked && s.low(f.from-1) == "number"):
			continue
		case isAsked:
		case s.alone(f):
			confidence = loneNumber
		default:
			confidence = someNumber
		}
		c.bytes(p, v, s.tokens[f.from].start, s.tokens[f.to-1].end, "builtin", confidence)
	}
}

// unitsOf gives the number of a length of time to the params that count its unit: "3 nights"
// for a param nights.
func (x *Extractor) unitsOf(s *scan, r *recogniser, f *found, c *collector) {
	v, at, ok := s.numberIn(f, r.Builtin)
	if !ok || at.from != f.from || at.to != f.to-1 || len(r.Patterns) > 0 {
		return
	}
	for _, p := range r.params {
		if s.oneOf(at.to, x.about[p].words) {
			c.bytes(p, v, s.tokens[at.from].start, s.tokens[at.to-1].end, "builtin", f.confidence)
		}
	}
}

// someOf reports whether a number counts some of the people that come: "two of my kids".
func (s *scan) someOf(f *found) bool {
	return s.low(f.to) == "of" && s.is(f.to+1, wholes) && !s.is(f.from-1, companyLeads)
}

var wholes = words("us them you those these my our the his her their your")

// alone reports whether a message is nothing but a find and courtesy.
func (s *scan) alone(f *found) bool {
	from, to := s.core(openingBook, closing, "")
	return from == f.from && to == f.to
}

// announces reports whether a word of a param stands beside a number: what it counts behind
// it, "2 large pizzas", or its label before it, "quantity is now 2". People are counted
// without a word: "a table for two".
func (s *scan) announces(a about, f *found) bool {
	for i := f.to; i < f.to+wordsAfter && s.wordAt(i) && !s.is(i, nounStops); i++ {
		if s.oneOf(i, a.words) || a.people && s.is(i, peopleWords) {
			return true
		}
	}
	for i := f.from - 1; i >= f.from-wordsBefore && (s.wordAt(i) || s.symbolAt(i, ":=#")) && !s.is(i, cueStops); i-- {
		if s.oneOf(i, a.words) {
			return true
		}
	}
	if !a.people {
		return false
	}
	if s.tongue != nil {
		return s.endsTerm(f.from, "people_lead") > 0 && s.phraseEnds(f.to)
	}
	switch s.low(f.from - 1) {
	case "for":
		return s.ends(f.to) || s.is(f.to, nounStops) || s.date(f.to) != nil || s.clockTime(f.to) != nil
	case "of":
		return s.is(f.from-2, groupNouns)
	}
	return false
}

// countsElse reports whether a number counts what some param holds, or people.
func (x *Extractor) countsElse(s *scan, f *found) bool {
	if !s.wordAt(f.to) {
		return false
	}
	if s.is(f.to, peopleWords) || s.isKin(f.to) {
		return true
	}
	for _, r := range x.types {
		if counts[r.Builtin] && slices.ContainsFunc(r.params, func(p string) bool { return s.oneOf(f.to, x.about[p].words) }) {
			return true
		}
	}
	return false
}

// oneOf reports whether token i is a form of one of some words.
func (s *scan) oneOf(i int, list []string) bool {
	return slices.ContainsFunc(list, func(w string) bool { return s.inflected(i, w) })
}

var (
	// wayNouns end the name of a street however they are written, wayNames only with a
	// capital: "12 main st", but "2 people drive".
	wayNouns = words("st street str ave avenue av road rd lane ln boulevard blvd terrace highway hwy parkway pkwy crescent")
	wayNames = words("drive dr court ct place pl square sq way circle cir alley row walk loop trail hill park close gardens grove mews quay plaza")
	// partNouns are parts of a house behind its number: "12 apt 4".
	partNouns = words("apt apartment suite ste floor flat")
	// numberNouns stand before a number that names a thing and counts none: "room 4".
	numberNouns = words("apt apartment unit suite ste number no nr num floor room rm flat house building bldg gate box door version step page chapter row seat line track platform bus train flight route highway exit terminal level class grade type model part section article bay desk lot zone sector building channel")
)

// inAddress reports whether a number is that of a house or a postal code: a street's name
// follows, or a town stands before five digits.
func (s *scan) inAddress(f *found) bool {
	if f.kind != "number" || f.to != f.from+1 || s.tokens[f.from].class != digits {
		return false
	}
	return s.is(f.to, partNouns) || s.behindTown(f.from) || s.beforeStreet(f.to)
}

// behindTown reports whether five digits follow a name: "Austin 73301".
func (s *scan) behindTown(i int) bool {
	return i > 1 && len(s.low(i)) == 5 && s.properName(i-1)
}

// beforeStreet reports whether the words at token i name a street: "Main St", "old mill
// road", and before a town "Elm, Austin".
func (s *scan) beforeStreet(i int) bool {
	for k := i; k < i+4 && s.wordAt(k) && !s.is(k, fillers) && !s.is(k, nounStops); k++ {
		switch {
		case k > i && (s.is(k, wayNouns) || s.is(k, wayNames) && s.properName(k)):
			return true
		case s.properName(k) && s.symbolAt(k+1, ",") && s.properName(k+2):
			return true
		}
	}
	return false
}

// properName reports whether token i is a word with a capital, in a message that is not
// all capitals.
func (s *scan) properName(i int) bool {
	return s.capital(i) && s.wordAt(i) && !s.is(i, fillers) && !s.shouts()
}

// namesThing reports whether the words before a number make it the name of a thing: "apt
// 4", "no. 14", "#3".
func (s *scan) namesThing(f *found) bool {
	if s.tongue != nil {
		return s.namesThingSpoken(f)
	}
	i := f.from - 1
	switch {
	case s.symbolAt(i, "#"):
		return true
	case s.symbolAt(i, "."):
		return s.is(i-1, numberNouns)
	}
	return s.is(i, numberNouns) && s.low(i) != "no"
}

// countChosen makes surer of a number beside a value that may be chosen: "2 large".
func (c *collector) countChosen() {
	values := c.values[c.base:]
	for i := range values {
		v := &values[i]
		if v.Confidence != someNumber || v.Source != "builtin" {
			continue
		}
		if slices.ContainsFunc(values, func(w classifier.Value) bool {
			return (w.Source == "enum" || w.Source == "option") && w.Start > v.End && w.Start <= v.End+1
		}) {
			v.Confidence = loneNumber
		}
	}
}
