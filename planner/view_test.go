package planner

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// busy is a state with everything in it that a view shows.
func busy() *State {
	return &State{
		Session: map[string]*paramCell{"email": {Value: "s-now", Prior: "s-before"}},
		Active: &frame{
			ID: "2.0", Intent: "track", Version: "v", Params: map[string]*paramCell{"parcel": {}}, Results: map[string]any{"list": 1.0},
			Done: map[string]mark{"a": markDone, "b": markPassed, "c": markElse, "d": markWrote}, Attempts: map[string]int{"parcel": 2},
		},
		Suspended: []*frame{
			{ID: "1.0", Intent: "badge", Params: map[string]*paramCell{"name": {Value: "n-1"}}, Kept: map[string]*paramCell{"email": {Value: "k-1"}}, Failed: "call.x"},
			{ID: "1.1", Intent: "later", Queued: true},
		},
		Open: &openQuestion{Kind: askChoice, Param: "parcel", Step: "choose.parcel", Options: []Option{{Value: "o-1", Label: "one"}, {Value: "o-2", Label: "two"}}},
	}
}

func TestView(t *testing.T) {
	got, err := json.Marshal(busy().View())
	if err != nil {
		t.Fatal(err)
	}
	want := `{"active":{"id":"2.0","intent":"track","step":"choose.parcel","version":"v","params":{"parcel":null},"results":{"list":1},` +
		`"done":{"a":true,"b":false,"c":false,"d":true},"attempts":{"parcel":2},"skipped":[],"answer":false},` +
		`"suspended":[{"id":"1.0","intent":"badge","step":"call.x","version":"","params":{"email":"k-1","name":"n-1"},"results":{},"done":{},"attempts":{},"skipped":[],"answer":false}],` +
		`"queued":[{"id":"1.1","intent":"later","step":null,"version":"","params":{},"results":{},"done":{},"attempts":{},"skipped":[],"answer":false}],` +
		`"question":{"kind":"choose","param":"parcel","step":"choose.parcel","tool":null,"options":[{"value":"o-1","label":"one"},{"value":"o-2","label":"two"}],"attempts":2}}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("View (-want +got)\n%s", diff)
	}
	if got, _ := json.Marshal(New().View()); string(got) != `{"active":null,"suspended":[],"queued":[],"question":null}` {
		t.Errorf("the view of nothing: %s", got)
	}
}

func TestEachValue(t *testing.T) {
	st := busy()
	var got []string
	note := func(param string, v any) { got = append(got, fmt.Sprint(param, "=", v)) }
	st.EachValue(note)
	st.Open = &openQuestion{Kind: askCorrect, Correct: "email", Options: []Option{{Value: "c-1"}}}
	st.Session, st.Suspended, st.Active = nil, nil, nil
	st.EachValue(note)
	slices.Sort(got)
	want := []string{"email=c-1", "email=k-1", "email=s-before", "email=s-now", "name=n-1", "parcel=o-1", "parcel=o-2"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("EachValue (-want +got)\n%s", diff)
	}
}

// Whatever a state remembers of values is found, or it could not be hidden.
func TestEachValueSeesAllThatIsKept(t *testing.T) {
	cells := func(v string) map[string]*paramCell { return map[string]*paramCell{"p": {Value: v}} }
	option := func(v string) []Option { return []Option{{Value: v, Label: v}} }
	st := &State{
		Session: cells("session"), Active: &frame{Params: cells("active"), Parked: cells("parked")},
		Suspended: []*frame{{Params: cells("suspended"), Kept: cells("kept")}},
		Declined:  &declinedConfirm{Frame: &frame{Params: cells("declined")}, Kept: cells("declined kept")},
		Ended:     &endedTask{Params: cells("ended")}, Offered: &offeredChoice{Param: "p", Options: option("offered")},
		Recent: map[string]any{"p": "recent"}, Halves: map[string]any{"p": "half"},
		Open: &openQuestion{Kind: askIntent, Said: "said", Behind: &openQuestion{Kind: askParam, Param: "p", Options: option("behind")}},
	}
	seen := map[any]bool{}
	st.EachValue(func(param string, v any) {
		if param != "p" {
			t.Errorf("%v is of %q", v, param)
		}
		seen[v] = true
	})
	for _, want := range []string{
		"session", "active", "parked", "suspended", "kept", "declined", "declined kept", "ended", "offered", "recent", "half", "said", "behind",
	} {
		if !seen[want] {
			t.Errorf("the value that is %s is not seen", want)
		}
	}
}
