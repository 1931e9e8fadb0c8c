package extract

import (
	"fmt"
	"strings"
	"testing"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/config"
)

// trip is an agent of one task with two days and a datetime.
func trip() *config.Agent {
	a := &config.Agent{Params: map[string]*config.Param{}}
	for name, kind := range map[string]string{"depart": "date", "return": "date", "pickup_at": "datetime", "deadline": "date", "seats": "integer"} {
		a.Params[name] = &config.Param{Name: name, Type: &config.Type{Name: name, Builtin: kind}}
	}
	p := a.Params
	a.Intents = []*config.Intent{{ID: "book", Required: []*config.Param{p["depart"], p["return"], p["seats"]}}, {ID: "ride", Required: []*config.Param{p["pickup_at"]}}, {ID: "file", Required: []*config.Param{p["deadline"]}}}
	return a
}

// told renders the values of a param and, in brackets, what was no value of it.
func told(x *Extractor, in *classifier.Input, param string) string {
	values, wrong := x.ExtractAll(*in, nil)
	var out []string
	for _, v := range values {
		if v.Param == param {
			out = append(out, fmt.Sprint(v.Value))
		}
	}
	for _, v := range wrong {
		if v.Param == param {
			out = append(out, fmt.Sprintf("[%s %v]", v.Wrong, v.Value))
		}
	}
	return strings.Join(out, " ")
}

// TestUnreadDays: a day beside a word that was not read is no value, and neither is one that
// contradicts itself; both are told apart.
func TestUnreadDays(t *testing.T) {
	x := New(trip(), nil)
	for _, tc := range []struct{ text, want string }{
		{"friday", "2026-11-20"},
		{"on the 5th", "2026-12-05"},
		{"by friday", "2026-11-20"},
		{"no later than friday", "2026-11-20"},
		{"the day before friday", "2026-11-19"},
		{"the friday before christmas", "2026-12-18"},
		{"monday after the 5th", "2026-12-07"},
		{"friday after lunch", "2026-11-20"},
		{"friday before 5pm", "2026-11-20"},
		{"wednesday the 25th of november", "2026-11-25"},
		{"wednesday, november 25", "2026-11-25"},
		{"november 25 (wed)", "2026-11-25"},
		{"friday, november 13", "2026-11-13"},
		{"november 25th", "2026-11-25"},
		{"next friday", "2026-11-27"},
		{"the last friday in may", "2027-05-28"},
		{"the first monday in november", "2027-11-01"},

		{"wednesday before that", "[modifier <nil>]"},
		{"the monday after", "[modifier <nil>]"},
		{"the monday after next", "[modifier <nil>]"},
		{"friday after my birthday", "[modifier <nil>]"},
		{"not before monday", "[modifier <nil>]"},
		{"no earlier than monday", "[modifier <nil>]"},
		{"after friday", "[modifier <nil>]"},
		{"the week before christmas", "[modifier <nil>]"},
		{"the week of the 5th", "[modifier <nil>]"},
		{"any day but friday", "[modifier <nil>]"},
		{"every friday", "[modifier <nil>]"},
		{"monday or later", "[modifier <nil>]"},
		{"monday the 25th of november", "[weekday 2026-11-25]"},
		{"monday, november 25 2026", "[weekday 2026-11-25]"},
		{"november 25, monday", "[weekday 2026-11-25] [modifier <nil>]"},
		{"feb 30", "[calendar <nil>]"},
		{"two days after my birthday", ""},
	} {
		in := classifier.Input{Text: tc.text, Now: now, Asked: &classifier.Asked{Param: "depart"}}
		if got := told(x, &in, "depart"); got != tc.want {
			t.Errorf("%q: depart is %q, want %q", tc.text, got, tc.want)
		}
	}
	if in := (classifier.Input{Text: "before friday", Now: now}); told(x, &in, "deadline") != "2026-11-20" {
		t.Error("a deadline is no day that something comes before")
	}
	if in := (classifier.Input{Text: "feb 30", Now: now}); told(x, &in, "seats") != "" {
		t.Error("30 of feb 30 counts something")
	}
}

// TestHalvesOfDatetimes: a day and a time that are said apart are put together.
func TestHalvesOfDatetimes(t *testing.T) {
	x := New(trip(), nil)
	for _, tc := range []struct{ known, text, want string }{
		{"", "tomorrow", "[half 2026-11-19]"},
		{"2026-11-19", "at 5", "2026-11-19T17:00:00"},
		{"2026-11-19", "half past nine", "2026-11-19T09:30:00"},
		{"2026-11-18", "at 9", "2026-11-18T21:00:00"},
		{"", "tomorrow would be fine, let us say at 5pm", "2026-11-19T17:00:00 2026-11-19T17:00:00"},
		{"", "at 5pm", "2026-11-18T17:00:00"},
		{"", "tomorrow at 5pm", "2026-11-19T17:00:00"},
		{"2026-11-24T17:00:00", "no, at 6pm", "2026-11-24T18:00:00"},
		{"2026-11-24T17:00:00", "friday instead", "2026-11-20T17:00:00"},
		{"2026-11-24T17:00:00", "friday at 3pm instead", "2026-11-20T15:00:00"},
		{"", "tomorrow or friday, at 5pm", "2026-11-20T17:00:00 [half 2026-11-19]"},
	} {
		in := classifier.Input{Text: tc.text, Now: now, Asked: &classifier.Asked{Param: "pickup_at"}}
		if tc.known != "" {
			in.Params = map[string]any{"pickup_at": tc.known}
		}
		if got := told(x, &in, "pickup_at"); got != tc.want {
			t.Errorf("%q after %q: %q, want %q", tc.text, tc.known, got, tc.want)
		}
	}
}
