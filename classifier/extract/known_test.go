package extract

import (
	"fmt"
	"strings"
	"testing"

	"github.com/slotway/slotway/classifier"
)

// TestKnownValuesComplete: what corrects a value takes from it what it leaves out itself.
func TestKnownValuesComplete(t *testing.T) {
	x := bistro()
	for _, tc := range []struct{ param, held, text, want string }{
		{"hour", "19:00", "could we do 7:30 rather", "19:30"},
		{"hour", "19:00", "could we do 7:30am rather", "07:30"},
		{"hour", "19:00", "make it 8", "20:00"},
		{"hour", "19:00:00", "make it half past 8", "20:30"},
		{"hour", "13:00", "make it 11", "11:00"},
		{"hour", "09:00", "make it 10", "10:00"},
		{"hour", "09:00", "make it 2", "14:00"},
		{"hour", "02:00", "make it 3", "03:00"},
		{"hour", "19:00", "tonight at 9", "21:00"},
		{"hour", "19:00", "make it 07:30", "07:30"},
		{"day", "2027-11-18", "no, it was the 17th", "2027-11-17"},
		{"day", "2027-11-18", "make it the 3rd", "2027-11-03"},
		{"day", "2027-11-18", "the 3rd of next month", "2026-12-03"},
		{"day", "2027-11-18", "no, tomorrow", "2026-11-23"},
		{"day", "2026-11-25", "make it the 3rd", "2026-12-03"},
		{"day", "2026-11-18", "no, it was the 17th", "2026-11-17"},
		{"day", "2027-11-18", "no, the 31st", "2026-12-31"},
		{"moment", "2026-11-25T19:00:00", "make it 8", "2026-11-25T20:00:00"},
		{"moment", "2026-11-25T19:00:00", "no, friday at 8", "2026-11-27T20:00:00"},
		{"moment", "2027-03-25T19:00:00", "no, the 27th", "2027-03-27T19:00:00"},
	} {
		for _, in := range []classifier.Input{
			{Filled: []string{tc.param}},
			{Asked: &classifier.Asked{Param: tc.param}},
		} {
			in.Text, in.Now, in.Params = tc.text, sunday, map[string]any{tc.param: tc.held}
			if got := heard(x, &in, tc.param); got != tc.want {
				t.Errorf("%s is %s, %q (asked %v): %q, want %q", tc.param, tc.held, tc.text, in.Asked != nil, got, tc.want)
			}
		}
	}
}

// TestRememberedValuesCompleteNothing: what another task left behind says nothing of a day that
// begins a new one.
func TestRememberedValuesCompleteNothing(t *testing.T) {
	in := classifier.Input{Text: "a table on the 17th at 7:30", Now: sunday, Params: map[string]any{"day": "2027-11-18", "hour": "19:00"}}
	var out []string
	for _, v := range bistro().Extract(in, nil) {
		if v.Param != "moment" {
			out = append(out, fmt.Sprint(v.Value))
		}
	}
	if got := strings.Join(out, " "); got != "2026-12-17 07:30" {
		t.Errorf("%q: %s", in.Text, got)
	}
}

// TestDaysOfOneMonth: a bare day is in the month of the day that was said before it.
func TestDaysOfOneMonth(t *testing.T) {
	checkTimes(t, []timeCase{
		{"day", "march 2, no, the 3rd", "day", "2027-03-02 2027-03-03"},
		{"day", "march 28, or rather the 27th", "day", "2027-03-28 2027-03-27"},
		{"moment", "march 2 at 7pm, no, the 3rd at 8pm", "moment", "2027-03-02T19:00:00 2027-03-03T20:00:00"},
		{"day", "tomorrow or the 3rd", "day", "2026-11-23 2026-12-03"},
		{"day", "november 25 or the 3rd", "day", "2026-11-25 2026-12-03"},
		{"day", "the 3rd or march 2", "day", "2026-12-03 2027-03-02"},
	})
}
