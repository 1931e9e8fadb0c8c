package extract

import (
	"testing"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/config"
)

func menu() *config.Agent {
	values := func(list ...string) []config.EnumValue {
		var out []config.EnumValue
		for _, v := range list {
			out = append(out, config.EnumValue{Value: v})
		}
		return out
	}
	a := &config.Agent{Params: map[string]*config.Param{}}
	for name, t := range map[string]*config.Type{
		"level":  {Fuzzy: 1, Values: values("low", "normal", "high", "critical")},
		"flavor": {Fuzzy: 1, Values: values("vanilla", "strawberry", "pistachio")},
		"exact":  {Values: values("alpha", "omega")},
		"gift":   {Values: values("yes", "no")},
		"count":  {Builtin: "integer"},
	} {
		t.Name = name
		a.Params[name] = &config.Param{Name: name, Type: t}
	}
	return a
}

// TestEnumerationsAsTyped: a value is found in the spellings of haste, and by its place
// among the values while it is asked for.
func TestEnumerationsAsTyped(t *testing.T) {
	checkHeard(t, New(menu(), nil), []heardCase{
		{"level", "high please", "level", "high"},
		{"level", "normal i guess", "level", "normal"},
		{"level", "HIGHHH", "level", "high"},
		{"", "strawbery pistacchio", "flavor", "strawberry pistachio"},
		{"", "a vaniiiilla one", "flavor", "vanilla"},
		{"", "alphaaaa", "exact", "alpha"},
		{"level", "low or high?", "level", "low high"},
		{"level", "the second one", "level", "normal"},
		{"level", "first", "level", "low"},
		{"level", "ok, number 3 please", "level", "high"},
		{"level", "#4", "level", "critical"},
		{"level", "the last one", "level", "critical"},
		{"level", "the first and the third", "level", "low high"},

		{"", "the second one", "level", ""},
		{"level", "2", "level", ""},
		{"level", "two", "level", ""},
		{"level", "not the first", "level", ""},
		{"level", "number 9", "level", ""},
		{"level", "the second of may", "level", ""},
		{"level", "first I want to know the price", "level", ""},
		{"level", "that is the second time", "level", ""},
		{"count", "the second one", "level", ""},
		{"gift", "the first one", "gift", ""},
		{"", "alfa", "exact", ""},
		{"", "so hiiigh", "level", "high"},
		{"level", "hi", "level", ""},
	})
}

// TestTails: the last figures of an id choose it among what is offered.
func TestTails(t *testing.T) {
	offered := []classifier.Option{{Value: "O-20075", Label: "O-20075, boots"}, {Value: "O-20297", Label: "O-20297, shelf (2025)"}, {Value: "O-31175", Label: "O-31175"}}
	x := New(desk(), nil)
	for _, tc := range []struct{ text, want string }{
		{"the one ending in 297", "O-20297"},
		{"297", "O-20297"},
		{"it ends with two nine seven", "O-20297"},
		{"...075", "O-20075"},
		{"175 please", "O-31175"},
		{"75", ""},
		{"7", ""},
		{"299", ""},
	} {
		in := classifier.Input{Text: tc.text, Now: now, Asked: &classifier.Asked{Param: "parcel_id", Options: offered}}
		got := ""
		for _, v := range x.Extract(in, nil) {
			if v.Source == "option" {
				got, _ = v.Value.(string)
			}
		}
		if got != tc.want {
			t.Errorf("%q chooses %q, want %q", tc.text, got, tc.want)
		}
	}
}
