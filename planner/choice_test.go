package planner

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/classifier/message"
)

// lists is a look-up that finds three orders, or the one that is named.
func lists(args map[string]any) Outcome {
	var rows []any
	for _, r := range [][2]string{{"O-1", "blanket"}, {"O-2", "lamp"}, {"O-3", "lampshade"}} {
		if args["order_id"] == nil || args["order_id"] == r[0] {
			rows = append(rows, map[string]any{"id": r[0], "what": r[1], "state": "open"})
		}
	}
	return Outcome{Value: rows}
}

// What points at what was offered, and what is made of it.
func TestWhatIsChosen(t *testing.T) {
	def := agentWith(t, "  - id: price\n", `  - id: drop_one
    examples: [drop one of mine, drop one, get rid of one]
    params: {one_of: [[order_id], [email]]}
    plan:
      - call: find
        with: {order_id: $order_id, email: $email}
        save: orders
      - choose: order_id
        from: $orders
        label: "{id} {what}"
        when: len(orders) > 1
      - confirm: "Drop {order_id}?"
      - call: drop
        with: {order_id: $order_id}
      - respond: dropped
  - id: price
`)
	words := func(text string, acts ...message.Act) Understanding { return heard(piece{text: text, acts: acts}) }
	const which, noneOf = "Which one do you mean: O-1 blanket, O-2 lamp or O-3 lampshade?", "Then I can't find it here. Shall I get a colleague?"
	for name, c := range map[string]struct {
		say  []Understanding
		want []string
	}{
		"by its label":         {[]Understanding{words("O-2 lamp")}, []string{"Drop O-2?"}},
		"by a word of it":      {[]Understanding{words("the blanket", message.ActChoose)}, []string{"Drop O-1?"}},
		"by the end of a word": {[]Understanding{words("blankets please")}, []string{"Drop O-1?"}},
		"none":                 {[]Understanding{words("none of them", message.ActChoose)}, []string{noneOf}},
		"neither":              {[]Understanding{words("neither")}, []string{noneOf}},
		"all":                  {[]Understanding{words("all of them", message.ActChoose)}, []string{"One after the other: first O-1 blanket. Drop O-1?"}},
		"not that one":         {[]Understanding{words("not the blanket", message.ActChoose)}, []string{"Which one do you mean: O-2 lamp or O-3 lampshade?"}},
		"not all of them":      {[]Understanding{words("not all")}, []string{"That isn't one of the choices. They are: O-1 blanket, O-2 lamp or O-3 lampshade."}},
		"a question": {
			[]Understanding{heard(piece{text: "is the blanket blue", acts: []message.Act{message.ActQuestion}, mark: '?'})}, []string{"I don't know more about that. " + which},
		},
		"another one by its word": {
			[]Understanding{words("the blanket"), words("no, the lampshade", message.ActNo, message.ActCorrect)}, []string{"Drop O-1?", "OK, order id is now O-3. Drop O-3?"},
		},
		"another one by its place": {
			[]Understanding{words("the blanket"), words("no, the second", message.ActNo)}, []string{"Drop O-1?", "OK, order id is now O-2. Drop O-2?"},
		},
		"the last": {
			[]Understanding{words("the blanket"), words("just the last")}, []string{"Drop O-1?", "OK, order id is now O-3. Drop O-3?"},
		},
		"a place that there is not": {
			[]Understanding{words("the blanket"), words("no, the fourth", message.ActNo)}, []string{"Drop O-1?", "OK, I'm leaving that undone. What should be different, or shall we drop it?"},
		},
		"the same again": {
			[]Understanding{words("the blanket"), words("just the blanket")}, []string{"Drop O-1?", "Please answer with yes or no. Drop O-1?"},
		},
		"one by one": {
			[]Understanding{words("all of them", message.ActChoose), does("affirm"), does("affirm"), does("affirm")},
			[]string{"One after the other: first O-1 blanket. Drop O-1?", "Dropped O-1. Drop O-2?", "Dropped O-2. Drop O-3?", "Dropped O-3."},
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.def = def
			works := b.tool
			b.tool = func(c ToolCall) Outcome {
				if c.Tool == "find" {
					return lists(c.Args)
				}
				return works(c)
			}
			if got := b.say(asks("drop_one", mail("a@b.example"))); got != which {
				t.Fatalf("%q, want the choice", got)
			}
			var got []string
			for _, h := range c.say {
				got = append(got, b.say(h))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", strings.TrimSpace(diff))
			}
		})
	}
}

// "None of these" to an offer that is no choice for the task under way.
func TestNoneOfWhatIsOffered(t *testing.T) {
	none := heard(piece{text: "none of these", acts: []message.Act{message.ActChoose}})
	near := heard(piece{text: "something old and odd", tasks: []message.Score{{Intent: "status", Confidence: 0.9}, {Intent: "call_off", Confidence: 0.89}}})
	def := agentWith(t, "intents:\n", "policy: {digression: ask}\nintents:\n")
	const offered = "Which of these do you mean: status or call off?"
	talk(t, def, []spoken{
		{name: "of two tasks", turns: []exchange{{near, offered, nil}, {none, "Then please tell me in other words what I can do for you.", nil}}},
		{name: "both tasks", turns: []exchange{
			{near, offered, nil},
			{heard(piece{text: "both", acts: []message.Act{message.ActChoose}}), "One after the other: first status. Which order?", nil},
			{tells(order("O-1")), "O-1 is open. Any note?", []string{"exists", "find"}},
		}},
		{name: "of a task to go on with", turns: []exchange{
			{asks("call_off", order("O-1")), "Any note?", []string{"exists"}},
			{asks("status"), "O-1 is open. Shall we go on with this: call off?", []string{"find"}},
			{none, "OK, I've stopped that.", nil},
			{does("resume"), "There's nothing to go back to.", nil},
		}},
	})
}
