package extract

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestEveryHour says each hour with the words that stand around one.
func TestEveryHour(t *testing.T) {
	for h := 1; h <= 12; h++ {
		word := inWords(h, "", "")
		for form, minute := range map[string]int{
			"half past %s o'clock": 30, "quarter past %s": 15, "three quarters past %s": 45, "twenty minutes past %s": 20, "twenty minutes to %s": -20,
			"ten minutes to %s": -10, "%s o'clock": 0, "%s o clock": 0, "%s oclock": 0,
		} {
			span := fmt.Sprintf(form, word)
			first := time.Date(2000, 1, 1, h%12, minute, 0, 0, time.UTC)
			am, pm := first.Format("15:04:05"), first.Add(12*time.Hour).Format("15:04:05")
			if am > pm {
				am, pm = pm, am
			}
			if got, want := readAs("see you "+span), "time<"+span+">="+am+"|"+pm; got != want && got != "time<"+span+">="+pm+"|"+am {
				t.Errorf("%q: %s, want %s", span, got, want)
			}
		}
	}
	for h := range 24 {
		span := fmt.Sprintf("%02d:30h", h)
		if got := readAs("see you at " + span); h > 12 && got != fmt.Sprintf("time<%s>=%02d:30:00", span, h) {
			t.Errorf("%q: %s: the hours of a time are no length", span, got)
		}
	}
}

// TestEveryDollar writes amounts of each country's dollar, below zero, in parts, and in words.
func TestEveryDollar(t *testing.T) {
	money := func(text string) string {
		var out strings.Builder
		for _, e := range RecognizeKind("money", text, now, nil) {
			out.WriteString(fmt.Sprintf("%s=%s %s", e.Text, e.Normal, e.Unit))
		}
		return out.String()
	}
	check := func(text, figure, unit string) {
		t.Helper()
		if got, want := money(text), text+"="+figure+" "+unit; got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for country, unit := range map[string]string{
		"canadian": "Canadian dollar", "australian": "Australian dollar", "Hong Kong": "Hong Kong dollar", "new zealand": "New Zealand dollar", "Singapore": "Singapore dollar", "taiwan": "New Taiwan dollar",
	} {
		for n := 3; n < 90; n += 11 {
			check(fmt.Sprintf("%s $ %d", country, n), fmt.Sprint(n), unit)
			check(fmt.Sprintf("%d %s dollars", n, country), fmt.Sprint(n), unit)
		}
	}
	for n := 3; n < 90; n += 11 {
		check(fmt.Sprintf("-$%d", n), fmt.Sprint(-n), "Dollar")
		check(fmt.Sprintf("%d dollars and a quarter", n), fmt.Sprintf("%d.25", n), "Dollar")
		check(inWords(n, " ", "-")+" euros and a half", fmt.Sprintf("%d.5", n), "Euro")
		check(fmt.Sprintf("%d yuan 5 jiao", n), fmt.Sprintf("%d.5", n), "Chinese yuan")
		check("USD "+inWords(n, " ", "-")+" million", fmt.Sprintf("%d000000", n), "United States dollar")
	}
	check("$.50", "0.5", "Dollar")
	check("half a dollar", "0.5", "Dollar")
}
