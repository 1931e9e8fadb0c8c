package extract

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/classifier/extract/internal/rows"
)

// TestDollarOfPesos reads the sign of the dollar as people mean it where they pay in pesos.
func TestDollarOfPesos(t *testing.T) {
	for tag, want := range map[string]string{"es-MX": "500.00 MXN", "es-AR": "500.00 ARS", "es-ES": "500.00 USD", "es-US": "500.00 USD"} {
		got := Recognize("cuesta $500", now, &Options{Language: tag})
		if len(got) != 1 || got[0].Value != want {
			t.Errorf("%s: %+v, want %s", tag, got, want)
		}
	}
}

// TestTongueOf holds which tags have tables and where their people live.
func TestOptionsOfARegion(t *testing.T) {
	for _, test := range []struct {
		given        *Options
		country, tag string
		want         Options
	}{
		{nil, "", "", Options{Region: "US", Currency: "USD"}},
		{nil, "", "en-GB", Options{Region: "GB", Currency: "GBP", DayFirst: true}},
		{nil, "IE", "en-GB", Options{Region: "IE", Currency: "EUR", DayFirst: true}},
		{&Options{Region: "AT", Currency: "CHF"}, "", "de", Options{Region: "AT", Currency: "CHF", DayFirst: true}},
		{&Options{Language: "de"}, "", "", Options{Language: "de", Region: "DE", Currency: "EUR", DayFirst: true}},
		{&Options{DayFirst: true}, "", "en-CA", Options{Region: "CA", Currency: "CAD", DayFirst: true}},
		{nil, "", "en-CA", Options{Region: "CA", Currency: "CAD", eitherFirst: true}},
		{nil, "", "tlh", Options{eitherFirst: true}},
	} {
		got := test.given.at(test.country, test.tag)
		if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(Options{})); diff != "" {
			t.Errorf("%+v %q %q (-want +got)\n%s", test.given, test.country, test.tag, diff)
		}
	}
}

func TestTonguesOf(t *testing.T) {
	for _, tag := range []string{"", "en", "en-US", "tlh"} {
		if got := rows.Of(tag).Tag; got != "en" {
			t.Errorf("%q is read as %s", tag, got)
		}
	}
}
