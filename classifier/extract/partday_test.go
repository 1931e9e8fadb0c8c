package extract

import (
	"testing"
	"time"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/config"
)

// sunday is a Sunday morning.
var sunday = time.Date(2026, 11, 22, 11, 30, 0, 0, time.UTC)

// bistro is an agent that books tables.
func bistro() *Extractor {
	a := &config.Agent{Params: map[string]*config.Param{}}
	for name, kind := range map[string]string{"day": "date", "hour": "time", "moment": "datetime", "guests": "integer"} {
		label := name
		if name == "guests" {
			label = "number of guests"
		}
		a.Params[name] = &config.Param{Name: name, Label: label, Type: &config.Type{Name: name, Builtin: kind}}
	}
	return New(a, nil)
}

type timeCase struct{ asked, text, param, want string }

func checkTimes(t *testing.T, cases []timeCase) {
	t.Helper()
	x := bistro()
	for _, tc := range cases {
		in := classifier.Input{Text: tc.text, Now: sunday}
		if tc.asked != "" {
			in.Asked = &classifier.Asked{Param: tc.asked}
		}
		if got := heard(x, &in, tc.param); got != tc.want {
			t.Errorf("%q asked for %q: %s is %q, want %q", tc.text, tc.asked, tc.param, got, tc.want)
		}
	}
}

// TestPartsOfDaysAreDays: a part of today holds the day as well, and the half of the day of the
// times beside it; a bare number beside it is a time where no other one is said and it counts
// nobody.
func TestPartsOfDaysAreDays(t *testing.T) {
	checkTimes(t, []timeCase{
		{"", "table for 2 tonight at 9", "day", "2026-11-22"},
		{"", "table for 2 tonight at 9", "hour", "21:00"},
		{"", "table for 2 tonight at 9", "guests", "2"},
		{"", "table for 2 tonight at 9", "moment", "2026-11-22T21:00:00"},
		{"", "at 8 tonight", "day", "2026-11-22"},
		{"", "at 8 tonight", "hour", "20:00"},
		{"moment", "at 8 tonight", "moment", "2026-11-22T20:00:00"},
		{"", "eight tonight", "hour", "20:00"},
		{"", "table for 6 tonight", "hour", ""},
		{"", "table for 6 tonight", "guests", "6"},
		{"", "2 tonight at 9:30", "hour", "21:30"},
		{"", "tonight 9", "hour", "21:00"},
		{"", "tonight, a table for 4 at 8", "hour", "20:00"},
		{"", "tonight, a table for 4 at 8", "moment", "2026-11-22T20:00:00 2026-11-22T20:00:00"},
		{"", "friday evening for 4 at 8", "hour", "20:00"},
		{"", "at 9 friday night", "moment", "2026-11-27T21:00:00"},
		{"", "tonight at 12", "moment", "2026-11-23T00:00:00"},
		{"", "tonight at 12", "hour", "00:00"},
		{"", "this morning", "day", "2026-11-22"},
		{"", "this afternoon at 3", "moment", "2026-11-22T15:00:00"},
		{"day", "this evening", "day", "2026-11-22"},
		{"", "8 tomorrow night", "moment", "2026-11-23T20:00:00"},
		{"", "8 tomorrow night", "day", "2026-11-23"},
		{"", "tomorrow morning at 9", "moment", "2026-11-23T09:00:00"},
		{"", "it came last night", "day", "2026-11-21"},

		{"", "good evening, 5 tickets please", "hour", ""},
		{"", "good evening", "day", ""},
		{"", "the evening menu for 2", "day", ""},
		{"", "I called all this morning", "day", ""},
		{"", "this morning show at 8", "day", ""},
		{"", "this morning I read it, a table at 2", "hour", "14:00"},
		{"", "good morning, a table at 8", "day", ""},
	})
}

// TestThisWeekdayLiesAhead: a weekday of this week that is over is, for a param, the coming one.
func TestThisWeekdayLiesAhead(t *testing.T) {
	checkTimes(t, []timeCase{
		{"day", "this friday", "day", "2026-11-27"},
		{"", "this friday at 5", "moment", "2026-11-27T17:00:00"},
		{"", "friday this week", "day", "2026-11-27"},
		{"", "this coming friday", "day", "2026-11-27"},
		{"", "friday", "day", "2026-11-27"},
		{"", "this sunday", "day", "2026-11-22"},
		{"", "next friday", "day", "2026-11-27"},
		{"", "last friday", "day", "2026-11-13"},
		{"", "this past friday", "day", "2026-11-20"},
	})
	if e := Recognize("this friday", sunday, nil); len(e) != 1 || e[0].Value != "2026-11-20" {
		t.Errorf("the recogniser alone: %v", e)
	}
}

// TestHalvesOfNightsAndBefore: the night begins before midnight and goes on behind it; a part of the
// day says the half before a time as well as behind it.
func TestHalvesOfNightsAndBefore(t *testing.T) {
	checkTimes(t, []timeCase{
		{"", "pick me up at 8 in the night", "hour", "20:00"},
		{"", "at 12 at night please", "hour", "00:00"},
		{"", "at 2 at night please", "hour", "02:00"},
		{"", "11:30 at night", "hour", "23:30"},
		{"", "around evening 7:30", "hour", "19:30"},
		{"", "good evening, 7:30 please", "hour", "07:30"},
		{"", "what is the weather in Bonn on the 22nd?", "day", "2026-11-22"},
		{"", "what is the weather in Bonn on the 22nd of this month?", "day", "2026-11-22"},
	})
}

// TestStaysFromADay: what lasts from a day begins on it.
func TestStaysFromADay(t *testing.T) {
	checkTimes(t, []timeCase{
		{"", "a cabrio for two weeks from july 1st please", "day", "2027-07-01"},
		{"", "two weeks from july 1st", "day", "2027-07-15"},
		{"", "could we do the 12th at 2pm instead", "day", "2026-12-12"},
		{"", "the 12th customer at 2pm", "day", ""},
		{"", "see you two weeks from friday", "day", "2026-12-11"},
	})
}

// TestCountsThatAreAnswers: digits told one by one are one number, and "only one" counts, where one
// number is asked for.
func TestCountsThatAreAnswers(t *testing.T) {
	checkTimes(t, []timeCase{
		{"guests", "only one", "guests", "1"},
		{"guests", "just the one", "guests", "1"},
		{"guests", "1 2 0", "guests", "120"},
		{"guests", "2 3", "guests", "2 3"},
		{"", "is that the only one", "guests", ""},
	})
}
