package cascade

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// stays is an agent with two days and a number in one task, and a day in another.
func stays() *config.Agent {
	p := func(name, label, kind string) *config.Param {
		return &config.Param{Name: name, Label: label, Type: &config.Type{Name: kind, Builtin: kind}}
	}
	in, out, guests, day := p("check_in", "check-in date", "date"), p("check_out", "check-out date", "date"), p("guests", "number of guests", "integer"), p("report_day", "day of the report", "date")
	return &config.Agent{
		Params:  map[string]*config.Param{"check_in": in, "check_out": out, "guests": guests, "report_day": day},
		Intents: []*config.Intent{{ID: "book", Required: []*config.Param{in, out, guests}}, {ID: "report", Required: []*config.Param{day}}},
	}
}

// heardStay is what a message says of a stay: check-in, check-out and guests.
func heardStay(t *testing.T, c *Classifier, text string) string {
	found := map[string][]string{}
	for _, v := range said(t, c, classifier.Input{Text: text, Now: now}) {
		found[v.Param] = append(found[v.Param], fmt.Sprint(v.Value))
	}
	return strings.Join(found["check_in"], ",") + " " + strings.Join(found["check_out"], ",") + " " + strings.Join(found["guests"], ",")
}

// TestTwoDaysOfATask: the ends of a range of days fill the two days of a task. A number has
// no part in it, nor has the day of another task.
func TestTwoDaysOfATask(t *testing.T) {
	c := made(t, stays())
	for text, want := range map[string]string{
		"from monday to friday":                           "2026-11-23 2026-11-27 ",
		"from monday to friday next week":                 "2026-11-23 2026-11-27 ",
		"from 28/1 to 3/2":                                "2027-01-28 2027-02-03 ",
		"from 3/2 to 28/2":                                "2027-02-03 2027-02-28 ",
		"from 5 to 9 next month":                          "2026-12-05 2026-12-09 ",
		"from 20 dec to 3 jan":                            "2026-12-20 2027-01-03 ",
		"from february 2 to the 5th":                      "2027-02-02 2027-02-05 ",
		"a room for 2 from 3 to 5 june":                   "2027-06-03 2027-06-05 2",
		"june 3 - june 5 for 4 people":                    "2027-06-03 2027-06-05 4",
		"from 2 to 3":                                     "  2,3",
		"2 to 5 people":                                   "  2,5",
		"check in 2 february, check out 5 february for 2": "2027-02-02 2027-02-05 2",
	} {
		if got := heardStay(t, c, text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestDaysThatShareAMonth says every month in every form of a range of its days.
func TestDaysThatShareAMonth(t *testing.T) {
	c := made(t, stays())
	forms := []string{
		"from %[1]d to %[2]d %[3]s", "%[1]d to %[2]d %[3]s", "%[1]d-%[2]d %[3]s", "between %[1]d and %[2]d %[3]s", "from the %[1]dth to the %[2]dth of %[3]s",
		"%[3]s %[1]d to %[2]d", "%[3]s %[1]dth until %[2]dth", "book a room from %[1]d to %[2]d %[3]s",
	}
	for m := time.January; m <= time.December; m++ {
		for _, form := range forms {
			for _, year := range []string{"", " 2028"} {
				name := m.String()
				text := fmt.Sprintf(form, 4, 16, name) + year
				y := now.Year()
				if m < now.Month() {
					y++
				}
				if m == now.Month() {
					y++ // the 4th is past
				}
				if year != "" {
					y = 2028
				}
				want := fmt.Sprintf("%d-%02d-04 %d-%02d-16 ", y, m, y, m)
				if got := heardStay(t, c, text); got != want {
					t.Errorf("%q: %q, want %q", text, got, want)
				}
			}
		}
	}
}

// made is the classifier of an agent.
func made(t *testing.T, agent *config.Agent) *Classifier {
	t.Helper()
	c, err := New(agent, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// said are the values of a message.
func said(t *testing.T, c *Classifier, in classifier.Input) []message.Value {
	t.Helper()
	r, err := c.Classify(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return r.Params
}

// trip is an agent with two days of one task, and moments and days of others.
func trip() *config.Agent {
	a := &config.Agent{Params: map[string]*config.Param{}}
	for name, kind := range map[string]string{"depart": "date", "return": "date", "pickup_at": "datetime", "deadline": "date", "seats": "integer"} {
		a.Params[name] = &config.Param{Name: name, Type: &config.Type{Name: kind, Builtin: kind}}
	}
	p := a.Params
	a.Intents = []*config.Intent{{ID: "book", Required: []*config.Param{p["depart"], p["return"], p["seats"]}}, {ID: "ride", Required: []*config.Param{p["pickup_at"]}}, {ID: "file", Required: []*config.Param{p["deadline"]}}}
	return a
}

// lastOf is the last value of a param.
func lastOf(t *testing.T, c *Classifier, in classifier.Input, param string) (last string) {
	for _, v := range said(t, c, in) {
		if v.Param == param {
			last = fmt.Sprint(v.Value)
		}
	}
	return last
}

// TestLaterDays: a day without its week, month or year lies behind the day with which its task begins.
func TestLaterDays(t *testing.T) {
	c := made(t, trip())
	for _, tc := range []struct{ depart, text, want string }{
		{"", "next tuesday returning thursday", "2026-11-26"},
		{"", "leave on the 25th, return on the 3rd", "2026-12-03"},
		{"2026-12-10", "return friday", "2026-12-11"},
		{"2026-12-10", "returning on the 5th", "2027-01-05"},
		{"2026-12-10", "return next friday", "2026-11-27"},
		{"2026-12-10", "return tomorrow", "2026-11-19"},
		{"2026-12-10", "return 2026-12-01", "2026-12-01"},
		{"2026-11-19", "return friday", "2026-11-20"},
		{"2026-12-01", "two days later", "2026-12-03"},
		{"2026-12-01", "two days after that", "2026-12-03"},
	} {
		in := classifier.Input{Text: tc.text, Now: now, Asked: &classifier.Asked{Param: "return"}, Active: "book"}
		if tc.depart != "" {
			in.Params = map[string]any{"depart": tc.depart}
		}
		if got := lastOf(t, c, in, "return"); got != tc.want {
			t.Errorf("%q after %q: return is %q, want %q", tc.text, tc.depart, got, tc.want)
		}
	}
	in := classifier.Input{Text: "no, friday", Now: now, Active: "book", Filled: []string{"depart", "return"}, Params: map[string]any{"depart": "2026-12-10", "return": "2026-12-20"}}
	if got := lastOf(t, c, in, "return"); got != "2026-12-11" {
		t.Errorf("a correction of the return is %q", got)
	}
	if got := lastOf(t, c, in, "depart"); got != "2026-11-20" {
		t.Errorf("a correction of the departure is %q", got)
	}
}

// TestWhichOfTwoDays: the words around a day or a time tell which of two params it is for.
func TestWhichOfTwoDays(t *testing.T) {
	day, clock := &config.Type{Name: "date", Builtin: "date"}, &config.Type{Name: "time", Builtin: "time"}
	p := func(name string, of *config.Type) *config.Param { return &config.Param{Name: name, Type: of} }
	agent := &config.Agent{Intents: []*config.Intent{{ID: "stay", Required: []*config.Param{p("check_in_date", day), p("check_out_date", day), p("pickup_time", clock), p("return_time", clock)}}}}
	c := made(t, agent)
	for _, tc := range []struct{ asked, text, want string }{
		{"", "check in on the 20th and check out on the 22nd", "check_in_date=2026-11-20 check_out_date=2026-11-22"},
		{"check_in_date", "I check out on Nov 22, checking in next Tuesday", "check_out_date=2026-11-22 check_in_date=2026-11-24"},
		{"check_out_date", "checking in friday", "check_in_date=2026-11-20"},
		{"check_in_date", "from friday until the 22nd of this month", "check_in_date=2026-11-20 check_out_date=2026-11-22"},
		{"", "Nov 20 to Nov 22", "check_in_date=2026-11-20 check_out_date=2026-11-22"},
		{"", "on friday", "check_in_date=2026-11-20"},
		{"check_in_date", "friday", "check_in_date=2026-11-20 check_out_date=2026-11-20"},
		{"", "pick it up at 3pm, return at 5pm", "pickup_time=15:00 return_time=17:00"},
		{"", "picking up at 3pm and returning it at 5pm", "pickup_time=15:00 return_time=17:00"},
		{"", "at 5pm to the shop", "pickup_time=17:00"},
	} {
		in := classifier.Input{Text: tc.text, Now: now}
		if tc.asked != "" {
			in.Asked = &classifier.Asked{Param: tc.asked}
		}
		var got []string
		for _, v := range said(t, c, in) {
			got = append(got, fmt.Sprintf("%s=%v", v.Param, v.Value))
		}
		if have := strings.Join(got, " "); have != tc.want {
			t.Errorf("%q, asked %q: %s, want %s", tc.text, tc.asked, have, tc.want)
		}
	}
}

// TestTwoEndsOfAWay: of two places each goes to its own param, whichever was asked for.
func TestTwoEndsOfAWay(t *testing.T) {
	place := &config.Type{Name: "location", Builtin: "location"}
	p := func(name string) *config.Param { return &config.Param{Name: name, Label: name, Type: place} }
	c := made(t, &config.Agent{Intents: []*config.Intent{{ID: "ride", Required: []*config.Param{p("origin"), p("destination")}}}})
	for _, tc := range []struct{ asked, text, want string }{
		{"", "a train from Bath to Stoke upon Trent, sit in Coach", "origin=Bath destination=Stoke upon Trent"},
		{"", "I want to go to Oslo", "destination=Oslo"},
		{"", "leaving from Lyon", "origin=Lyon"},
		{"", "I need a room in Paris", ""},
		{"origin", "Paris to Rome", "origin=Paris destination=Rome"},
		{"origin", "Paris -> Rome", "origin=Paris destination=Rome"},
		{"origin", "to Rome", "destination=Rome"},
		{"destination", "from Rome", "origin=Rome"},
		{"destination", "to Rome", "destination=Rome"},
		{"origin", "Lyon", "origin=Lyon"},
	} {
		in := classifier.Input{Text: tc.text, Now: now, Active: "ride"}
		if tc.asked != "" {
			in.Asked = &classifier.Asked{Param: tc.asked}
		}
		var got []string
		for _, v := range said(t, c, in) {
			got = append(got, fmt.Sprintf("%s=%v", v.Param, v.Value))
		}
		if have := strings.Join(got, " "); have != tc.want {
			t.Errorf("%q, asked %q: %s, want %s", tc.text, tc.asked, have, tc.want)
		}
	}
}
