package planner

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Whatever the dialogue itself has asked is asked again with the same choices.
func TestQuestionsOfTheDialogueArePutAgain(t *testing.T) {
	b := newBench(t)
	options := []Option{{Value: "status", Label: "a status"}, {Value: "price", Label: "a price"}}
	for kind, q := range map[questionKind]*openQuestion{
		askIntent:    {Kind: askIntent, Options: options, Said: "it", Behind: &openQuestion{Kind: askConfirm, Step: "s"}},
		askChoice:    {Kind: askChoice, Param: "order_id", Options: options},
		askHandoff:   {Kind: askHandoff},
		askChange:    {Kind: askChange},
		askCorrect:   {Kind: askCorrect, Correct: "order_id", Options: []Option{{Value: "O-2", Label: "O-2"}}},
		askResumeOne: {Kind: askResumeOne, Options: options},
	} {
		now := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
		st := New()
		st.Open, st.Person = q, &HandOver{Taken: true, Since: now.Add(-time.Hour), Turn: 2}
		q.Since = now.Add(-time.Hour)
		want := *q
		want.Since = now
		turn, err := Begin(b.def, st, TurnInput{Number: 3, Now: now, GivenBack: true})
		if err != nil {
			t.Fatal(err)
		}
		step := turn.Next(Outcome{})
		turn.Rest()
		prompt := ""
		switch s := step.(type) {
		case Choose:
			prompt = s.Prompt
		case Offer:
			prompt = s.Prompt
		}
		if prompt == "" {
			t.Errorf("%s: %#v", kind, step)
		}
		if want.Behind != nil && !want.Behind.Again {
			t.Errorf("%s: a yes to the confirmation behind it counts unasked", kind)
		}
		if diff := cmp.Diff(&want, turn.Open); diff != "" {
			t.Errorf("%s (-before +after):\n%s", kind, diff)
		}
	}
}

func TestKeepHandOver(t *testing.T) {
	held := json.RawMessage(`{"v":1,"turn":4,"person":{"taken":true,"by":"Ann","since":"2026-01-05T09:00:00Z","turn":4}}`)
	for name, c := range map[string]struct {
		plan, from, want string // the want as the planner writes it; "": as plan
	}{
		"nobody":               {`{"v":1,"turn":2}`, ``, ``},
		"nobody, no plan":      {``, ``, ``},
		"kept by a new plan":   {``, string(held), "Ann"},
		"kept":                 {`{"v":1,"turn":2}`, string(held), "Ann"},
		"the same":             {string(held), string(held), ""},
		"taken away":           {string(held), ``, "nobody"},
		"taken away by a plan": {string(held), `{"v":1,"turn":2}`, "nobody"},
	} {
		got, err := KeepHandOver(json.RawMessage(c.plan), json.RawMessage(c.from))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		st, err := Load(got, nil)
		switch {
		case err != nil:
			t.Errorf("%s: %v", name, err)
		case c.want == "" && string(got) != c.plan:
			t.Errorf("%s: %s", name, got)
		case c.want == "Ann" && (st.Held() == nil || st.Held().By != "Ann"), c.want == "nobody" && st.Person != nil:
			t.Errorf("%s: %+v", name, st.Person)
		}
	}
	for _, wrong := range []string{`{"v":9}`, `{`} {
		if _, err := KeepHandOver(json.RawMessage(wrong), held); err == nil {
			t.Errorf("%s is taken", wrong)
		}
		if _, err := KeepHandOver(nil, json.RawMessage(wrong)); err == nil {
			t.Errorf("a hand-over of %s is taken", wrong)
		}
	}
}
