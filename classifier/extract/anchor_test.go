package extract

import (
	"strings"
	"testing"
	"time"

	"github.com/slotway/slotway/classifier"
)

// A day is read with what it hangs on: tense, the clocks of the zone.
func TestAnchoredDays(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"I've been ill since 3 November", "2026-11-03"},
		{"since monday", "2026-11-16"},
		{"since the 5th", "2026-11-05"},
		{"last monday", "2026-11-09"},
		{"from 3 November", "2027-11-03"},
	} {
		x := New(rangeAgent("date"), nil)
		var got strings.Builder
		for _, v := range x.Extract(classifier.Input{Text: tc.text, Now: now, Asked: &classifier.Asked{Param: "date"}}, nil) {
			got.WriteString(v.Value.(string))
		}
		if got.String() != tc.want {
			t.Errorf("%q: %q, want %q", tc.text, got.String(), tc.want)
		}
	}
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	in := classifier.Input{Text: "tomorrow at 2:30 am", Now: time.Date(2026, 3, 28, 12, 0, 0, 0, berlin), Asked: &classifier.Asked{Param: "datetime"}}
	values, wrong := New(rangeAgent("datetime"), nil).ExtractAll(in, nil)
	if len(values) > 0 || len(wrong) == 0 {
		t.Errorf("a time that the clocks leap over: %v %v", values, wrong)
	}
}
