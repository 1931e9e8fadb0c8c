package phrase

import (
	"math"
	"strconv"
	"strings"
)

// currencySigns are the signs that mean one currency nearly everywhere; other currencies show their
// code.
var currencySigns = map[string]string{"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "INR": "₹", "KRW": "₩"}

// wholeCurrencies have no hundredths.
var wholeCurrencies = map[string]bool{"JPY": true, "KRW": true, "CLP": true, "VND": true, "ISK": true}

// money turns "12.50 USD" into "$12.50".
func (w *Language) money(s string) string {
	number, code, ok := strings.Cut(s, " ")
	if !ok {
		number, code = s, ""
	}
	if isCode(number) {
		number, code = code, number
	}
	v, err := strconv.ParseFloat(number, 64)
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) || strings.ContainsAny(number, "eExX_pP") || code != "" && !isCode(code) {
		return ""
	}
	return w.sum(v, code)
}

func isCode(s string) bool {
	for i := range len(s) {
		if s[i] < 'A' || s[i] > 'Z' {
			return false
		}
	}
	return len(s) == 3
}

// sum formats an amount with its currency's sign or code; "" is no currency.
func (w *Language) sum(v float64, code string) string {
	if w == nil {
		w = wordTables["en"]
	}
	places := 2
	if math.Abs(math.Round(v*100)-v*100) > 1e-6*math.Max(1, math.Abs(v)) {
		places = -1 // a price below a hundredth
	} else if wholeCurrencies[code] && v == math.Trunc(v) {
		places = 0
	}
	minus := ""
	if v < 0 {
		minus = "-"
	}
	digits := w.grouped(strconv.FormatFloat(math.Abs(v), 'f', places, 64))
	sign := currencySigns[code]
	switch {
	case code == "":
		return minus + digits
	case sign == "":
		return minus + digits + " " + code
	case w.after:
		return minus + digits + " " + sign
	}
	return minus + sign + digits
}

// grouped sets the language's decimal point and, from ten thousand on, its thousands separator.
func (w *Language) grouped(digits string) string {
	whole, part, fraction := strings.Cut(digits, ".")
	if n := len(whole); n > 4 || n == 4 && w.group == "," {
		var out []string
		for ; len(whole) > 3; whole = whole[:len(whole)-3] {
			out = append([]string{whole[len(whole)-3:]}, out...)
		}
		whole = strings.Join(append([]string{whole}, out...), w.group)
	}
	if fraction {
		return whole + w.point + part
	}
	return whole
}
