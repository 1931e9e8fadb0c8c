package extract

import "strconv"

// currencySigns stand before or after an amount; currencyWords after it. Codes are ISO 4217.
var (
	currencySigns = map[string]string{
		"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₽": "RUB", "₩": "KRW", "₺": "TRY", "₾": "GEL", "₪": "ILS", "฿": "THB", "₴": "UAH", "₫": "VND",
	}
	dollarPrefixes = map[string]string{"us": "USD", "u.s": "USD", "c": "CAD", "ca": "CAD", "a": "AUD", "au": "AUD", "hk": "HKD", "nz": "NZD", "s": "SGD"}
	currencyWords  = map[string]string{
		"dollar": "USD", "dollars": "USD", "buck": "USD", "bucks": "USD", "usd": "USD",
		"euro": "EUR", "euros": "EUR", "eur": "EUR", "gbp": "GBP", "quid": "GBP", "sterling": "GBP",
		"yen": "JPY", "jpy": "JPY", "yuan": "CNY", "rmb": "CNY", "cny": "CNY", "inr": "INR", "rupee": "INR", "rupees": "INR",
		"chf": "CHF", "franc": "CHF", "francs": "CHF", "cad": "CAD", "aud": "AUD", "nzd": "NZD", "sek": "SEK", "nok": "NOK", "dkk": "DKK",
		"krona": "SEK", "kronor": "SEK", "zloty": "PLN", "pln": "PLN", "peso": "MXN", "pesos": "MXN", "mxn": "MXN", "real": "BRL", "reais": "BRL", "brl": "BRL",
		"won": "KRW", "ruble": "RUB", "rubles": "RUB", "sgd": "SGD", "hkd": "HKD", "krw": "KRW", "rub": "RUB",
	}
	ambiguousMoney = words("real won") // words of their own
	hundredths     = map[string]string{"cent": "USD", "cents": "USD", "pence": "GBP", "penny": "USD", "pennies": "USD"}
	nations        = map[string]map[string]string{
		"us":         {"dollar": "USD", "dollars": "USD"},
		"american":   {"dollar": "USD", "dollars": "USD"},
		"canadian":   {"dollar": "CAD", "dollars": "CAD"},
		"australian": {"dollar": "AUD", "dollars": "AUD"},
		"swiss":      {"franc": "CHF", "francs": "CHF"},
		"british":    {"pound": "GBP", "pounds": "GBP"},
		"mexican":    {"peso": "MXN", "pesos": "MXN"},
	}
)

// formatMoney renders an amount and a code: "12.50 USD".
func formatMoney(amount float64, code string) string {
	return strconv.FormatFloat(amount, 'f', 2, 64) + " " + code
}

// money recognises $12.50, US$ 5, 20 dollars, 50 cents, EUR 5, 3 million euros at token i.
func (s *scan) money(i int) *found {
	code, n := s.sign(i)
	if n > 0 {
		if v, m := s.number(i + n); m > 0 {
			if w := s.low(i + n + m); w == "k" {
				v, m = v*1e3, m+1
			}
			return &found{kind: "money", from: i, to: i + n + m, value: formatMoney(v, code), confidence: 0.95}
		}
		return nil
	}
	v, n := s.number(i)
	if n == 0 || s.glued(i) && !s.openBefore(i) {
		return nil
	}
	code, cents, m := s.currencyAfter(i + n)
	if m == 0 {
		return nil
	}
	n += m
	if cents {
		v /= 100
	} else if c, k := s.cents(i+n, code); k > 0 {
		v, n = v+c, n+k
	}
	return &found{kind: "money", from: i, to: i + n, value: formatMoney(v, code), confidence: 0.95}
}

// sign recognises what stands before an amount.
func (s *scan) sign(i int) (code string, n int) {
	if code, ok := currencySigns[s.low(i)]; ok {
		return code, 1
	}
	if s.symbolAt(i+1, "$") {
		if code, ok := dollarPrefixes[s.low(i)]; ok && (s.low(i) != "a" || s.glued(i+1)) {
			return code, 2
		}
	}
	// a code in capitals: EUR 20
	if w := s.low(i); len(w) == 3 && s.tokens[i].text != w && s.capital(i) && currencyWords[w] != "" && s.tokens[i].class == letters {
		if s.digits(i+1, 1, 15) != "" && isUpper(s.tokens[i].text) {
			return currencyWords[w], 1
		}
	}
	return "", 0
}

func isUpper(w string) bool {
	for _, c := range []byte(w) {
		if c < 'A' || c > 'Z' {
			return false
		}
	}
	return true
}

func (s *scan) currencyAfter(i int) (code string, cents bool, n int) {
	if s.symbolAt(i, "-") && s.glued(i) {
		code, cents, n = s.currencyAfter(i + 1)
		if n > 0 {
			n++
		}
		return code, cents, n
	}
	w := s.low(i)
	if code, ok := currencySigns[w]; ok && s.glued(i) {
		return code, false, 1
	}
	if code, ok := nations[w][s.low(i+1)]; ok {
		return code, false, 2
	}
	if code, ok := hundredths[w]; ok {
		return code, true, 1
	}
	if w == "pounds" || w == "pound" {
		if s.low(i+1) == "sterling" {
			return "GBP", false, 2
		}
		return "GBP", false, 1
	}
	if code, ok := currencyWords[w]; ok && !ambiguousMoney[w] {
		return code, false, 1
	}
	return "", false, 0
}

// cents recognises what may follow the whole units: "and 50 cents", "fifty".
func (s *scan) cents(i int, code string) (float64, int) {
	n := 0
	if s.low(i) == "and" {
		n = 1
	}
	v, m := s.number(i + n)
	if m == 0 || v >= 100 || v != float64(int(v)) {
		return 0, 0
	}
	if c, ok := hundredths[s.low(i+n+m)]; ok && (c == code || c == "USD") {
		return v / 100, n + m + 1
	}
	return 0, 0
}

// percentage recognises 20%, 20 percent, twenty per cent at token i.
func (s *scan) percentage(i int) *found {
	v, n := s.number(i)
	if n == 0 || s.glued(i) && !s.openBefore(i) {
		return nil
	}
	m := 0
	switch s.low(i + n) {
	case "%", "percent", "percentage", "pct":
		m = 1
	case "per":
		if s.low(i+n+1) == "cent" {
			m = 2
		}
	}
	if m == 0 {
		return nil
	}
	return &found{kind: "percentage", from: i, to: i + n + m, value: v, confidence: 0.95}
}
