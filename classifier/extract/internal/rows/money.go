package rows

import (
	"math"
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier/extract/internal/currency"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/extract/internal/numbers"
	"github.com/slotway/slotway/classifier/message"
)

// readCurrency reads the unit behind an amount: a name of the language, a sign or a code.
func (s reader) readCurrency(i int) (meaning, int) {
	if t, n := s.TermAt(i, "currency"); n > 0 {
		return unitMeaning(currency.Named(t.Value)), n
	}
	w := s.Low(i)
	if w == "" {
		return meaning{}, 0
	}
	if t, n := s.TermAt(i, "currency_mark"); n > 0 && s.Glued(i) { // 99p
		return unitMeaning(currency.Named(t.Value)), n
	}
	if s.Tokens[i].Class == message.Symbol {
		c := currency.BySign[w]
		return unitMeaning(c), message.Btoi(c != nil)
	}
	if len(s.Language.Classes["currency"]) == 0 { // the names of all units are English
		c, n := currency.Name(s.Message, i)
		return unitMeaning(c), n
	}
	c := currency.ByCode[w]
	known := c != nil && (message.IsUpper(s.Tokens[i].Text) || currency.LowerCase[w] && len(s.Language.Words[w]) == 0)
	return unitMeaning(c), message.Btoi(known)
}

func unitMeaning(unit *currency.Unit) meaning { return meaning{unit: unit} }

// readSign reads what stands before an amount: a sign, with a country before it or not, or a code.
func (s reader) readSign(i int) (meaning, int) {
	w := s.Low(i)
	switch {
	case w == "" || s.Tokens[i].Class == message.Digits:
		return meaning{}, 0
	case s.Tokens[i].Class == message.Symbol:
		c := currency.BySign[w]
		return unitMeaning(c), message.Btoi(c != nil)
	case s.Glued(i) && !s.OpenBefore(i):
		return meaning{}, 0
	}
	if c, n := s.dollarsOf(i); n > 0 {
		return unitMeaning(c), n
	}
	if len(w) > 4 || s.IsTerm(i, "currency") {
		return meaning{}, 0
	}
	if c, n := s.signOfCountry(i); n > 0 {
		return unitMeaning(c), n
	}
	c, n := s.codeBefore(i, w)
	return unitMeaning(c), n
}

// dollarsOf reads the country before a dollar sign: canadian $ 20, Hong Kong $5.
func (s reader) dollarsOf(i int) (unit *currency.Unit, n int) {
	if !s.Bytes.Meets(dollarSign) {
		return nil, 0
	}
	name := s.Low(i)
	for n = 1; n <= 3; n++ {
		if s.SymbolAt(i+n, "$") {
			c := currency.ByName[name+" dollar"]
			return c, (n + 1) * message.Btoi(c != nil)
		}
		name += " " + s.Low(i+n)
	}
	return nil, 0
}

var dollarSign = message.BytesOf("$")

// signOfCountry reads the letters of a country before a sign: US$, u.s. $, hk $.
func (s reader) signOfCountry(i int) (*currency.Unit, int) {
	country, n := s.Low(i), 1
	for s.SymbolAt(i+n, ".") && n < 4 {
		n++
		if next := s.Low(i + n); len(next) == 1 && s.Glued(i+n) && s.WordAt(i+n) {
			country += "." + next
			n++
		}
	}
	if !s.SymbolAt(i+n, "$£¥") {
		return nil, 0
	}
	c := currency.BySign[country+s.Low(i+n)]
	if c != nil && (s.Glued(i+n) || len(country) > 1 && country != "tt" && country != "mop" || country == "c") {
		return c, n + 1
	}
	return nil, 0
}

