package extract

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/config"
)

// oldness says how well a number fits as somebody's age.
type oldness int8

const (
	otherCount oldness = iota - 1 // it counts something else: "for 25 years", "2 kids"
	maybeOld
	surelyOld // "I'm 47", "aged 47", "47 years old"
)

// asksAge reports whether a param holds an age by its label, its name or its prompt.
func asksAge(p *config.Param) bool {
	if p.Type == nil || !counts[p.Type.Builtin] {
		return false
	}
	own := strings.FieldsFunc(strings.ToLower(p.Label+" "+p.Name), func(r rune) bool { return !isLetter(r) })
	if slices.ContainsFunc(own, func(w string) bool { return ageNouns[w] }) {
		return true
	}
	if p.Prompt == nil {
		return false
	}
	prompt := " " + strings.Join(strings.FieldsFunc(strings.ToLower(p.Prompt.Source), func(r rune) bool { return !isLetter(r) }), " ") + " "
	return strings.Contains(prompt, " how old ") || strings.Contains(prompt, " age ") || strings.Contains(prompt, " ages ")
}

// tellAges leaves a param that holds an age the number that is said to be one, or the only one
// that counts nothing else. Where neither is clear all numbers stay.
func (x *Extractor) tellAges(s *scan, c *collector) {
	for p, about := range x.about {
		if !about.old {
			continue
		}
		best, values := otherCount, 0
		kinds := map[oldness]int{}
		for _, v := range c.values[c.base:] {
			if v.Param == p && v.Source == "builtin" {
				k := s.oldness(c.span(s, v))
				kinds[k]++
				best = max(best, k)
				values++
			}
		}
		if values < 2 || kinds[best] != 1 || best == otherCount {
			continue
		}
		kept := slices.DeleteFunc(c.values[c.base:], func(v classifier.Value) bool {
			return v.Param == p && v.Source == "builtin" && s.oldness(c.span(s, v)) != best
		})
		c.values = c.values[:c.base+len(kept)]
	}
}

// oldness reads the words around the number in the tokens [from, to).
func (s *scan) oldness(from, to int) oldness {
	if from == to {
		return maybeOld
	}
	years := s.is(to, yearWords)
	old := years && (s.low(to+1) == "old" || s.low(to+1) == "of" && s.low(to+2) == "age") || s.yearOld(to) || s.low(to) == "yo"
	switch {
	case old:
		return surelyOld
	case years && s.is(from-1, spanLeads), !years && s.countsThing(to):
		return otherCount
	case s.saysAge(from):
		return surelyOld
	case years:
		return otherCount
	}
	return maybeOld
}

// yearOld reports whether the rest of "29-year-old" stands at token i.
func (s *scan) yearOld(i int) bool {
	return s.symbolAt(i, "-") && s.glued(i) && s.is(i+1, yearWords) && s.symbolAt(i+2, "-") && s.low(i+3) == "old"
}

// countsThing reports whether the number before token i counts that word: "2 kids".
func (s *scan) countsThing(i int) bool {
	return s.wordAt(i) && !s.ends(i) && !s.is(i, nounStops) && !s.is(i, afterAge)
}

// saysAge reports whether the words before token i make an age of the number there.
func (s *scan) saysAge(i int) bool {
	for s.is(i-1, ageAdverbs) {
		i--
	}
	switch {
	case s.is(i-1, ageLeads):
		return true
	case s.is(i-1, beWords):
		return s.wordAt(i-2) && !s.is(i-2, notPeople)
	}
	return false
}

var (
	ageNouns  = words("age aged ages old")
	yearWords = words("year years yr yrs")
	spanLeads = words("for since over within after in last past than the about around")
	// ageLeads stand right before an age; beWords stand between a person and their age.
	ageLeads   = words("i'm im he's hes she's shes they're theyre we're who's aged age turned turning turn")
	beWords    = words("am is are was")
	notPeople  = words("it that this there here what which number code id phone zip total price rate")
	ageAdverbs = words("now just only already almost nearly about around currently still")
	afterAge   = words("now actually today this next soon already btw though years and so since because if going")
)
