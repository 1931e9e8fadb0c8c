package extract

import (
	"testing"

	"github.com/slotway/slotway/classifier"
)

// TestNumbersAnswerForTimes: a number is a time where one is asked for and it stands as the
// answer; so are shapes that are a time nowhere else.
func TestNumbersAnswerForTimes(t *testing.T) {
	checkTimes(t, []timeCase{
		{"hour", "7", "hour", "07:00"},
		{"hour", "maybe 7", "hour", "07:00"},
		{"hour", "say 7?", "hour", "07:00"},
		{"hour", "7 sharp", "hour", "07:00"},
		{"hour", "7 would be best", "hour", "07:00"},
		{"hour", "8 for 4 people", "hour", "08:00"},
		{"hour", "8 tomorrow", "hour", "08:00"},
		{"hour", "nine or ten", "hour", "09:00 10:00"},
		{"hour", "7:30, no, 8", "hour", "07:30 08:00"},
		{"hour", "7 or 7.30", "hour", "07:00 07:30"},
		{"hour", "twenty two", "hour", "22:00"},
		{"hour", "18.30", "hour", "18:30"},
		{"hour", "18h30", "hour", "18:30"},
		{"hour", "18h please", "hour", "18:00"},
		{"moment", "18.30", "moment", "2026-11-22T18:30:00"},
		{"hour", "half seven", "hour", "07:30"},
		{"hour", "half eight in the evening", "hour", "20:30"},
		{"", "a table at half seven", "hour", "07:30"},
		{"hour", "7ish", "hour", "07:00"},
		{"", "around sevenish", "hour", "07:00"},
		{"hour", "7:30-ish", "hour", "07:30"},
		{"hour", "seven thirty works for us", "hour", "07:30"},
		{"hour", "7 30", "hour", "07:30"},

		{"hour", "three vegetarians and one halal", "hour", ""},
		{"hour", "8 people", "hour", ""},
		{"hour", "i need 2 chairs", "hour", ""},
		{"hour", "two of us at 7", "hour", "07:00"},
		{"hour", "2, at 7", "hour", "07:00"},
		{"hour", "room 7", "hour", ""},
		{"hour", "half a dozen", "hour", ""},
		{"hour", "it costs 6.45 euros", "hour", ""},
		{"hour", "at 7 for 2h", "hour", "07:00"},
		{"hour", "10ish people", "hour", ""},
		{"", "18.30", "hour", ""},
		{"", "half seven", "hour", ""},
		{"moment", "7", "moment", ""},
		{"moment", "12.11", "moment", ""},
	})
}

// TestNumbersAnswerForTheOtherHalf: where the day of a datetime is known, a bare number is its
// time.
func TestNumbersAnswerForTheOtherHalf(t *testing.T) {
	x := bistro()
	for text, want := range map[string]string{
		"19": "2026-11-25T19:00:00", "18.30": "2026-11-25T18:30:00", "2 please": "2026-11-25T14:00:00", "7 people": "",
	} {
		in := classifier.Input{Text: text, Now: sunday, Asked: &classifier.Asked{Param: "moment"}, Params: map[string]any{"moment": "2026-11-25"}}
		if got := heard(x, &in, "moment"); got != want {
			t.Errorf("%q behind a day: %q, want %q", text, got, want)
		}
	}
}