// codeBefore reads EUR 20, usd 5, Rs. 100, and in capitals USD one million.
func (s reader) codeBefore(i int, w string) (*currency.Unit, int) {
	figures := func(k int) bool { return s.Digits(k, 1, numbers.LongestFigure) != "" }
	upper := message.IsUpper(s.Tokens[i].Text)
	c, n := currency.ByCode[w], 1
	if s.SymbolAt(i+1, ".") && figures(i+2) {
		n = 2
	}
	_, words := numbers.Count(s.Message, i+1, 0, 0)
	switch {
	case c != nil && words > 0 && upper && currency.LowerCase[w]:
		return c, 1
	case !figures(i+n) && !s.SymbolAt(i+1, "."):
		return nil, 0
	case c != nil && len(w) == 3 && (upper || currency.LowerCase[w] && len(s.Language.Words[w]) == 0):
		return c, 1
	case currency.Abbreviated[w] && figures(i+n):
		return currency.Named(w), n
	case s.Only != "" && w == "sen":
		return currency.ByName[w], 1
	}
	return nil, 0
}

// buildMoney is an amount and its unit, with parts of the unit behind it where they were said.
func buildMoney(s reader, m *match) (meaning, bool) {
	sign, units := m.part("sign"), m.all("money_unit")
	amount := m.part("amount", "number", "half", "article")
	if article := m.part("article"); article != nil && (s.Only != "" || len(m.args) > 0 && s.Asked != "money" || !s.WordAt(article.to)) {
		return meaning{}, false // a dollar is one where an amount is asked for
	}
	if sign != nil {
		units = append([]*meaning{sign}, units...)
	}
	if amount == nil || len(units) == 0 || units[0].unit == nil {
		return meaning{}, false
	}
	unit, v := s.ownUnit(units[0].unit), amount.num
	from, to := m.parts[0].from, m.to
	if s.Glued(from) && !s.OpenBefore(from) && s.Tokens[from].Class != message.Symbol || s.restUnread(to) {
		return meaning{}, false
	}
	if sign == nil && (s.weighs(units[0]) || s.signOfNext(units[0].from, to) || !s.marksPart(units[0], v)) || s.thousandOrPart(amount) {
		return meaning{}, false
	}
	if sign != nil && len(units) > 1 && m.part("count") == nil && !sameUnit(units[0].unit, units[1].unit, s.WordAt(units[1].from)) {
		return meaning{}, false
	}
	if m.part("debt") != nil {
		if v <= 0 || s.Glued(from) {
			return meaning{}, false
		}
		v = -v
	}
	if part := m.part("and_part", "mixed_part"); part != nil {
		v += part.num
	}
	if count := m.part("count"); count != nil {
		cents, ok := s.partsOf(m, count, units[1:], unit)
		if !ok || v < 0 || unit.Factor != 1 || v != math.Trunc(v) {
			return meaning{}, false
		}
		v += cents
	}
	return m.find("money", currency.Amount{Value: v, Unit: unit, Own: s.Currency}, 0.95), true
}

// ownUnit is a unit as the users mean it: the sign of the dollar is that of the peso where people pay in it.
func (s reader) ownUnit(unit *currency.Unit) *currency.Unit {
	if own := currency.ByCode[strings.ToLower(s.Currency)]; unit == currency.BySign["$"] && own != nil && strings.HasSuffix(own.Name, "peso") {
		return own
	}
	return unit
}

// restUnread reports whether what touches an amount that ends before token i belongs to it: $3-5, 12
// dollars/h, $2⅓.
func (s reader) restUnread(i int) bool {
	if !s.Glued(i) {
		return false
	}
	return s.Tokens[i].Class != message.Symbol || s.Marked(i, ",.-–/", 1, 99) != "" || message.IsFigureSign(s.Tokens[i].Text)
}

// sameUnit reports whether the name behind an amount is that of the sign before it: $ 10 dollars.
func sameUnit(sign, name *currency.Unit, word bool) bool {
	return word && name != nil && (name.Name == sign.Name || strings.HasSuffix(sign.Name, strings.ToLower(name.Name)))
}

// thousandOrPart reports whether an amount is a thousand and a half to some and one and a half to
// others: 1,500 where a comma parts decimals, 1.500 where a point does.
func (s reader) thousandOrPart(amount *meaning) bool {
	k := amount.from + 1
	if s.Only != "" || amount.to != k+2 || len(s.Low(k-1)) > 3 || s.Low(k-1) == "0" {
		return false
	}
	return s.SymbolAt(k, numbers.DecimalMark(s.Message)) && len(s.Low(k+1)) == 3
}

