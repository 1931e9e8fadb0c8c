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
	for _, name := range []string{"text", "person", "location", "integer", "date", "time", "money", "email"} {
		ps[name] = &config.Param{Name: name, Type: &config.Type{Name: name, Builtin: name}}
	}
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
		{"shade", "turcuoiz", "turquoise"}, // the nearest, though no typo
		{"shade", "dark b", nil},           // as near to brown
		{"shade", "navy or turquoise", nil},
		{"shade", "yellow", nil},
		{"text", "  ", nil},
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
