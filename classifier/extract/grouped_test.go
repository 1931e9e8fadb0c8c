package extract

import (
	"testing"

	"github.com/slotway/slotway/config"
)

// TestFiguresInGroups: groups of three digits are one number in an answer and with a unit,
// and two numbers elsewhere.
func TestFiguresInGroups(t *testing.T) {
	a := inn()
	a.Params["reading"] = &config.Param{Name: "reading", Label: "meter reading", Type: &config.Type{Name: "number", Builtin: "number"}}
	a.Params["price"] = &config.Param{Name: "price", Type: &config.Type{Name: "money", Builtin: "money"}}
	checkHeard(t, New(a, nil), []heardCase{
		{"reading", "10 455", "reading", "10455"},
		{"reading", "10\u2009455", "reading", "10455"},
		{"reading", "10'455", "reading", "10455"},
		{"reading", "10’455", "reading", "10455"},
		{"reading", "it's 10 455 please", "reading", "10455"},
		{"reading", "the meter shows 10 455.", "reading", "10455"},
		{"reading", "1 234 567", "reading", "1.234567e+06"},
		{"reading", "1'234'567.5", "reading", "1.2345675e+06"},
		{"reading", "10 455,50", "reading", "10455.5"},
		{"reading", "10 455.5 kWh", "reading", "10455.5"},
		{"quantity", "2 500", "quantity", "2500"},
		{"price", "10 455", "price", "10455.00 USD"},
		{"", "we used 10 455 kWh", "reading", "10455?"},
		{"", "it has 10 455 km.", "reading", "10455?"},
		{"", "10'455", "reading", "10455"},

		{"", "I have 10 455", "reading", "10? 455?"},
		{"quantity", "2 500 ml bottles", "quantity", "2 500"},
		{"", "2 500 kg bags", "quantity", "2? 500?"},
		{"reading", "10  455", "reading", "10 455"},
		{"reading", "10 45", "reading", "10 45"},
		{"reading", "10 4555", "reading", "10 4555"},
		{"reading", "1000 455", "reading", "1000 455"},
		{"reading", "10, 455", "reading", "10 455"},
		{"guests", "2 or 300", "guests", "2 300"},
	})
	for _, tc := range []struct{ text, want string }{
		{"no, 10 455", "quantity=10455<10 455>"},
		{"not 10, 455", "quantity=10<10> quantity=455<455>"},
	} {
		if got := bares(New(office(), nil), tc.text, "quantity"); got != tc.want {
			t.Errorf("%q: %q, want %q", tc.text, got, tc.want)
		}
	}
}

// TestGluedLetters: a letter behind figures multiplies them only where it can mean nothing
// else: houses, classes and sizes have letters too.
func TestGluedLetters(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"10k", "number=10000"},
		{"10k steps", "number=10000"},
		{"5K", "number=5000"},
		{"3M", "number=3e+06"},
		{"5M users", "number=5e+06"},
		{"2bn", "number=2e+09"},
		{"$5m", "money=5000000.00 USD"},
		{"$1.2b", "money=1200000000.00 USD"},
		{"5m dollars", "money=5000000.00 USD"},
		{"EUR 3m", "money=3000000.00 EUR"},
		{"3m€", "money=3000000.00 EUR"},

		{"5b Harbour View", ""},
		{"5B Harbour View", ""},
		{"5k Harbour View", ""},
		{"12M Oxford Road", ""},
		{"class 4b", ""},
		{"my son is in 3A", ""},
		{"a 5t truck", ""},
		{"200g of flour", ""},
		{"5mm thick", ""},
		{"flat 4a", ""},
		{"at 4p", "time=16:00"},
		{"flat 2b or 2c", ""},
	} {
		if got := show(tc.text); got != tc.want {
			t.Errorf("Recognize(%q) = %q, want %q", tc.text, got, tc.want)
		}
	}
	checkHeard(t, New(office(), nil), []heardCase{
		{"quantity", "5b", "quantity", ""},
		{"quantity", "5k", "quantity", "5000"},
		{"the_money", "5m", "the_money", "5000000.00 USD"},
	})
}
