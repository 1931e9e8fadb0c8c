package planner

import (
	"testing"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

func TestKin(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"deliver", "delivery", true},
		{"cancel", "cancellation", true},
		{"cancellation", "cancel", true},
		{"book", "book", true},
		{"book", "booking", false}, // too short to tell
		{"booking", "book", false},
		{"return", "refund", false},
	} {
		if got := kin(c.a, c.b); got != c.want {
			t.Errorf("kin(%s, %s) = %v", c.a, c.b, got)
		}
	}
}

func TestWishes(t *testing.T) {
	for said, want := range map[string]bool{
		"can i return it": true, "could you cancel it": true, "how do i return it": true, "so may we": true,
		"is it possible to return it": true, "possible is it": false, "is that possible": false, "is it late": false,
		"can they": false, "can": false, "": false, "how": false, "do they deliver": false,
	} {
		if got := wishes(wordsOf(said)); got != want {
			t.Errorf("wishes(%q) = %v", said, got)
		}
	}
}

// tripYAML has two params that the same words fit.
const tripYAML = `
version: 1
agent: {id: trips}
params:
  leave: {type: date, prompt: "Which day out?"}
  back: {type: date, prompt: "Which day back?"}
intents:
  - id: travel
    examples: [book a trip, i want to travel, go somewhere]
    params: {required: [leave, back]}
    plan:
      - confirm: "Book from {leave} to {back}?"
      - call: book
        with: {leave: $leave, back: $back}
      - respond: booked
tools:
  book: {kind: static, effect: write, result: true}
responses:
  booked: "Booked."
`

// days are what one day may be for.
func days(day, text string, cues map[string]message.Cues) []message.Value {
	var out []message.Value
	for _, name := range []string{"leave", "back"} {
		out = append(out, message.Value{Param: name, Value: day, Text: text, Source: "builtin", Confidence: 0.9, Cues: cues[name]})
	}
	return out
}

// A day that two params fit goes to the one that the words around it speak for.
func TestWhichOfTwoParams(t *testing.T) {
	def, err := config.Parse("trips.yaml", []byte(tripYAML), "")
	if err != nil {
		t.Fatal(err)
	}
	const march10, march12, march14 = "2026-03-10", "2026-03-12", "2026-03-14"
	begin := exchange{asks("travel"), "Which day out?", nil}
	on := func(text string, acts []message.Act, values ...message.Value) Understanding {
		return heard(piece{text: text, acts: acts, values: values})
	}
	full := func(then ...exchange) []exchange {
		return append([]exchange{
			begin,
			{on("march 10", nil, days(march10, "march 10", nil)...), "Which day back?", nil},
			{on("march 12", nil, days(march12, "march 12", nil)...), "Book from Tuesday, 10 March 2026 to Thursday, 12 March 2026?", nil},
		}, then...)
	}
	const fromTo14 = "Book from Tuesday, 10 March 2026 to Saturday, 14 March 2026?"
	talk(t, def, []spoken{
		{name: "the one that is asked for", turns: full()},
		{name: "its label", turns: full(exchange{
			on("back on march 14", nil, days(march14, "march 14", map[string]message.Cues{"back": message.CueLabel})...), "OK, back is now Saturday, 14 March 2026. " + fromTo14, nil,
		})},
		{name: "the one told last", turns: full(exchange{
			on("no, march 14", []message.Act{message.ActNo, message.ActCorrect}, days(march14, "march 14", nil)...), "OK, back is now Saturday, 14 March 2026. " + fromTo14, nil,
		})},
		{name: "in the place of the one denied", turns: full(exchange{
			on("not march 10 march 14", []message.Act{message.ActCorrect}, append(days(march10, "march 10", map[string]message.Cues{"leave": message.CueNegated, "back": message.CueNegated}), days(march14, "march 14", nil)...)...),
			"OK, leave is now Saturday, 14 March 2026. Book from Saturday, 14 March 2026 to Thursday, 12 March 2026?", nil,
		})},
	})
}

// Since when something has been so is no day to come.
func TestSaysSince(t *testing.T) {
	for _, c := range []struct {
		label, text string
		from        int
		source      string
		want        bool
	}{
		{"day", "ill since tuesday", 10, "builtin", true},
		{"day", "since tuesday", 6, "builtin", true},
		{"day", "on tuesday", 3, "builtin", false},
		{"day", "tuesday", 0, "builtin", false},
		{"day", "ill since tuesday", 10, "pattern", false},
		{"day it began", "ill since tuesday", 10, "builtin", false},
		{"start", "ill since tuesday", 10, "builtin", false},
	} {
		r := &interpreter{msg: Understanding{Text: c.text}, size: len(c.text)}
		if got := r.saysSince(&config.Param{Name: "d", Label: c.label}, message.Value{Start: c.from, Source: c.source}); got != c.want {
			t.Errorf("%q for %q: %v", c.text, c.label, got)
		}
	}
}
