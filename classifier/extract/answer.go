package extract

import (
	"strings"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/extract/internal/choices"
	"github.com/slotway/slotway/classifier/extract/internal/lexicon"
	"github.com/slotway/slotway/classifier/extract/internal/numbers"
	"github.com/slotway/slotway/classifier/extract/internal/talk"
	"github.com/slotway/slotway/classifier/message"
)

// answer looks for values that only make sense as an answer to the open question.
func (x *Extractor) answer(s *reading, asked *classifier.Asked, c *collector) {
	for _, r := range x.params[asked.Param] {
		if (r.Bare != nil || r.Tail != nil) && !c.has(asked.Param) {
			s.bare(r, asked.Param, c)
		}
		if c.has(asked.Param) {
			continue
		}
		if r.enum != nil {
			x.enumAnswer(s, r, asked, c)
		}
		switch r.Builtin {
		case "boolean":
			x.yesNo(s, asked, true, false, c)
		case "email":
			s.spokenEmail(asked.Param, c)
		case "phone":
			x.spokenPhone(s, asked.Param, c)
		case "person":
			if s.name(asked.Param, c, "person_opening", 0.65); !c.has(asked.Param) {
				s.onlyFullName(asked.Param, c)
			}
		case "location":
			x.placeAnswer(s, asked.Param, c)
		case "text":
			if len(r.Patterns) == 0 {
				s.freeText(asked.Param, x.about[asked.Param].code, c)
			}
		}
	}
}

// enumAnswer looks for a value of an enumeration in a wording that only an answer has.
func (x *Extractor) enumAnswer(s *reading, r *recogniser, asked *classifier.Asked, c *collector) {
	if r.enum.Yes != "" {
		x.yesNo(s, asked, r.enum.Yes, r.enum.No, c)
	}
	if c.has(asked.Param) {
		return
	}
	if v, from, to := r.enum.Reordered(s.Message); v != "" {
		c.tokens(s, asked.Param, v, from, to, "enum", 0.7)
		return
	}
	from, to := talk.Core(s.Message, "opening", "")
	if number, n := numbers.Read(s.Message, from); n > 0 && from+n == to {
		if v, ok := r.enum.Number(number); ok {
			c.tokens(s, asked.Param, v, from, to, "enum", 0.9)
			return
		}
	}
	for from < to && (s.IsTerm(from, "place_filler") || lexicon.OneOf(s.Message, from, x.about[asked.Param].words)) && to-from > 1 {
		from++ // "blood group O"
	}
	for _, v := range r.enum.Halves(s.Message, from, to) {
		if choices.Denied(s.Message, from) {
			break // "no O" leaves open which
		}
		c.either(s, asked.Param, v, from, to, "enum", halfValue)
	}
	if !c.has(asked.Param) && r.enum.Yes == "" && len(asked.Options) == 0 {
		s.byOrder(r, asked.Param, c)
	}
}

// bare accepts the whole message without courtesy, or its only word that fits and holds a digit
// among filler words.
func (s *reading) bare(r *recogniser, param string, c *collector) {
	from, to := talk.Core(s.Message, "bare_opening", "")
	if from < to {
		start, end := s.Tokens[from].Start, s.Tokens[to-1].End
		if s.fits(r, param, start, end, c) {
			return
		}
	}
	start := -1
	var fit [2]int
	hits := 0
	for i := 0; i <= len(s.Text); i++ {
		if i < len(s.Text) && strings.IndexByte(" \t\n,;", s.Text[i]) < 0 {
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 {
			a, b := trimPunctuation(s.Text, start, i)
			switch {
			case message.CountDigits(s.Text[a:b]) > 0 && r.bareMatch(s.Text[a:b], true) != "":
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
func (s *reading) fits(r *recogniser, param string, start, end int, c *collector) bool {
	text := s.Text[start:end]
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

// fillersOnly reports whether the tokens in the bytes [start, end) are all fillers.
func (s *reading) fillersOnly(start, end int) bool {
	for _, t := range s.Tokens {
		if t.Start >= start && t.End <= end && t.Class != message.Symbol && !s.Language.Has("filler", t.Low) && t.Low != "order" {
			return false
		}
	}
	return true
}

// name reads the name of a person or place: a short reply, or the words with capitals.
func (s *reading) name(param string, c *collector, open string, confidence float64) {
	from, to := talk.Core(s.Message, open, "")
	if from >= to || to-from > 12 && !s.Several {
		return
	}
	count, capitals, other := 0, 0, false
	for i := from; i < to; i++ {
		t := s.Tokens[i]
		switch {
		case s.Several && count > 0 && i+1 < to && (s.SymbolAt(i, ",;&") || s.IsTerm(i, "list_joint")):
			count = 0 // the next name
			continue
		case s.noName(i, i == from && to-from == 1):
			return
		case t.Class == message.Symbol || i > from && s.InRun(i):
			continue // one name, of many units
		}
		count++
		other = other || s.Exact[i]
		if s.Capital(i) {
			capitals++
		} else if !s.Language.Has("name_particle", t.Low) {
			confidence -= 0.03
		}
	}
	if count == 0 || count > 5 || other && capitals == 0 {
		return // "starting tomorrow" is a day
	}
	c.tokens(s, param, s.Text[s.Tokens[from].Start:s.Tokens[to-1].End], from, to, "builtin", confidence)
}

// noName reports whether token i, perhaps the only one of a reply, shows it to be no name. "Will
// Turner" is one, as "Will" may be.
func (s *reading) noName(i int, alone bool) bool {
	t := &s.Tokens[i]
	switch {
	case s.Taken[i] || t.Class == message.Digits:
		return true
	case t.Class == message.Symbol:
		return !strings.Contains("-.,'", t.Text)
	}
	return s.Language.Has("remark", t.Low) && (alone || !s.Capital(i))
}

// freeText takes the message as it is, without courtesy at its ends; a code that is spelled in words
// is as it is typed.
func (s *reading) freeText(param string, code bool, c *collector) {
	from, to := talk.Core(s.Message, "text_opening", param)
	if from >= to {
		return
	}
	if written := spelled(s.Message, from, to); code && written != "" {
		c.tokens(s, param, written, from, to, "bare", answeredCode)
		return
	}
	start, end := s.Tokens[from].Start, s.Tokens[to-1].End
	if i := to; i < len(s.Tokens) && s.Tokens[i].Class == message.Symbol && s.Tokens[i].Text == "." && s.In(to-1, "shortened_end") {
		end = s.Tokens[i].End
	}
	c.bytes(param, s.Text[start:end], start, end, "text", 0.4)
}

// halfValue is the confidence of a value of which only a half was said.
const halfValue = 0.5

// mostOrdered is the greatest number of values of an enumeration whose order people remember.
const mostOrdered = 9

// byOrder reads an answer that names a value of an enumeration by its place: "the second one",
// "number 2", "first", "the last". A figure alone names none.
func (s *reading) byOrder(r *recogniser, param string, c *collector) {
	if len(r.Values) > mostOrdered {
		return
	}
	for _, p := range choices.Places(s.Message, len(r.Values), func(int) bool { return false }) {
		if !choices.Denied(s.Message, p.From) {
			c.tokens(s, param, r.Values[p.Option].Value, p.From, p.To, "enum", orderedValue)
		}
	}
}

// orderedValue is the confidence of a value that is named by its place among the values.
const orderedValue = 0.7
