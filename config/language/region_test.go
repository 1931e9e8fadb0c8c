package language

import "testing"

func TestRegionOf(t *testing.T) {
	for _, test := range []struct {
		country, tag string
		want         Region
	}{
		{"", "", Region{"US", "USD", MonthFirst}},
		{"", "en", Region{"US", "USD", MonthFirst}},
		{"", "en-GB", Region{"GB", "GBP", DayFirst}},
		{"", "en_AU", Region{"AU", "AUD", DayFirst}},
		{"", "en-CA", Region{"CA", "CAD", EitherFirst}},
		{"", "en-001", Region{"", "", EitherFirst}},
		{"", "es-419", Region{"", "", DayFirst}},
		{"", "es-MX", Region{"MX", "MXN", DayFirst}},
		{"", "de", Region{"DE", "EUR", DayFirst}},
		{"", "de-CH", Region{"CH", "CHF", DayFirst}},
		{"", "ja", Region{"JP", "JPY", MonthFirst}},
		{"", "tlh", Region{}},
		{"AT", "en", Region{"AT", "EUR", DayFirst}},
		{"US", "de", Region{"US", "USD", MonthFirst}},
		{"GB", "tlh", Region{"GB", "GBP", DayFirst}},
	} {
		if got := RegionOf(test.country, test.tag); got != test.want {
			t.Errorf("%q of %q: %+v, want %+v", test.country, test.tag, got, test.want)
		}
	}
}

func TestIsCountry(t *testing.T) {
	for code, want := range map[string]bool{"GB": true, "US": true, "NO": true, "UK": false, "gb": false, "GBR": false, "826": false, "419": false, "ZZ": false, "": false, "EU": false, "Germany": false} {
		if got := IsCountry(code); got != want {
			t.Errorf("%q: %v, want %v", code, got, want)
		}
	}
}
