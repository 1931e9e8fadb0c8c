package extract

import (
	"testing"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/config"
)

// abroad is an agent in a language and region that asks for a number to call and for an amount.
func abroad(tag string) *Extractor {
	a := &config.Agent{Language: tag, Params: map[string]*config.Param{}}
	for _, kind := range []string{"phone", "money", "date"} {
		a.Params[kind] = &config.Param{Name: kind, Type: &config.Type{Name: kind, Builtin: kind}}
	}
	return New(a, nil)
}

// TestNationalPhones: a number as people of a region write it gets their country, asked for or in a
// message beside an amount. No other number gets a country that nobody said.
func TestNationalPhones(t *testing.T) {
	for _, tc := range []struct{ tag, said, want string }{
		{"en-GB", "07700 900123", "+447700900123"},
		{"en-GB", "07911 12 34 56", "+447911123456"},
		{"en-GB", "07911123456", "+447911123456"},
		{"en-GB", "020 7946 0018", "+442079460018"},
		{"en-GB", "(020) 7946 0018", "+442079460018"},
		{"en-GB", "0131 496 0123", "+441314960123"},
		{"en-GB", "0049 30 901820", "+4930901820"},
		{"en-IN", "98765 43210", "+919876543210"},
		{"en-IN", "987 654 3210", "+919876543210"},
		{"en-IN", "080 2345 6789", "+918023456789"},
		{"en-AU", "0412 345 678", "+61412345678"},
		{"en-AU", "(02) 9876 5432", "+61298765432"},
		{"en-IE", "087 123 4567", "+353871234567"},
		{"en-IE", "01 234 5678", "+35312345678"},
		{"en-CA", "416-967-1111", "+14169671111"},
		{"en", "212 555 0123", "+12125550123"},
		{"en", "555-234-9876", "+15552349876"},
		{"en", "020 7946 0018", "02079460018"},
		{"en", "07911 123456", "07911123456"},
		{"en", "+44 7911 123456", "+447911123456"},
		{"en-GB", "0412 345 678", "0412345678"},
	} {
		x := abroad(tc.tag)
		asked := classifier.Input{Text: tc.said, Now: now, Asked: &classifier.Asked{Param: "phone"}}
		if got := heard(x, &asked, "phone"); got != tc.want {
			t.Errorf("%s asked, %q: %q, want %q", tc.tag, tc.said, got, tc.want)
		}
		within := classifier.Input{Text: "put 15 euros on " + tc.said + " please", Now: now}
		phone, sum := heard(x, &within, "phone"), heard(x, &within, "money")
		if phone != tc.want || sum != "15.00 EUR" {
			t.Errorf("%s, %q: %q and %q, want %q and 15.00 EUR", tc.tag, within.Text, phone, sum, tc.want)
		}
	}
	asked := classifier.Input{Text: "98765 43210", Now: now, Asked: &classifier.Asked{Param: "phone"}}
	if got := heard(abroad("en"), &asked, "phone"); got != "9876543210" {
		t.Errorf("an Indian number told to an agent of the United States is %q", got)
	}
}

// TestDictatedNoughts keeps the nought that a number begins with, though "oh" is a sigh elsewhere.
func TestDictatedNoughts(t *testing.T) {
	asked := classifier.Input{Text: "oh one one, three four nine six, oh two double oh", Now: now, Asked: &classifier.Asked{Param: "phone"}}
	if got := heard(abroad("en-GB"), &asked, "phone"); got != "+441134960200" && got != "01134960200" {
		t.Errorf("got %q", got)
	}
	asked.Text = "oh, it's 2 1 2 five five five 0 1 two three"
	if got := heard(abroad("en"), &asked, "phone"); got != "+12125550123" {
		t.Errorf("got %q", got)
	}
}

// TestCurrencyOfRegion: an amount without its currency is in that of the people, or in that of the
// amount which it corrects.
func TestCurrencyOfRegion(t *testing.T) {
	for tag, want := range map[string]string{"en": "25.00 USD", "en-GB": "25.00 GBP", "en-IN": "25.00 INR", "en-IE": "25.00 EUR", "de": "25.00 EUR"} {
		asked := classifier.Input{Text: "25", Now: now, Asked: &classifier.Asked{Param: "money"}}
		if got := heard(abroad(tag), &asked, "money"); got != want {
			t.Errorf("%s: %q, want %s", tag, got, want)
		}
	}
	for _, text := range []string{"no, 25", "make that 25", "actually 25"} {
		again := classifier.Input{Text: text, Now: now, Params: map[string]any{"money": "20.00 GBP"}, Filled: []string{"money"}}
		if got := heard(abroad("en"), &again, "money"); got != "25.00 GBP" {
			t.Errorf("%q after £20: %q", text, got)
		}
		again.Params["money"] = "20.00 AUD"
		again.Text = text + " dollars"
		if got := heard(abroad("en"), &again, "money"); got != "25.00 AUD" {
			t.Errorf("%q after 20 Australian dollars: %q", again.Text, got)
		}
	}
}

// TestDayOrderOfRegion reads a day in figures as the people of the region write it.
func TestDayOrderOfRegion(t *testing.T) {
	for tag, want := range map[string]string{"en": "2027-03-04", "en-US": "2027-03-04", "en-GB": "2027-04-03", "en_AU": "2027-04-03", "en-IN": "2027-04-03"} {
		asked := classifier.Input{Text: "03/04/2027", Now: now, Asked: &classifier.Asked{Param: "date"}}
		if got := heard(abroad(tag), &asked, "date"); got != want {
			t.Errorf("%s: %q, want %s", tag, got, want)
		}
	}
}
