package extract

import (
	"strings"
	"testing"

	"github.com/slotway/slotway/classifier"
)

// Of two days that are offered none is taken.
func TestEitherDay(t *testing.T) {
	for text, want := range map[string]string{
		"5 or 6 may 2027": "2027-05-05 2027-05-06", "the 5th or the 6th of may": "2027-05-05 2027-05-06", "may 5 or 6": "2027-05-05 2027-05-06",
		"1430 hours on 5 may": "2027-05-05",
	} {
		x := New(rangeAgent("date"), nil)
		var got []string
		for _, v := range x.Extract(classifier.Input{Text: text, Now: now, Asked: &classifier.Asked{Param: "date"}}, nil) {
			got = append(got, v.Value.(string))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// A length is read whole, with its fraction, or as all that it may be.
func TestDurations(t *testing.T) {
	x := New(rangeAgent("duration"), nil)
	for text, want := range map[string]string{
		"half a day": "PT12H", "half a week": "P0.5W", "half a year": "P6M", "half a month": "P0.5M",
		"a day and a half": "P1.5D", "two and a half weeks": "P2.5W", "2 and half hours": "PT2.5H",
		"1,5 hours": "PT1.5H", "0,25 hours": "PT15M", "2,5 days": "P2.5D", "12,5 minutes": "PT12.5M",
		"three quarters of an hour": "PT45M", "a third of an hour": "PT20M", "1h30": "PT1H30M", "2h 15m": "PT2H15M",
		"a couple of hours": "PT2H", "two hours thirty minutes": "PT2H30M", "2 weeks and 3 days": "P17D",
		"5 to 10 days": "P5D P10D", "five or six days": "P5D P6D", "2-3 hours": "PT2H PT3H", "2h": "PT2H",
		"one minute": "", "O-12 days": "", "a few days": "",
	} {
		var got []string
		for _, v := range x.Extract(classifier.Input{Text: text, Now: now, Asked: &classifier.Asked{Param: "duration"}}, nil) {
			got = append(got, v.Value.(string))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
