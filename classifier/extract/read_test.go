package extract

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/slotway/slotway/config"
)

func TestRead(t *testing.T) {
	ps := map[string]*config.Param{
		"shade": {Name: "shade", Type: &config.Type{Name: "shade", Fuzzy: 1, Values: []config.EnumValue{
			{Value: "dark blue", Synonyms: []string{"navy"}}, {Value: "dark brown"}, {Value: "turquoise"},
		}}},
	}
	ps["place"] = &config.Param{Name: "place", Type: &config.Type{Name: "place", Values: []config.EnumValue{{Value: "by the window"}, {Value: "garden terrace"}}}}
	for _, name := range []string{"text", "person", "location", "integer", "date", "time", "money", "email", "datetime", "daterange", "duration", "number", "boolean"} {
		ps[name] = &config.Param{Name: name, Type: &config.Type{Name: name, Builtin: name}}
	}
	ps["ticket"] = &config.Param{Name: "ticket", Shape: "code", Type: ps["text"].Type}
	ps["lost_on"] = &config.Param{Name: "lost_on", Type: ps["date"].Type}
	x := New(&config.Agent{Params: ps}, nil)
	for _, tc := range []struct {
		param, text string
		want        any // nil: no value
	}{
		{"text", " Four Oaks Cinema ", "Four Oaks Cinema"},
		{"person", "a man called Horse", "a man called Horse"},
		{"location", "the old town", "the old town"},
		{"integer", "five of us", 5.0},
		{"integer", "2 adults and 3 kids", nil},
		{"integer", "us all", nil},
		{"date", "march 5th", "2027-03-05"},
		{"date", "some day", nil},
		{"time", "half past seven in the morning", "07:30"},
		{"money", "twenty", "20.00 USD"},
		{"email", "nowhere", nil},
		{"shade", "navy", "dark blue"},
		{"shade", "turqoise", "turquoise"},
		{"shade", "a dark one", nil}, // blue or brown
		{"place", "by the door", nil},
		{"place", "out on the terrace", "garden terrace"},
		{"shade", "anything blue", "dark blue"},
		{"shade", "navy or turquoise", nil},
		{"shade", "yellow", nil},
		{"text", "  ", nil},
		{"ticket", "em tee double eight", "MT88"},
		{"ticket", "b as in berlin oh four one hundred", "B04100"},
		{"ticket", "k 71", "k 71"}, // as it was typed
		{"ticket", "i have two", "i have two"},
		{"text", "k seventy one", "k seventy one"}, // no code
		{"lost_on", "monday", "2026-11-16"},
		{"date", "monday week", "2026-11-30"},
		{"datetime", "friday half three", "2026-11-20T15:30:00"},
		{"daterange", "from the 5th of april to the twelfth", "2027-04-05/2027-04-12"},
		{"daterange", "from the twelfth to the 3rd", "2026-12-12/2027-01-03"},
		{"daterange", "july to september", "2027-07-01/2027-09-30"},
		{"daterange", "saturday and sunday", "2026-11-21/2026-11-22"},
		{"daterange", "the third option", nil},
		{"time", "half an hour before midnight", "23:30"},
		{"time", "ten to nine", "08:50"},
		{"duration", "an hour and twenty", "PT1H20M"},
		{"duration", "3/4 of an hour", "PT45M"},
		{"integer", "the third", 3.0},
		{"integer", "the third one is broken", nil},
		{"number", "a metre and a half", 1.5},
		{"number", "40cm", 40.0},
		{"money", "five thousand, in pounds", "5000.00 GBP"},
		{"boolean", "a dog, yeah", true},
		{"boolean", "is that a yes", nil},
		{"boolean", "forget it", nil},
		{"boolean", "not needed", false},
		{"unknown", "x", nil},
	} {
		got, ok := x.Read(tc.param, tc.text, now)
		if diff := cmp.Diff(tc.want, got); diff != "" || ok != (tc.want != nil) {
			t.Errorf("Read(%s, %q) = %v, %v (-want +got):\n%s", tc.param, tc.text, got, ok, diff)
		}
	}
	if !x.Open("location") || x.Open("shade") || x.Open("integer") || x.Open("unknown") {
		t.Error("only text, people and places are open")
	}
}
