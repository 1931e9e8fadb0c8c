package extract

import (
	"strings"
	"testing"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/config"
)

// TestPointedDays: a day with points has the day first, and is one where a date is asked for
// or the words around it say so.
func TestPointedDays(t *testing.T) {
	a := trip()
	a.Params["price"] = &config.Param{Name: "price", Type: &config.Type{Name: "number", Builtin: "number"}}
	for _, dayFirst := range []bool{false, true} {
		x := New(a, &Options{DayFirst: dayFirst})
		for _, tc := range []struct{ asked, text, param, want string }{
			{"depart", "14.12.", "depart", "2026-12-14"},
			{"depart", "14.12", "depart", "2026-12-14"},
			{"depart", "3.4.", "depart", "2027-04-03"},
			{"depart", "3.4", "depart", "2027-04-03"},
			{"depart", "on 3.4", "depart", "2027-04-03"},
			{"depart", "the 3.4. please", "depart", "2027-04-03"},
			{"depart", "it's 3.4., thanks", "depart", "2027-04-03"},
			{"depart", "12.14", "depart", "2026-12-14"},
			{"depart", "14.12.2026", "depart", "2026-12-14"},
			{"depart", "14.12.2026.", "depart", "2026-12-14"},
			{"depart", "14.12. 2026", "depart", "2026-12-14"},
			{"depart", "14. 12.", "depart", "2026-12-14"},
			{"depart", "friday 20.11.", "depart", "2026-11-20"},
			{"depart", "31.11.", "depart", "[calendar <nil>]"},
			{"pickup_at", "14.12. at 5pm", "pickup_at", "2026-12-14T17:00:00"},
			{"pickup_at", "14.12.", "pickup_at", "[half 2026-12-14]"},
			{"", "I leave on 14.12. at noon", "depart", "2026-12-14"},
			{"", "on 3.4. for two nights", "depart", "2027-04-03"},
			{"", "from 1.12. to 5.12. please", "depart", "2026-12-01 2026-12-05"},
			{"", "14. 12. 2026", "depart", "2026-12-14"},

			{"", "14.12", "depart", ""},
			{"", "14.12", "price", "14.12"},
			{"", "it costs 3.12. can I pay by card", "depart", ""},
			{"", "it is 3.4. Thanks", "depart", ""},
			{"depart", "version 3.4.", "depart", ""},
			{"depart", "I paid 3.4 last time", "depart", ""},
			{"depart", "about 3.4 tons", "depart", ""},
			{"depart", "14.30", "depart", ""},
			{"depart", "3.4.5.6", "depart", ""},
			{"depart", "v3.4", "depart", ""},
			{"price", "3.4", "price", "3.4"},
			{"price", "3.4.", "price", "3.4"},
			{"price", "3.4.", "depart", ""},
			{"pickup_at", "14.12", "depart", ""},
		} {
			in := classifier.Input{Text: tc.text, Now: now}
			if tc.asked != "" {
				in.Asked = &classifier.Asked{Param: tc.asked}
			}
			if got := told(x, &in, tc.param); got != tc.want {
				t.Errorf("%q asked for %q, day first %t: %s is %q, want %q", tc.text, tc.asked, dayFirst, tc.param, got, tc.want)
			}
		}
	}
}

// TestPointedCorrections: what corrects a day may have points, but a figure that corrects
// another param is no day.
func TestPointedCorrections(t *testing.T) {
	x := New(office(), nil)
	for _, tc := range []struct{ filled, text, want string }{
		{"the_date", "no, the 14.12.", "the_date=2026-12-14<14.12.>"},
		{"the_date", "make it 14.12.", "the_date=2026-12-14<14.12.>"},
		{"the_money", "no, 3.4", "the_money=3.40 USD<3.4>"},
		{"the_date the_money", "no, 3.4", "the_money=3.40 USD<3.4>"},
	} {
		if got := bares(x, tc.text, strings.Fields(tc.filled)...); got != tc.want {
			t.Errorf("%q with %s known: %q, want %q", tc.text, tc.filled, got, tc.want)
		}
	}
}
