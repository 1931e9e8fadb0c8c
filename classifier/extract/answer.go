package extract

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier"
)

// answer looks for what only makes sense as an answer to the open question.
func (x *Extractor) answer(s *scan, asked *classifier.Asked, c *collector) {
	for _, r := range x.params[asked.Param] {
		if (r.Bare != nil || r.Tail != nil) && !c.has(asked.Param) {
			s.bare(r, asked.Param, c)
		}
		if c.has(asked.Param) {
			continue
		}
		if r.enum != nil && r.enum.yes != "" {
			s.yesNo(asked.Param, r.enum.yes, r.enum.no, c)
		}
		if r.enum != nil && !c.has(asked.Param) {
			if v, from, to := r.enum.reordered(s); v != "" {
				c.tokens(s, asked.Param, v, from, to, "enum", 0.7)
			}
		}
		if r.enum != nil && r.enum.yes == "" && len(asked.Options) == 0 && !c.has(asked.Param) {
			s.byOrder(r, asked.Param, c)
		}
		switch r.Builtin {
		case "boolean":
			s.yesNo(asked.Param, true, false, c)
		case "email":
			s.spokenEmail(asked.Param, c)
		case "phone":
			x.spokenPhone(s, asked.Param, c)
		case "person":
			if s.name(asked.Param, c, personOpening, 0.65); !c.has(asked.Param) {
				s.onlyFullName(asked.Param, c)
			}
		case "location":
			s.name(asked.Param, c, locationOpening, 0.6)
		case "text":
			if len(r.Patterns) == 0 {
				s.freeText(asked.Param, c)
			}
		}
	}
}

// bare accepts the whole message, but for courtesy, or its only word that fits and holds
// a digit among words that say nothing.
func (s *scan) bare(r *recogniser, param string, c *collector) {
	from, to := s.core(openingBook, closing, "")
	if from < to {
		start, end := s.tokens[from].start, s.tokens[to-1].end
		if s.fits(r, param, start, end, c) {
			return
		}
	}
	start := -1
	var fit [2]int
	hits := 0
	for i := 0; i <= len(s.text); i++ {
		if i < len(s.text) && strings.IndexByte(" \t\n,;", s.text[i]) < 0 {
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 {
			a, b := trimPunctuation(s.text, start, i)
			switch {
			case countDigits(s.text[a:b]) > 0 && r.bareMatch(s.text[a:b], true) != "":
				fit, hits = [2]int{a, b}, hits+1
			case !s.fillersOnly(start, i):
				return
			}
			start = -1
		}
	}
	if hits == 1 {
		s.fits(r, param, fit[0], fit[1], c)
	}
}

// fits adds the bytes [start, end) as a bare value if they are one.
func (s *scan) fits(r *recogniser, param string, start, end int, c *collector) bool {
	text := s.text[start:end]
	value := r.bareMatch(text, true)
	if value == "" {
		return false
	}
	c.bytes(param, value, start, end, "bare", 0.9)
	return true
}

func trimPunctuation(text string, start, end int) (int, int) {
	for start < end && strings.IndexByte("\"'(.:!?", text[start]) >= 0 {
		start++
	}
	for end > start && strings.IndexByte("\"').:!?", text[end-1]) >= 0 {
		end--
	}
	return start, end
}

// fillersOnly reports whether the tokens in the bytes [start, end) say nothing.
func (s *scan) fillersOnly(start, end int) bool {
	for _, t := range s.tokens {
		if t.start >= start && t.end <= end && t.class != symbol && !fillers[t.low] && t.low != "order" {
			return false
		}
	}
	return true
}

var (
	personOpening   = newBook(append(split("her name is,her name's,his name is,his name's,their name is,their name's,he's called,hes called,she's called,shes called,is called,called,he is,she is,he's,she's,mine,mine is,mine's,spelled,spelt,it's spelled,my name is,my name's,my full name is,the name is,name's,name is,i'm,i am,call me,you can call me,it's under,under,under the name of,the name of,this is,mr,mrs,ms,mr.,dr"), opening...))
	locationOpening = newBook(append(split("i live in,i'm in,i am in,we are in,we're in,i'm at,in,at,near,from,to,leaving from,going to,it's in,i'm from,around,close to,somewhere in"), opening...))
	nameParticles   = words("de la le van von der den da di del do dos bin al st of the and el mac upon on san")
	// Words that show a reply to be a request or a remark, not a name.
	remarks = words("i you he she we they it me my your what where when who why how which can could would should will shall do does did is are was were am have has had want need help cancel stop order orders track change please not don't dont know no yes nothing none skip never mind wait hold tell show give get make thanks thank hello hi hey agent human this that there here if because but sorry actually back again about with repeat say later start over quit exit ok okay sure thats that's correct yep yeah jep nope")
)

// name reads a name of a person or place: a short reply, or the words with capitals.
func (s *scan) name(param string, c *collector, open *book, confidence float64) {
	from, to := s.core(open, closing, "")
	if from >= to || to-from > 12 {
		return
	}
	count, capitals, other := 0, 0, false
	for i := from; i < to; i++ {
		t := s.tokens[i]
		switch {
		case s.taken[i] || t.class == digits:
			return
		case t.class == symbol:
			if !strings.Contains("-.,'", t.text) {
				return
			}
		case remarks[t.low] && !s.capital(i), remarks[t.low] && len(s.tokens) > 0 && i == from:
			return
		case i > from && s.inRun(i):
			// one name, of many units
		default:
			count++
			other = other || s.exact[i]
			if s.capital(i) {
				capitals++
			} else if !nameParticles[t.low] {
				confidence -= 0.03
			}
		}
	}
	if count == 0 || count > 5 || other && capitals == 0 {
		return // "starting tomorrow" is a day
	}
	c.tokens(s, param, s.text[s.tokens[from].start:s.tokens[to-1].end], from, to, "builtin", confidence)
}

// freeText takes the message as it is, without courtesy at its ends.
func (s *scan) freeText(param string, c *collector) {
	from, to := s.core(textual, thanks, param)
	if from >= to {
		return
	}
	start, end := s.tokens[from].start, s.tokens[to-1].end
	if i := to; i < len(s.tokens) && s.tokens[i].class == symbol && s.tokens[i].text == "." && slices.Contains([]string{"st", "ave", "rd", "apt", "no"}, s.tokens[to-1].low) {
		end = s.tokens[i].end
	}
	c.bytes(param, s.text[start:end], start, end, "text", 0.4)
}
