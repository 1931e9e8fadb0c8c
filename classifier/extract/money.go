package extract

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// amount is a sum in a unit, or with missing set a unit alone.
type amount struct {
	value   float64
	unit    *currency
	own     string // the agent's currency
	missing bool
}

// String is the value of a param: "12.50 USD", hundredths in units.
func (a amount) String() string {
	v := a.value
	if a.unit.factor != 1 {
		v /= math.Round(1 / a.unit.factor) // exact, as a product with 0.01 is not
	}
	return formatMoney(v, a.unit.among(a.own))
}

// formatMoney renders an amount and a code: "12.50 USD", with further decimals where
// there are some.
func formatMoney(amount float64, code string) string {
	if cents := math.Round(amount * 100); math.Abs(cents-amount*100) > 1e-6*math.Max(1, math.Abs(amount)) {
		return strconv.FormatFloat(math.Round(amount*1e6)/1e6, 'f', -1, 64) + " " + code
	}
	return strconv.FormatFloat(amount, 'f', 2, 64) + " " + code
}

// money recognises $12.50, US$ 5, 20 dollars, 50 cents, EUR 5, 3 million euros, two
// dollars and 30 cents at token i.
func (s *scan) money(i int) *found {
	if f := s.moneyBySign(i); f != nil {
		return f
	}
	if f := s.debt(i); f != nil {
		return f
	}
	v, n := s.number(i)
	if n == 0 && s.low(i) == "half" {
		v, n = 0.5, s.phrase(i, halfOf)
	}
	if n == 0 || s.glued(i) && !s.openBefore(i) {
		return s.unitAlone(i)
	}
	unit, m := s.currencyAfter(i + n)
	if m == 0 || s.weighs(i+n, m) || s.joinedUnit(i+n+m) {
		return nil
	}
	n += m
	if v >= 0 {
		c, k := s.cents(i+n, unit)
		v, n = v+c, n+k
	}
	return s.sum(i, n, v, unit)
}

// halfOf stands before a unit: half a dollar.
var halfOf = []string{"half a", "half an"}

// debt reads an amount below zero whose sign stands before that of its unit: -$5.
func (s *scan) debt(i int) *found {
	if !s.symbolAt(i, "-−") || s.glued(i) || !s.glued(i+1) || !s.symbolAt(i+1, "$€£¥") {
		return nil
	}
	f := s.moneyBySign(i + 1)
	if f == nil {
		return nil
	}
	if a, ok := f.value.(amount); ok && a.value > 0 {
		a.value = -a.value
		f.value, f.from = a, i
		return f
	}
	return nil
}

func (s *scan) sum(i, n int, v float64, unit *currency) *found {
	return &found{kind: "money", from: i, to: i + n, value: amount{value: v, unit: unit, own: s.currency}, confidence: 0.95}
}

// joinedUnit reports whether a unit is a part of a longer word, as in "20 dollar-a-day".
func (s *scan) joinedUnit(i int) bool {
	return s.glued(i) && s.tokens[i].class != symbol
}

// weighs reports whether a unit is no money: "5 pounds of flour", "3 won games".
func (s *scan) weighs(i, n int) bool {
	if s.only != "" || s.asked == "money" || n != 1 {
		return false
	}
	switch s.low(i) {
	case "pounds", "pound":
		return s.is(i+1, heavy)
	case "won", "rand", "sen", "fen", "ore":
		return !s.ends(i + 1)
	}
	return false
}

var heavy = words("of heavy heavier lighter overweight lost")

// moneyBySign reads an amount behind its sign or code.
func (s *scan) moneyBySign(i int) *found {
	unit, n := s.sign(i)
	if n == 0 {
		return nil
	}
	v, m := s.number(i + n)
	if m == 0 || s.tokens[i+n].class == letters && s.tokens[i+n-1].class == letters && !s.codeOfWords(i, n) {
		return nil
	}
	if w := s.low(i + n + m); w == "k" {
		v, m = v*1e3, m+1
	}
	n += m
	if after, k := s.unitName(i + n); k > 0 && (after.name == unit.name || strings.HasSuffix(unit.name, strings.ToLower(after.name))) {
		n += k // $ 10 dollars
	}
	c, k := s.cents(i+n, unit)
	if k == 0 && s.glued(i+n) && s.tokens[i+n].class != symbol {
		return nil
	}
	return s.sum(i, n+k, v+c, unit)
}

