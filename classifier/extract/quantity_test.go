package extract

import (
	"fmt"
	"strings"
	"testing"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/config"
)

// inn is an agent whose params count people, nights and bags.
func inn() *config.Agent {
	a := &config.Agent{Params: map[string]*config.Param{}}
	for name, label := range map[string]string{"guests": "number of guests", "nights": "nights", "quantity": "how many"} {
		a.Params[name] = &config.Param{Name: name, Label: label, Type: &config.Type{Name: name, Builtin: "integer"}}
	}
	a.Params["address"] = &config.Param{Name: "address", Type: &config.Type{Name: "text", Builtin: "text"}}
	a.Params["room"] = &config.Param{Name: "room", Type: &config.Type{Name: "room", Fuzzy: 1, Values: []config.EnumValue{{Value: "single"}, {Value: "double"}, {Value: "suite"}}}}
	return a
}

// heard renders what a message says for one param: its values, a doubtful one with a mark.
func heard(x *Extractor, in *classifier.Input, param string) string {
	var out []string
	for _, v := range x.Extract(*in, nil) {
		if v.Param != param {
			continue
		}
		text := fmt.Sprint(v.Value)
		if v.Confidence < 0.5 {
			text += "?"
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}

type heardCase struct{ asked, text, param, want string }

func checkHeard(t *testing.T, x *Extractor, cases []heardCase) {
	t.Helper()
	for _, tc := range cases {
		in := classifier.Input{Text: tc.text, Now: now}
		if tc.asked != "" {
			in.Asked = &classifier.Asked{Param: tc.asked}
		}
		if got := heard(x, &in, tc.param); got != tc.want {
			t.Errorf("%q asked for %q: %s is %q, want %q", tc.text, tc.asked, tc.param, got, tc.want)
		}
	}
}

// TestNumbersAnnounced: a number is sure for a param only where its unit or its label is
// beside it, and the number of a house or a room is none at all.
func TestNumbersAnnounced(t *testing.T) {
	checkHeard(t, New(inn(), nil), []heardCase{
		{"", "a room for 3 nights", "nights", "3"},
		{"", "a room for 3 nights", "guests", ""},
		{"", "nights: 4", "nights", "4"},
		{"", "set nights to 4", "nights", "4"},
		{"", "12 guests please", "guests", "12"},
		{"", "we have 4 people", "guests", "4"},
		{"", "a table for 6 tomorrow", "guests", "6"},
		{"", "we waited 40 of them", "nights", "40?"},
		{"", "2 double", "quantity", "2"},
		{"", "2 blue ones", "quantity", "2?"},
		{"", "7", "quantity", "7"},
		{"quantity", "make that 7 of those", "quantity", "7"},
		{"quantity", "send 3 to 14 Pine Street", "quantity", "3"},
		{"", "we live at 12 Main St", "quantity", ""},
		{"", "it is 9 old mill road", "quantity", ""},
		{"quantity", "12 Main St", "quantity", ""},
		{"", "8 Elm, Springfield 73301", "quantity", ""},
		{"", "ship to Springfield 73301", "nights", ""},
		{"", "ring at number 14", "quantity", ""},
		{"", "apt 4", "quantity", ""},
		{"", "apt. 4", "quantity", ""},
		{"", "on floor 3", "guests", ""},
		{"", "I am in room 212", "nights", ""},
		{"", "O-5", "quantity", ""},
		{"", "#3", "quantity", ""},
		{"", "no 5", "quantity", "5?"},
		{"quantity", "number 3", "quantity", "3"},
		{"", "3 drive there", "quantity", "3?"},
		{"", "3-5", "quantity", ""},
		{"quantity", "-5", "quantity", "-5"},
		{"", "the 5th", "quantity", ""},
	})
}

// TestPeopleCounted: who comes is summed, and where the words leave it open there is no
// value, not even a part of it.
func TestPeopleCounted(t *testing.T) {
	x := New(inn(), nil)
	for _, tc := range []struct{ text, want string }{
		{"just me", "1"},
		{"it's only me", "1"},
		{"on my own", "1"},
		{"me and my partner", "2"},
		{"my sister and I", "2"},
		{"me, my husband and our three sons", "5"},
		{"me, my wife, her sister and both kids", "5"},
		{"me and my parents", "3"},
		{"the two of us", "2"},
		{"all four of us", "4"},
		{"we are seven", "7"},
		{"there'll be 3 of us", "3"},
		{"a couple", "2"},
		{"family of 5", "5"},
		{"1 adult and 2 kids", "3"},
		{"two adults, one teenager", "3"},
		{"me plus 3", "4"},
		{"myself and two others", "3"},
		{"me and the kids", ""},
		{"me and my dog", ""},
		{"me and my dog and 2 cats", ""},
		{"me and some friends, maybe 3", ""},
		{"2 adults and a baby", ""},
		{"me and everyone from work", ""},
		{"tell me", ""},
		{"it is me again", ""},
	} {
		in := classifier.Input{Text: tc.text, Now: now, Asked: &classifier.Asked{Param: "guests"}}
		if got := heard(x, &in, "guests"); got != tc.want {
			t.Errorf("%q: guests are %q, want %q", tc.text, got, tc.want)
		}
	}
	checkHeard(t, x, []heardCase{
		{"", "a room for me and my wife from friday", "guests", "2"},
		{"", "a room for 2 adults and 3 kids", "guests", "5"},
		{"", "my wife and I want a room", "guests", "2"},
		{"guests", "two people and I would like the suite", "guests", "2"},
		{"guests", "for my friend and I need it soon", "guests", ""},
		{"guests", "I bring 7 friends with me", "guests", "7"},
		{"guests", "me with two kids", "guests", "3"},
		{"", "is it just me or is the page slow", "guests", ""},
		{"", "give me and my wife a call", "guests", ""},
		{"nights", "me and my wife", "nights", ""},
		{"quantity", "the three of us", "quantity", "3"},
	})
	a := inn()
	a.Params["children"] = &config.Param{Name: "children", Type: &config.Type{Name: "children", Builtin: "integer"}}
	a.Params["adults"] = &config.Param{Name: "adults", Type: &config.Type{Name: "adults", Builtin: "integer"}}
	checkHeard(t, New(a, nil), []heardCase{
		{"", "2 adults and 3 children", "children", "3"},
		{"", "2 adults and 3 children", "adults", "2"},
	})
}