// weighs reports whether a unit is no money: "5 pounds of flour", "3 won games".
func (s reader) weighs(unit *meaning) bool {
	if s.Only != "" || s.Asked == "money" || unit.to != unit.from+1 {
		return false
	}
	switch {
	case s.IsTerm(unit.from, "weight"):
		return s.IsTerm(unit.to, "weighed")
	case s.IsTerm(unit.from, "doubtful_unit"):
		return !s.Ends(unit.to)
	}
	return false
}

// marksPart reports whether letters that touch figures are the sign of a part of a unit: 99p, which
// 1080p is not.
func (s reader) marksPart(unit *meaning, v float64) bool {
	if !s.Glued(unit.from) || !s.IsTerm(unit.from, "currency_mark") {
		return true
	}
	return s.Asked == "money" || v < 100 || strings.Contains(unit.unit.Code, s.Currency)
}

// signOfNext reports whether a sign at token i, between two amounts, is that of the second: of
// "$ 20 $ 30" and "1 $ 10 dollars", but not of "10 $ 30 cent".
func (s reader) signOfNext(i, to int) bool {
	if s.Tokens[i].Class != message.Symbol || to > i+1 || s.Glued(i) && !s.Glued(i+1) {
		return false
	}
	_, n := numbers.Read(s.Message, i+1)
	if n == 0 {
		return false
	}
	after, k := s.readCurrency(i + 1 + n)
	if k == 0 || s.Tokens[i+1+n].Class == message.Symbol {
		return !s.SymbolAt(i+1+n, s.Low(i))
	}
	return after.unit.Factor == 1
}

// partsOf returns what a count behind whole units adds to them: "and 50 cents", "fifty", "and 15" at
// the end of a clause.
func (s reader) partsOf(m *match, count *meaning, units []*meaning, unit *currency.Unit) (float64, bool) {
	if len(units) > 0 && units[len(units)-1].from < count.from {
		units = nil // it is that of the whole: $ 10 dollars 50
	}
	figures := s.Tokens[count.from].Class == message.Digits
	switch {
	case count.num < 0 || count.num >= 100 || figures && count.to != count.from+1:
		return 0, false
	case len(units) == 0:
		joined := !figures || s.Glued(count.from) || s.IsTerm(count.from-1, "and_word") || s.WordAt(count.from-1) && len(s.Low(count.from)) == 2
		ends := s.PhraseEnds(m.to) && !s.SymbolAt(m.to, "$€£¥%:/-") || s.IsTerm(m.to, "and_word")
		return count.num / 100, joined && ends
	}
	part := units[0].unit
	if part.Factor == 1 || part.Name != "Cent" && !slices.ContainsFunc(strings.Fields(part.Code), func(c string) bool { return strings.Contains(unit.Code, c) }) {
		return 0, false
	}
	share := part.Factor
	if share < 0.1 {
		share = 0.01
	}
	more := m.part("unit_word") // five mao five
	if more == nil {
		return count.num * share, true
	}
	return count.num*share + more.num/100, share >= 0.1 && more.num > 0 && more.num < 10 && s.Ends(m.to)
}

// buildNotes is an amount in notes of the users' own money: two tenners.
func buildNotes(s reader, m *match) (meaning, bool) {
	note, v := m.part("note"), m.part("count", "article").num
	unit := currency.ByCode[strings.ToLower(s.Currency)]
	return m.find("money", currency.Amount{Value: v * note.num, Unit: unit, Own: s.Currency}, 0.9), unit != nil && v > 0
}

// buildUnitAlone is a unit without an amount, where nothing but money is looked for.
func buildUnitAlone(s reader, m *match) (meaning, bool) {
	i := m.from
	if s.Only != "money" || !s.WordAt(i) || s.Glued(i) && s.Tokens[i-1].Class != message.Symbol || s.IsTerm(i, "rare_unit") {
		return meaning{}, false
	}
	v := currency.Amount{Unit: m.part("money_unit").unit, Missing: true}
	return meaning{find: &find.Find{Kind: "money", From: m.from, To: m.to, Value: v, Confidence: 0.3}}, true
}
