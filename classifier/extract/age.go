package extract

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/extract/internal/numbers"
	"github.com/slotway/slotway/classifier/extract/internal/people"
	"github.com/slotway/slotway/classifier/message"
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
	if p.Type == nil || !numbers.Counts[p.Type.Builtin] {
		return false
	}
	own := message.WordsOf(p.Label + " " + p.Name)
	if slices.ContainsFunc(own, func(w string) bool { return isNoun(w, "age_noun") }) {
		return true
	}
	if p.Prompt == nil {
		return false
	}
	prompt := " " + strings.Join(message.WordsOf(p.Prompt.Source), " ") + " "
	return strings.Contains(prompt, " how old ") || strings.Contains(prompt, " age ") || strings.Contains(prompt, " ages ")
}

// tellAges keeps, for a param that holds an age, only the number that the words call one, or the
// only number that counts nothing else. Where neither is clear all numbers stay.
func (x *Extractor) tellAges(s *reading, c *collector) {
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
		kept := slices.DeleteFunc(c.values[c.base:], func(v message.Value) bool {
			return v.Param == p && v.Source == "builtin" && s.oldness(c.span(s, v)) != best
		})
		c.values = c.values[:c.base+len(kept)]
	}
}

// oldness reads the words around the number in the tokens [from, to).
func (s *reading) oldness(from, to int) oldness {
	if from == to {
		return maybeOld
	}
	years := s.In(to, "year_word")
	old := years && (s.Low(to+1) == "old" || s.Low(to+1) == "of" && s.Low(to+2) == "age") || numbers.YearOld(s.Message, to) || s.Low(to) == "yo"
	switch {
	case old:
		return surelyOld
	case years && s.IsTerm(from-1, "span_lead"), !years && s.countsThing(to):
		return otherCount
	case s.saysAge(from):
		return surelyOld
	case years:
		return otherCount
	}
	return maybeOld
}

// countsThing reports whether the number before token i counts that word: "2 kids".
func (s *reading) countsThing(i int) bool {
	return s.WordAt(i) && !s.Ends(i) && !s.In(i, "noun_stop") && !s.IsTerm(i, "age_end")
}

// saysAge reports whether the words before token i make the number there an age.
func (s *reading) saysAge(i int) bool {
	for s.IsTerm(i-1, "age_adverb") {
		i--
	}
	switch {
	case s.IsTerm(i-1, "age_lead"):
		return true
	case s.IsTerm(i-1, "be_word"):
		return s.WordAt(i-2) && !s.IsTerm(i-2, "no_person")
	}
	return false
}

// people finds the party of the message for the params that count people, and for an open question
// for a number without a unit. A party without a clear number gives no value, and neither does a
// part of it. Where adults and children have params of their own, nothing is summed.
func (x *Extractor) people(s *reading, asked *classifier.Asked) []people.Company {
	isAsked := asked != nil && numbers.Counts[s.Asked] && (x.about[asked.Param].people || x.about[asked.Param].plain)
	if !s.Language.Coded || x.ages || !x.peopled && !isAsked {
		return nil
	}
	if isAsked {
		if who := people.AllCompany(&s.Reader); who.To > 0 {
			return []people.Company{who}
		}
	}
	var out []people.Company
	for i := 0; i < len(s.Tokens); i++ {
		who := people.CompanyAt(&s.Reader, i)
		if who.To == 0 || !isAsked && i > 0 && !s.IsTerm(i-1, "company_lead") && s.Tokens[i].Class == message.Letters && !numbers.IsNumeral(s.Low(i)) {
			continue
		}
		out = append(out, who)
		i = who.To - 1
	}
	return out
}

// tellPeople gives each party to the params that it answers.
func (x *Extractor) tellPeople(s *reading, companies []people.Company, asked *classifier.Asked, c *collector) {
	for _, who := range companies {
		for _, r := range x.types {
			if !numbers.Counts[r.Builtin] {
				continue
			}
			for _, p := range r.params {
				switch {
				case !x.about[p].people && !(asked != nil && asked.Param == p && x.about[p].plain):
				case who.Count == 0:
					c.refuse(s, p, &find.Find{From: who.From, To: who.To}, message.WrongPeople)
				default:
					c.tokens(s, p, float64(who.Count), who.From, who.To, "builtin", 0.8)
				}
			}
		}
	}
}