// sign recognises what stands before an amount: a sign, with letters before it or not, or
// a code.
func (s *scan) sign(i int) (unit *currency, n int) {
	w := s.low(i)
	if w == "" || s.glued(i) && !s.openBefore(i) && s.tokens[i].class == letters {
		return nil, 0
	}
	if s.tokens[i].class == symbol {
		if c := currencyBySign[w]; c != nil {
			return c, 1
		}
		return nil, 0
	}
	if s.tokens[i].class != letters {
		return nil, 0
	}
	if s.bytes.meets(dollarSet) {
		if c, n := s.dollarsOf(i); n > 0 {
			return c, n
		}
	}
	if len(w) > 4 {
		return nil, 0
	}
	// the country before a dollar sign: US$, u.s. $, hk $
	country, n := w, 1
	for s.symbolAt(i+n, ".") && n < 4 {
		n++
		if next := s.low(i + n); len(next) == 1 && s.glued(i+n) && s.tokens[i+n].class == letters {
			country += "." + next
			n++
		}
	}
	if s.symbolAt(i+n, "$£¥") {
		c := currencyBySign[country+s.low(i+n)]
		if c != nil && (s.glued(i+n) || len(country) > 1 && country != "tt" && country != "mop" || country == "c") {
			return c, n + 1
		}
	}
	if s.digits(i+1, 1, longestFigure) == "" && !s.symbolAt(i+1, ".") && !s.codeOfWords(i, 1) {
		return nil, 0
	}
	return s.codeBefore(i, w)
}

// codeOfWords reports whether the n tokens at i are a code in capitals before an amount in
// words: USD one million.
func (s *scan) codeOfWords(i, n int) bool {
	return n == 1 && lowerCodes[s.low(i)] && isUpper(s.tokens[i].text) && wordValues[s.low(i+1)].kind != noNumber
}

// dollarSet tells messages that may hold a country before a dollar sign.
var dollarSet = bytesOf("$")

// dollarCountries are the first words of the countries that have a dollar.
var dollarCountries = func() set {
	s := set{}
	for first, names := range currencyFirst {
		for _, list := range names {
			s[first] = s[first] || len(list) > 2 && list[len(list)-2] == "dollar"
		}
	}
	return s
}()

// dollarsOf reads the country before a dollar sign: canadian $ 20, Hong Kong $5.
func (s *scan) dollarsOf(i int) (unit *currency, n int) {
	for n = 1; n <= 3; n++ {
		if !s.symbolAt(i+n, "$") {
			continue
		}
		var name strings.Builder
		name.WriteString(s.low(i))
		for k := i + 1; k < i+n; k++ {
			name.WriteString(" " + s.low(k))
		}
		if c := currencyByName[name.String()+" dollar"]; c != nil {
			return c, n + 1
		}
		return nil, 0
	}
	return nil, 0
}

// codeBefore reads EUR 20, usd 5, Rs. 100.
func (s *scan) codeBefore(i int, w string) (*currency, int) {
	if c := currencyByCode[w]; c != nil && len(w) == 3 && (lowerCodes[w] || isUpper(s.tokens[i].text)) {
		return c, 1
	}
	if w == "rmb" || w == "sen" && s.only != "" {
		return currencyByName[w], 1
	}
	n := 1
	if s.symbolAt(i+1, ".") && s.digits(i+2, 1, longestFigure) != "" {
		n = 2
	}
	switch w {
	case "rs", "rp", "rm", "ksh", "kr":
		if s.digits(i+n, 1, longestFigure) != "" {
			return currencyBySign[w], n
		}
	}
	return nil, 0
}

func isUpper(w string) bool {
	for _, c := range []byte(w) {
		if c < 'A' || c > 'Z' {
			return false
		}
	}
	return true
}

// currencyAfter recognises a unit behind an amount: dollars, US dollars, €, EUR, -yen.
func (s *scan) currencyAfter(i int) (unit *currency, n int) {
	if s.symbolAt(i, "-") && s.glued(i) {
		if unit, n = s.unitName(i + 1); n > 0 {
			n++
		}
		return unit, n
	}
	if w := s.low(i); w != "" && s.tokens[i].class == symbol {
		c := currencyBySign[w]
		if c == nil || s.signOfNext(i) {
			return nil, 0
		}
		return c, 1
	}
	return s.unitName(i)
}

