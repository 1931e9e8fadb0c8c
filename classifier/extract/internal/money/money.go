// Package money reads amounts of money in English.
package money

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier/extract/internal/currency"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/extract/internal/numbers"
	"github.com/slotway/slotway/classifier/message"
)

// Read recognises $12.50, US$ 5, 20 dollars, 50 cents, EUR 5, 3 million euros, two
// dollars and 30 cents at token i.
func Read(s *message.Message, i int) *find.Find {
	if f := moneyBySign(s, i); f != nil {
		return f
	}
	if f := debt(s, i); f != nil {
		return f
	}
	v, n := numbers.Read(s, i)
	if n == 0 && s.Low(i) == "half" {
		v, n = 0.5, s.Phrase(i, halfOf)
	}
	if n == 0 || s.Glued(i) && !s.OpenBefore(i) {
		return unitAlone(s, i)
	}
	unit, m := currencyAfter(s, i+n)
	if m == 0 || weighs(s, i+n, m) || joinedUnit(s, i+n+m) {
		return nil
	}
	n += m
	if v >= 0 {
		c, k := cents(s, i+n, unit)
		v, n = v+c, n+k
	}
	return sum(s, i, n, v, unit)
}

// halfOf stands before a unit: half a dollar.
var halfOf = []string{"half a", "half an"}

// debt reads an amount below zero whose sign stands before that of its unit: -$5.
func debt(s *message.Message, i int) *find.Find {
	if !s.SymbolAt(i, "-−") || s.Glued(i) || !s.Glued(i+1) || !s.SymbolAt(i+1, "$€£¥") {
		return nil
	}
	f := moneyBySign(s, i+1)
	if f == nil {
		return nil
	}
	if a, ok := f.Value.(currency.Amount); ok && a.Value > 0 {
		a.Value = -a.Value
		f.Value, f.From = a, i
		return f
	}
	return nil
}

func sum(s *message.Message, i, n int, v float64, unit *currency.Unit) *find.Find {
	return &find.Find{Kind: "money", From: i, To: i + n, Value: currency.Amount{Value: v, Unit: unit, Own: s.Currency}, Confidence: 0.95}
}

// joinedUnit reports whether a unit is a part of a longer word, as in "20 dollar-a-day".
func joinedUnit(s *message.Message, i int) bool {
	return s.Glued(i) && s.Tokens[i].Class != message.Symbol
}

// weighs reports whether a unit is no money: "5 pounds of flour", "3 won games".
func weighs(s *message.Message, i, n int) bool {
	if s.Only != "" || s.Asked == "money" || n != 1 {
		return false
	}
	switch s.Low(i) {
	case "pounds", "pound":
		return s.Is(i+1, heavy)
	case "won", "rand", "sen", "fen", "ore":
		return !s.Ends(i + 1)
	}
	return false
}

var heavy = message.Words("of heavy heavier lighter overweight lost")

// moneyBySign reads an amount behind its sign or code.
func moneyBySign(s *message.Message, i int) *find.Find {
	unit, n := sign(s, i)
	if n == 0 {
		return nil
	}
	v, m := numbers.Read(s, i+n)
	if m == 0 || s.Tokens[i+n].Class == message.Letters && s.Tokens[i+n-1].Class == message.Letters && !codeOfWords(s, i, n) {
		return nil
	}
	if w := s.Low(i + n + m); w == "k" {
		v, m = v*1e3, m+1
	}
	n += m
	if after, k := currency.Name(s, i+n); k > 0 && (after.Name == unit.Name || strings.HasSuffix(unit.Name, strings.ToLower(after.Name))) {
		n += k // $ 10 dollars
	}
	c, k := cents(s, i+n, unit)
	if k == 0 && s.Glued(i+n) && s.Tokens[i+n].Class != message.Symbol {
		return nil
	}
	return sum(s, i, n+k, v+c, unit)
}

