package extract

import (
	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/extract/internal/numbers"
	"github.com/slotway/slotway/classifier/extract/internal/people"
	"github.com/slotway/slotway/classifier/extract/internal/scan"
)

// people reads who comes for the params that count people, and for a number that is asked
// for without a word of what it counts. What it leaves open is no value, and neither is a
// part of it. Where grown-ups and children are params of their own, nothing is summed.
func (x *Extractor) people(s *reading, asked *classifier.Asked) []people.Company {
	isAsked := asked != nil && numbers.Counts[s.Asked] && (x.about[asked.Param].people || x.about[asked.Param].plain)
	if s.Tongue != nil || x.ages || !x.peopled && !isAsked {
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
		if who.To == 0 || !isAsked && i > 0 && !s.Is(i-1, people.CompanyLeads) && s.Tokens[i].Class == scan.Letters && numbers.WordValues[s.Low(i)].Kind == numbers.NoNumber {
			continue
		}
		out = append(out, who)
		i = who.To - 1
	}
	return out
}

// tellPeople gives each company to the params that it answers.
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
					c.refuse(s, p, &find.Find{From: who.From, To: who.To}, classifier.WrongPeople)
				default:
					c.tokens(s, p, float64(who.Count), who.From, who.To, "builtin", 0.8)
				}
			}
		}
	}
}