// signOfNext reports whether a sign between two amounts is that of the second: of
// "$ 20 $ 30" and "1 $ 10 dollars", but not of "10 $ 30 cent".
func (s *scan) signOfNext(i int) bool {
	if s.glued(i) && !s.glued(i+1) {
		return false
	}
	_, n := s.number(i + 1)
	if n == 0 {
		return false
	}
	after, k := s.unitName(i + 1 + n)
	if k == 0 {
		return !s.symbolAt(i+1+n, s.low(i))
	}
	return after.factor == 1
}

// unitName reads the name or the code of a unit.
func (s *scan) unitName(i int) (unit *currency, n int) {
	w := s.low(i)
	for _, list := range currencyFirst[w] {
		spelled := list[:len(list)-1]
		if len(spelled) <= n {
			continue
		}
		k := 1
		for k < len(spelled) && s.low(i+k) == spelled[k] {
			k++
		}
		if k == len(spelled) {
			unit, n = currencyByName[list[k]], k
		}
	}
	if c := currencyByCode[w]; n == 0 && c != nil && (lowerCodes[w] || isUpper(s.tokens[i].text)) {
		return c, 1
	}
	if c := currencyBySign[w]; n == 0 && c != nil && (w == "ரூ" || w == "zł" || w == "kč" || w == "ft" && s.tokens[i].text == "Ft") {
		return c, 1
	}
	return unit, n
}

// cents recognises what may follow the whole units: "and 50 cents", "fifty", "and 15" at
// the end of a clause.
func (s *scan) cents(i int, unit *currency) (float64, int) {
	n := 0
	if s.low(i) == "and" {
		n = 1
		if part, k := s.partAfter(i); k > 0 && unit.factor == 1 {
			return part, k // two dollars and a quarter
		}
	}
	if unit.factor != 1 || !s.mayCount(i+n) || s.symbolAt(i, "-") {
		return 0, 0
	}
	v, m := s.count(i+n, 0, 0)
	if d := s.digits(i+n, 1, 2); d != "" {
		v, m = float64(atoi(d)), 1
	}
	if m == 0 || v >= 100 || v != math.Trunc(v) {
		return 0, 0
	}
	if part, k := s.unitName(i + n + m); k > 0 {
		if part.factor != 1 && (part.name == "Cent" || slices.ContainsFunc(strings.Fields(part.code), func(c string) bool { return strings.Contains(unit.code, c) })) {
			c := v * part.factor
			if part.factor < 0.1 {
				return v / 100, n + m + k
			}
			if last := units[s.low(i+n+m+k)]; last > 0 && last < 10 && s.ends(i+n+m+k+1) { // five mao five
				return c + last/100, n + m + k + 1
			}
			return c, n + m + k
		}
		return 0, 0
	}
	if next := s.low(i + n + m); s.symbolAt(i+n+m, "$€£¥%:/-") || next != "" && s.tokens[i+n+m].class != symbol && next != "and" {
		return 0, 0
	}
	if s.tokens[i+n].class == digits && (n == 0 || s.glued(i+n+m) && !s.closeAfter(i+n+m)) {
		return 0, 0
	}
	return v / 100, n + m
}

// unitAlone finds a unit without an amount, where nothing but money is looked for.
func (s *scan) unitAlone(i int) *found {
	if s.only != "money" || s.glued(i) && s.tokens[i].class == letters && s.tokens[i-1].class != symbol {
		return nil
	}
	if w := s.low(i); s.tokens[i].class != letters || rareUnits[w] {
		return nil
	}
	unit, n := s.unitName(i)
	if n == 0 {
		return nil
	}
	return &found{kind: "money", from: i, to: i + n, value: amount{unit: unit, missing: true}, confidence: 0.3}
}

// rareUnits are words of their own unless an amount stands before them.
var rareUnits = words("yuan yen lari taka sen cad all try top mop cup cop ang sar sek lei kina para sol kr real won rand mao jiao sterling quid kuai fen ore pence buck bucks")
