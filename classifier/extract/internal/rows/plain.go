package rows

import (
	"math"

	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/extract/internal/numbers"
	"github.com/slotway/slotway/classifier/extract/internal/when"
	"github.com/slotway/slotway/classifier/message"
)

// Numbers, ordinals, percentages and money: what has nothing to do with time.

// plainTops are the grammars of what has nothing to do with time, beside idioms in which a number
// counts nothing.
var plainTops = message.Words("idiom money percentage ordinal number")

// OfKind is the longest find at token i of the one kind that is looked for, as if no other existed. Its
// kind is "" for words that only look like one.
func (p *Parser) OfKind(r *when.Reader, i int) *find.Find {
	s, kind := reader{r, p}, r.Only
	if kind == "integer" {
		kind = "number"
	}
	f, _ := s.longest(s.language.named("skip", kind), i)
	return f
}

// MayBegin reports whether a value that has nothing to do with time may begin at token i.
func (p *Parser) MayBegin(r *when.Reader, i int) bool { return reader{r, p}.mayCount(i) }

// stands reports whether a find is a value by itself and no part of a longer word.
func (s reader) stands(f *find.Find) bool {
	switch f.Kind {
	case "number":
		return !numbers.Joined(s.Message, f.From, f.To) || numbers.Numeric[s.Asked] && numbers.YearOld(s.Message, f.To)
	case "percentage":
		return !s.Glued(f.From) || s.OpenBefore(f.From)
	case "ordinal":
		return (!s.Glued(f.From) || s.OpenBefore(f.From)) && (!s.Glued(f.To) || s.Tokens[f.To].Class == message.Symbol)
	}
	return true
}

func buildNumber(s reader, m *match) (meaning, bool) {
	p := m.part("number", "amount", "pair")
	if half := m.part("and_part"); half != nil {
		return m.find("number", p.num+half.num, 0.9), true // two kilos and a half
	}
	if _, unit := s.readCurrency(m.to); unit > 0 && s.thousandOrPart(p) {
		return meaning{}, false // an amount that is none is no number either
	}
	if s.WordAt(m.to) && s.IsTerm(m.to+1, "and_part") {
		return meaning{}, false // two kilos and a half are no two
	}
	if len(m.args) == 0 && s.IsTerm(m.from, "doubtful_number") && m.to == m.from+1 && !numbers.CountsNoun(s.Message, m.from) {
		return meaning{}, false
	}
	return m.find("number", p.num, 0.9), true
}

// buildHalf is half of what is counted: half a metre.
func buildHalf(s reader, m *match) (meaning, bool) {
	asked := numbers.Numeric[s.Asked] || s.IsTerm(m.to, "measure")
	return m.find("number", m.part("half_of").num, 0.85), asked && s.WordAt(m.to)
}

// buildShare is the quotient of two whole numbers: one over three, two out of five. Within a message
// a mark of four out of five is as likely as a share, and so is a rise of 10 over 3 years.
func buildShare(s reader, m *match) (meaning, bool) {
	counts := m.all("count")
	above, below := counts[0], counts[1]
	only := len(m.args) > 0
	if below.num == 0 || s.IsTerm(m.to, "counted") || only && (s.Only == "" || above.num <= 0 || below.num <= above.num) {
		return meaning{}, false
	}
	if s.Only == "" && above.to != above.from+1 || s.SymbolAt(above.from-1, "$€£¥") {
		return meaning{}, false
	}
	return m.find("number", above.num/below.num, 0.9), true
}

// buildOrdinal is a position, but "at first" and "jeder dritte" count none.
func buildOrdinal(s reader, m *match) (meaning, bool) {
	if worded := s.WordAt(m.from) || s.Tokens[m.to-1].Class == message.Symbol; worded && s.EndsTerm(m.from, "no_ordinal") > 0 {
		return meaning{}, false
	}
	return m.find("ordinal", m.part("ordinal").num, 0.9), true
}

// buildPosition is a position counted from the end. "The last" is one where a position is asked for.
func buildPosition(s reader, m *match) (meaning, bool) {
	v := m.part("from_end").num
	return m.find("ordinal", v, 0.85), v < -1 || s.Asked == "ordinal" || s.Only != ""
}

// buildPercentage is a number of hundredths. "Percent of twenty" asks for a calculation, unless
// nothing but percentages is looked for.
func buildPercentage(s reader, m *match) (meaning, bool) {
	if len(m.args) > 0 && (s.Only == "" || !s.WordAt(m.from)) {
		return meaning{}, false
	}
	return m.find("percentage", m.part("number", "amount").num, 0.95), true
}

// readPart reads the fraction of a mixed number: "and three quarters".
func (s reader) readPart(i int) (meaning, int) {
	v, n := numbers.PartAfter(s.Message, i)
	return meaning{num: v}, n
}

// readUnit reads one number word: fifty-five.
func (s reader) readUnit(i int) (meaning, int) {
	v, n := numbers.Below100(s.Message, i)
	return meaning{num: v}, n
}

// readCount reads a whole number that is not negative.
func (s reader) readCount(i int) (meaning, int) {
	v, n := numbers.Read(s.Message, i)
	if v < 0 || v != math.Trunc(v) {
		return meaning{}, 0
	}
	return meaning{num: v}, n
}
