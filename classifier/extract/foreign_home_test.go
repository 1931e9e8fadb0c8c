package extract

import (
	"testing"

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
func TestTongueOf(t *testing.T) {
	for tag, want := range map[string]Options{
		"":      {Region: "US", Currency: "USD"},
		"en":    {Region: "US", Currency: "USD"},
		"en-GB": {Region: "GB", Currency: "GBP", DayFirst: true},
		"en_AU": {Region: "AU", Currency: "AUD", DayFirst: true},
		"en-IN": {Region: "IN", Currency: "INR", DayFirst: true},
		"en-IE": {Region: "IE", Currency: "EUR", DayFirst: true},
		"en-PH": {Region: "PH", Currency: "PHP"},
		"tlh":   {Region: "US", Currency: "USD"},
		"de":    {Region: "DE", Currency: "EUR", DayFirst: true},
		"de-DE": {Region: "DE", Currency: "EUR", DayFirst: true},
		"de-CH": {Region: "CH", Currency: "CHF", DayFirst: true},
		"fr":    {Region: "FR", Currency: "EUR", DayFirst: true},
		"es-MX": {Region: "MX", Currency: "MXN", DayFirst: true},
	} {
		got := (*Options)(nil).at(tag)
		if got.Region != want.Region || got.Currency != want.Currency || got.DayFirst != want.DayFirst {
			t.Errorf("%q: %+v, want %+v", tag, got, want)
		}
	}
	if got := (&Options{Region: "AT", Currency: "CHF"}).at("de"); got.Region != "AT" || got.Currency != "CHF" {
		t.Errorf("what is said of the region is not kept: %+v", got)
	}
	for _, tag := range []string{"", "en", "en-US", "tlh"} {
		if got := rows.Of(tag).Tag; got != "en" {
			t.Errorf("%q is read as %s", tag, got)
		}
	}
}
