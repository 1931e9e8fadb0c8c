package extract

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/slotway/slotway/classifier"
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
func heardStay(x *Extractor, text string) string {
	said := map[string][]string{}
	for _, v := range x.Extract(classifier.Input{Text: text, Now: now}, nil) {
		said[v.Param] = append(said[v.Param], fmt.Sprint(v.Value))
	}
	return strings.Join(said["check_in"], ",") + " " + strings.Join(said["check_out"], ",") + " " + strings.Join(said["guests"], ",")
}

// TestTwoDaysOfATask: the ends of a range of days fill the two days of a task. A number has
// no part in it, nor has the day of another task.
func TestTwoDaysOfATask(t *testing.T) {
	x := New(stays(), nil)
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
		if got := heardStay(x, text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestDaysThatShareAMonth says every month in every form of a range of its days.
func TestDaysThatShareAMonth(t *testing.T) {
	x := New(stays(), nil)
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
				if got := heardStay(x, text); got != want {
					t.Errorf("%q: %q, want %q", text, got, want)
				}
			}
		}
	}
}

// TestLocalPhone: a number within its town is taken unasked where a param holds one, but not
// behind the noun of another number, and no area is made up for it.
func TestLocalPhone(t *testing.T) {
	with := New(&config.Agent{Params: map[string]*config.Param{"phone": {Name: "phone", Type: &config.Type{Name: "phone", Builtin: "phone"}}}}, &Options{Region: "US"})
	for text, want := range map[string]string{
		"555-1234": "5551234", "it's 555-1234": "5551234", "call me at 555 1234": "5551234", "Dev Patel, 555-0199": "5550199",
		"order 555-1234": "", "room 555-1234": "", "2019-2024": "", "100-2000 pieces": "",
	} {
		var got []string
		for _, v := range with.Extract(classifier.Input{Text: text, Now: now}, nil) {
			got = append(got, fmt.Sprint(v.Value))
		}
		if strings.Join(got, ",") != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	without := Recognize("it's 555-1234", now, &Options{Region: "US"})
	for _, e := range without {
		if e.Kind == "phone" {
			t.Errorf("no param holds a phone, and %q is one", e.Text)
		}
	}
}
