package extract

import (
	"testing"

	"github.com/slotway/slotway/classifier/extract/internal/foreign"
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
		"en-GB": {Region: "US", Currency: "USD"},
		"tlh":   {Region: "US", Currency: "USD"},
		"de":    {Region: "DE", Currency: "EUR"},
		"de-DE": {Region: "DE", Currency: "EUR"},
		"de-CH": {Region: "CH", Currency: "CHF"},
		"fr":    {Region: "FR", Currency: "EUR"},
		"es-MX": {Region: "MX", Currency: "MXN"},
	} {
		got := (*Options)(nil).at(tag)
		if got.Region != want.Region || got.Currency != want.Currency {
			t.Errorf("%q: %s %s, want %s %s", tag, got.Region, got.Currency, want.Region, want.Currency)
		}
	}
	if got := (&Options{Region: "AT", Currency: "CHF"}).at("de"); got.Region != "AT" || got.Currency != "CHF" {
		t.Errorf("what is said of the region is not kept: %+v", got)
	}
	for _, tag := range []string{"", "en", "en-US", "tlh"} {
		if foreign.Of(tag) != nil {
			t.Errorf("%q has a tongue", tag)
		}
	}
}
