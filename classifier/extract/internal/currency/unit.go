// Package currency holds the units of money by their names, signs and ISO 4217 codes.
package currency

import (
	"math"
	"strconv"
	"strings"

	"github.com/slotway/slotway/classifier/message"
)

// Unit is a unit of money. A bare "dollar" is a unit of its own: which country's it
// is, only the agent's settings can say.
type Unit struct {
	Code   string  // ISO 4217; for a bare family name or a hundredth the one meant where nothing says more
	Name   string  // "Hong Kong dollar"
	exact  bool    // the words name one country's unit
	Factor float64 // 0.01 for cents
}

// currencyBySign, currencyByName (words joined by spaces) and the names by their first
// word are made from the tables.
var (
	BySign      = map[string]*Unit{}
	ByName      = map[string]*Unit{}
	ByCode      = map[string]*Unit{}
	ByFirstWord = index()
)

func table(rows string) [][]string {
	var out [][]string
	for line := range strings.SplitSeq(strings.TrimSpace(rows), "\n") {
		out = append(out, strings.Split(line, "|"))
	}
	return out
}

// index fills the maps, and returns the names in words by their first word.
func index() map[string][][]string {
	first := map[string][][]string{}
	add := func(c *Unit, names string) {
		for name := range strings.SplitSeq(strings.ToLower(names), ",") {
			if name == "" {
				continue
			}
			for _, spelling := range []string{name, name + "s", name + "es"} {
				list := strings.Fields(strings.ReplaceAll(spelling, ".", " . "))
				if ByName[spelling] != nil || strings.HasSuffix(spelling, "ses") {
					continue
				}
				ByName[spelling] = c
				first[list[0]] = append(first[list[0]], append(list, spelling))
			}
		}
	}
	for _, r := range table(unitRows) {
		c := &Unit{Code: r[0], Name: r[1], exact: true, Factor: 1}
		add(c, r[1]+","+r[2])
		ByCode[strings.ToLower(r[0])] = c
		signs(c, r[3])
	}
	for _, r := range table(familyRows) {
		c := &Unit{Code: r[0], Name: r[1], Factor: 1}
		add(c, r[2])
		signs(c, r[3])
	}
	for _, r := range table(partRows) {
		factor, err := strconv.ParseFloat(r[0], 64)
		if err != nil {
			panic(err) // the table is built in
		}
		c := &Unit{Code: r[1], Name: r[2], Factor: factor}
		add(c, r[3])
		signs(c, r[4])
	}
	return first
}

func signs(c *Unit, list string) {
	for sign := range strings.SplitSeq(list, ",") {
		if sign != "" {
			BySign[strings.ToLower(sign)] = c
		}
	}
}

// among returns the code of a unit: the agent's own where the unit may be that.
func (c *Unit) among(own string) string {
	first, rest, _ := strings.Cut(c.Code, " ")
	if own != "" && strings.Contains(rest, own) {
		return own
	}
	return first
}

// ISO is the code where the words name one, or "".
func (c *Unit) ISO() string {
	if c.exact && c.Code != "BTC" && c.Code != "ETH" { // these are no ISO 4217
		return c.Code
	}
	return ""
}

// Amount is a sum in a unit, or with missing set a unit alone.
type Amount struct {
	Value   float64
	Unit    *Unit
	Own     string // the agent's currency
	Missing bool
}

// String is the value of a param: "12.50 USD", hundredths in units.
func (a Amount) String() string {
	v := a.Value
	if a.Unit.Factor != 1 {
		v /= math.Round(1 / a.Unit.Factor) // exact, as a product with 0.01 is not
	}
	return Format(v, a.Unit.among(a.Own))
}

// Format renders an amount and a code: "12.50 USD", with further decimals where
// there are some.
func Format(amount float64, code string) string {
	if cents := math.Round(amount * 100); math.Abs(cents-amount*100) > 1e-6*math.Max(1, math.Abs(amount)) {
		return strconv.FormatFloat(math.Round(amount*1e6)/1e6, 'f', -1, 64) + " " + code
	}
	return strconv.FormatFloat(amount, 'f', 2, 64) + " " + code
}

// MayLead reports whether a word in lower case may be the code of a unit, or the letters of a country
// before its sign.
func MayLead(w string) bool { return ByCode[w] != nil || leads[w] }

// leads are the letters that stand before a sign.
var leads = leadingWords()

func leadingWords() message.Set {
	out := message.Set{"u": true}
	for sign := range BySign {
		if at := strings.IndexAny(sign, "$£¥."); at > 0 {
			out[sign[:at]] = true
		}
	}
	for w := range Abbreviated {
		out[w] = true
	}
	return out
}

// CodeOf is the code of an amount that is known, as a param holds it: GBP of "20.00 GBP". It is ""
// for any other value.
func CodeOf(value any) string {
	text, _ := value.(string)
	_, code, cut := strings.Cut(text, " ")
	if !cut || ByCode[strings.ToLower(code)] == nil {
		return ""
	}
	return code
}

// Name reads the name or the code of a unit.
func Name(s *message.Message, i int) (unit *Unit, n int) {
	w := s.Low(i)
	for _, list := range ByFirstWord[w] {
		spelled := list[:len(list)-1]
		if len(spelled) <= n {
			continue
		}
		k := 1
		for k < len(spelled) && s.Low(i+k) == spelled[k] {
			k++
		}
		if k == len(spelled) {
			unit, n = ByName[list[k]], k
		}
	}
	if c := ByCode[w]; n == 0 && c != nil && (LowerCase[w] || message.IsUpper(s.Tokens[i].Text)) {
		return c, 1
	}
	if c := BySign[w]; n == 0 && c != nil && (w == "ரூ" || w == "zł" || w == "kč" || w == "ft" && s.Tokens[i].Text == "Ft") {
		return c, 1
	}
	return unit, n
}

// Named is the unit of a sign, a code or an English name.
func Named(name string) *Unit {
	for _, table := range [...]map[string]*Unit{BySign, ByCode, ByName} {
		if c := table[name]; c != nil {
			return c
		}
	}
	return nil
}
