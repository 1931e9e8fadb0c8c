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