// sign recognises what stands before an amount: a sign, with letters before it or not, or
// a code.
func sign(s *message.Message, i int) (unit *currency.Unit, n int) {
	w := s.Low(i)
	if w == "" {
		return nil, 0
	}
	switch s.Tokens[i].Class {
	case message.Symbol:
		c := currency.BySign[w]
		return c, message.Btoi(c != nil)
	case message.Digits:
		return nil, 0
	}
	if s.Glued(i) && !s.OpenBefore(i) {
		return nil, 0
	}
	if s.Bytes.Meets(DollarSet) {
		if c, n := dollarsOf(s, i); n > 0 {
			return c, n
		}
	}
	if len(w) > 4 {
		return nil, 0
	}
	if c, n := signOfCountry(s, i); n > 0 {
		return c, n
	}
	if s.Digits(i+1, 1, numbers.LongestFigure) == "" && !s.SymbolAt(i+1, ".") && !codeOfWords(s, i, 1) {
		return nil, 0
	}
	return codeBefore(s, i, w)
}

// signOfCountry reads the letters of a country before a sign: US$, u.s. $, hk $.
func signOfCountry(s *message.Message, i int) (*currency.Unit, int) {
	country, n := s.Low(i), 1
	for s.SymbolAt(i+n, ".") && n < 4 {
		n++
		if next := s.Low(i + n); len(next) == 1 && s.Glued(i+n) && s.Tokens[i+n].Class == message.Letters {
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

// codeOfWords reports whether the n tokens at i are a code in capitals before an amount in
// words: USD one million.
func codeOfWords(s *message.Message, i, n int) bool {
	return n == 1 && currency.LowerCase[s.Low(i)] && message.IsUpper(s.Tokens[i].Text) && numbers.WordValues[s.Low(i+1)].Kind != numbers.NoNumber
}

// DollarSet tells messages that may hold a country before a dollar sign.
var DollarSet = message.BytesOf("$")

// DollarCountries are the first words of the countries that have a dollar.
var DollarCountries = func() message.Set {
	s := message.Set{}
	for first, names := range currency.ByFirstWord {
		for _, list := range names {
			s[first] = s[first] || len(list) > 2 && list[len(list)-2] == "dollar"
		}
	}
	return s
}()

// dollarsOf reads the country before a dollar sign: canadian $ 20, Hong Kong $5.
func dollarsOf(s *message.Message, i int) (unit *currency.Unit, n int) {
	for n = 1; n <= 3; n++ {
		if !s.SymbolAt(i+n, "$") {
			continue
		}
		var name strings.Builder
		name.WriteString(s.Low(i))
		for k := i + 1; k < i+n; k++ {
			name.WriteString(" " + s.Low(k))
		}
		if c := currency.ByName[name.String()+" dollar"]; c != nil {
			return c, n + 1
		}
		return nil, 0
	}
	return nil, 0
}

// codeBefore reads EUR 20, usd 5, Rs. 100.
func codeBefore(s *message.Message, i int, w string) (*currency.Unit, int) {
	if c := currency.ByCode[w]; c != nil && len(w) == 3 && (currency.LowerCase[w] || message.IsUpper(s.Tokens[i].Text)) {
		return c, 1
	}
	if w == "rmb" || w == "sen" && s.Only != "" {
		return currency.ByName[w], 1
	}
	n := 1
	if s.SymbolAt(i+1, ".") && s.Digits(i+2, 1, numbers.LongestFigure) != "" {
		n = 2
	}
	switch w {
	case "rs", "rp", "rm", "ksh", "kr":
		if s.Digits(i+n, 1, numbers.LongestFigure) != "" {
			return currency.BySign[w], n
		}
	}
	return nil, 0
}

// currencyAfter recognises a unit behind an amount: dollars, US dollars, €, EUR, -yen.
func currencyAfter(s *message.Message, i int) (unit *currency.Unit, n int) {
	if s.SymbolAt(i, "-") && s.Glued(i) {
		if unit, n = currency.Name(s, i+1); n > 0 {
			n++
		}
		return unit, n
	}
	if w := s.Low(i); w != "" && s.Tokens[i].Class == message.Symbol {
		c := currency.BySign[w]
		if c == nil || signOfNext(s, i) {
			return nil, 0
		}
		return c, 1
	}
	return currency.Name(s, i)
}

// signOfNext reports whether a sign between two amounts is that of the second: of
// "$ 20 $ 30" and "1 $ 10 dollars", but not of "10 $ 30 cent".
func signOfNext(s *message.Message, i int) bool {
	if s.Glued(i) && !s.Glued(i+1) {
		return false
	}
	_, n := numbers.Read(s, i+1)
	if n == 0 {
		return false
	}
	after, k := currency.Name(s, i+1+n)
	if k == 0 {
		return !s.SymbolAt(i+1+n, s.Low(i))
	}
	return after.Factor == 1
}

// cents recognises what may follow the whole units: "and 50 cents", "fifty", "and 15" at
// the end of a clause.
func cents(s *message.Message, i int, unit *currency.Unit) (float64, int) {
	if unit.Factor != 1 {
		return 0, 0
	}
	n := s.Skip(i, "and")
	if n > 0 {
		if part, k := numbers.PartAfter(s, i); k > 0 {
			return part, k // two dollars and a quarter
		}
	}
	if !numbers.MayCount(s, i+n) || s.SymbolAt(i, "-") {
		return 0, 0
	}
	v, m := numbers.Count(s, i+n, 0, 0)
	if d := s.Digits(i+n, 1, 2); d != "" {
		v, m = float64(message.Atoi(d)), 1
	}
	if m == 0 || v >= 100 || v != math.Trunc(v) {
		return 0, 0
	}
	if part, k := currency.Name(s, i+n+m); k > 0 {
		c, k := partsOf(s, i+n+m, k, v, part, unit)
		return c, (n + m + k) * min(k, 1)
	}
	if !centsEnd(s, i+n+m) || s.Tokens[i+n].Class == message.Digits && (n == 0 || s.Glued(i+n+m) && !s.CloseAfter(i+n+m)) {
		return 0, 0
	}
	return v / 100, n + m
}

// partsOf returns v parts of a unit as a share of it; the k tokens at i name the parts. Parts of another
// unit are none.
func partsOf(s *message.Message, i, k int, v float64, part, unit *currency.Unit) (float64, int) {
	switch {
	case part.Factor == 1, part.Name != "Cent" && !slices.ContainsFunc(strings.Fields(part.Code), func(c string) bool { return strings.Contains(unit.Code, c) }):
		return 0, 0
	case part.Factor < 0.1:
		return v / 100, k
	}
	if last := numbers.Units[s.Low(i+k)]; last > 0 && last < 10 && s.Ends(i+k+1) { // five mao five
		return v*part.Factor + last/100, k + 1
	}
	return v * part.Factor, k
}

// centsEnd reports whether hundredths without a name may end before token i.
func centsEnd(s *message.Message, i int) bool {
	next := s.Low(i)
	return !s.SymbolAt(i, "$€£¥%:/-") && (next == "" || next == "and" || s.Tokens[i].Class == message.Symbol)
}

// unitAlone finds a unit without an amount, where nothing but money is looked for.
func unitAlone(s *message.Message, i int) *find.Find {
	if s.Only != "money" || s.Glued(i) && s.Tokens[i].Class == message.Letters && s.Tokens[i-1].Class != message.Symbol {
		return nil
	}
	if w := s.Low(i); s.Tokens[i].Class != message.Letters || rareUnits[w] {
		return nil
	}
	unit, n := currency.Name(s, i)
	if n == 0 {
		return nil
	}
	return &find.Find{Kind: "money", From: i, To: i + n, Value: currency.Amount{Unit: unit, Missing: true}, Confidence: 0.3}
}

// rareUnits are words of their own unless an amount stands before them.
var rareUnits = message.Words("yuan yen lari taka sen cad all try top mop cup cop ang sar sek lei kina para sol kr real won rand mao jiao sterling quid kuai fen ore pence buck bucks")

// Starters are the words at which money may start: codes, and the countries before a sign.
var Starters = message.Union(maps.Keys(currency.LowerCase), maps.Keys(message.Words("can cdn s sg nt r n j tt mx mex kr rs rp rm ksh rmb us u c hk nz au ca")))
