package planner

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// exchange is one turn of a table: what is heard, and what must be said and called.
type exchange struct {
	heard Understanding
	want  string
	calls []string
}

func TestDialogues(t *testing.T) {
	gibberish := Understanding{Text: "blub", Intent: "price", Confidence: 0.1}
	skip, yes, no := does("skip"), does("affirm"), does("deny")
	for _, tc := range []struct {
		name  string
		turns []exchange
	}{
		{"ask, then answer", []exchange{
			{asks("status"), "Which order?", nil},
			{tells(order("O-1")), "O-1 is open.", []string{"exists", "find"}},
		}},
		{"the value comes with the question", []exchange{
			{asks("status", order("O-1")), "O-1 is open.", []string{"exists", "find"}},
		}},
		{"unread replies get the reprompts in turn, then an offer", []exchange{
			{asks("status"), "Which order?", nil},
			{gibberish, "I need an order like O-1.", nil},
			{gibberish, "Just the number, please.", nil},
			{gibberish, "I'm not getting anywhere with this. Shall I get a colleague, or cancel?", nil},
			{yes, "I'll hand you over to a colleague.", nil},
		}},
		{"help does not count as an attempt", []exchange{
			{asks("status"), "Which order?", nil},
			{does("help"), "It is on your receipt. Which order?", nil},
			{does("help"), "It is on your receipt. Which order?", nil},
			{does("help"), "It is on your receipt. Which order?", nil},
			{tells(order("O-1")), "O-1 is open.", []string{"exists", "find"}},
		}},
		{"an answer in passing keeps the question", []exchange{
			{asks("status"), "Which order?", nil},
			{asks("price"), "It is free. Which order?", nil},
			{tells(order("O-1")), "O-1 is open.", []string{"exists", "find"}},
		}},
		{"a write runs after a yes, once", []exchange{
			{asks("call_off", order("O-1")), "Any note?", []string{"exists"}},
			{skip, "Cancel O-1?", []string{"get"}},
			{yes, "Dropped O-1.", []string{"drop"}},
			{yes, "Sorry, I didn't understand that. Could you say it another way?", nil},
		}},
		{"a no keeps things as they are", []exchange{
			{asks("call_off", order("O-1")), "Any note?", []string{"exists"}},
			{skip, "Cancel O-1?", []string{"get"}},
			{no, "Kept.", nil},
		}},
		{"no, and another order: corrected, looked up and asked anew", []exchange{
			{asks("call_off", order("O-1")), "Any note?", []string{"exists"}},
			{skip, "Cancel O-1?", []string{"get"}},
			{Understanding{Text: "no, O-2", Lead: "deny", Values: []message.Value{order("O-2")}}, "OK, order id is now O-2. Cancel O-2?", []string{"exists", "get"}},
			{yes, "Dropped O-2.", []string{"drop"}},
		}},
		{"yes, and a question: the answer, then the question again", []exchange{
			{asks("call_off", order("O-1")), "Any note?", []string{"exists"}},
			{skip, "Cancel O-1?", []string{"get"}},
			{Understanding{Text: "yes, and what does it cost", Lead: "affirm", Intent: "price", Confidence: 0.9, Ranking: []message.Score{{Intent: "price", Confidence: 0.9}}}, "It is free. Cancel O-1?", nil},
			{yes, "Dropped O-1.", []string{"drop"}},
		}},
		{"yes, and another order to look up: it does not touch what is to be confirmed", []exchange{
			{asks("call_off", order("O-1")), "Any note?", []string{"exists"}},
			{skip, "Cancel O-1?", []string{"get"}},
			{
				Understanding{
					Text: "yes, and where is O-2", Lead: "affirm", LeadEnd: 5, Intent: "status", Confidence: 0.9, Ranking: []message.Score{{Intent: "status", Confidence: 0.9}},
					Values: []message.Value{{Param: "order_id", Value: "O-2", Text: "O-2", Start: 18, End: 21, Source: "pattern", Confidence: 1}},
				},
				"O-2 is open. Back to where we were: call off. Cancel O-1?",
				[]string{"exists", "find"},
			},
			{yes, "Dropped O-1.", []string{"drop"}},
		}},
		{"a task in the middle of another: done, then back", []exchange{
			{asks("call_off", order("O-1")), "Any note?", []string{"exists"}},
			{asks("status"), "O-1 is open. Back to where we were: call off. Any note?", []string{"find"}},
			{skip, "Cancel O-1?", []string{"get"}},
		}},
		{"cancelled", []exchange{
			{asks("status"), "Which order?", nil},
			{does("cancel"), "OK, I stopped: status. Nothing was done.", nil},
			{does("cancel"), "There's nothing under way that I could stop.", nil},
		}},
		{"an alternative when the first cannot be given", []exchange{
			{asks("status"), "Which order?", nil},
			{skip, "Which email?", nil},
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b := newBench(t)
			for i, x := range tc.turns {
				got := b.say(x.heard)
				if diff := cmp.Diff(x.want, got); diff != "" {
					t.Fatalf("turn %d, reply (-want +got):\n%s", i+1, diff)
				}
				if diff := cmp.Diff(x.calls, b.calls); diff != "" {
					t.Fatalf("turn %d, calls (-want +got):\n%s", i+1, diff)
				}
			}
		})
	}
}

func TestARefusedValueIsAskedForAgain(t *testing.T) {
	b := newBench(t)
	good := b.tool
	b.tool = func(c ToolCall) Outcome {
		if c.Tool == "exists" && c.Args["order_id"] == "O-9" {
			return Outcome{Code: "not_found"}
		}
		return good(c)
	}
	b.say(asks("status"))
	if got, want := b.say(tells(order("O-9"))), "No order O-9. Which order?"; got != want {
		t.Errorf("unknown order: %q, want %q", got, want)
	}
	if got, want := b.say(tells(order("O-1"))), "O-1 is open."; got != want {
		t.Errorf("then a known one: %q, want %q", got, want)
	}
}

// A correction that is refused leaves the value that was good: what is asked next is about it.
func TestARefusedCorrectionKeepsTheOldValue(t *testing.T) {
	b := newBench(t)
	good := b.tool
	b.tool = func(c ToolCall) Outcome {
		if c.Tool == "exists" && c.Args["order_id"] == "O-9" {
			return Outcome{Code: "not_found"}
		}
		return good(c)
	}
	b.say(asks("call_off", order("O-1")))
	if got := b.say(tells(order("O-9"))); !strings.Contains(got, "No order O-9.") {
		t.Errorf("the correction: %q", got)
	}
	if got := b.st.Params()["order_id"]; got != "O-1" {
		t.Errorf("the order is %v", got)
	}
}

func TestAFailedCallKeepsThePlan(t *testing.T) {
	b := newBench(t)
	good := b.tool
	b.tool = func(c ToolCall) Outcome {
		if c.Tool == "find" {
			return Outcome{Code: "timeout"}
		}
		return good(c)
	}
	if got := b.say(asks("status", order("O-1"))); !strings.Contains(got, "try again") {
		t.Fatalf("a call that timed out: %q", got)
	}
	b.tool = good
	if got, want := b.say(does("resume")), "O-1 is open."; got != want {
		t.Errorf("try again: %q, want %q", got, want)
	}
}

func TestAnUncertainWriteIsNeverRepeated(t *testing.T) {
	b := newBench(t)
	good := b.tool
	drops := 0
	b.tool = func(c ToolCall) Outcome {
		if c.Tool == "drop" {
			drops++
			return Outcome{Code: "timeout", Uncertain: true}
		}
		return good(c)
	}
	b.say(asks("call_off", order("O-1")))
	b.say(does("skip"))
	if got := b.say(does("affirm")); !strings.Contains(got, "couldn't confirm") {
		t.Errorf("reply: %q", got)
	}
	b.say(does("affirm"))
	b.say(does("resume"))
	if drops != 1 {
		t.Errorf("the write ran %d times, want once", drops)
	}
}

func TestAChosenOrderIsTheOneThatIsToldAbout(t *testing.T) {
	b := newBench(t)
	b.tool = func(c ToolCall) Outcome {
		return Outcome{Value: []any{map[string]any{"id": "O-1", "state": "open"}, map[string]any{"id": "O-2", "state": "gone"}}}
	}
	email := message.Value{Param: "email", Value: "a@b.example", Source: "builtin", Confidence: 1}
	if got, want := b.say(asks("status", email)), "Which one do you mean: O-1 or O-2?"; got != want {
		t.Fatalf("two orders: %q, want %q", got, want)
	}
	second := message.Value{Param: "order_id", Value: "O-2", Source: "option", Confidence: 1}
	b.tool = func(ToolCall) Outcome { return Outcome{Value: true} }
	if got, want := b.say(tells(second)), "O-2 is gone."; got != want {
		t.Errorf("the second: %q, want %q", got, want)
	}
}

func TestACorrectionMayNeedAYes(t *testing.T) {
	source := strings.Replace(shopYAML, "intents:\n", "policy: {correction: confirm}\nintents:\n", 1)
	def, err := config.Parse("test.yaml", []byte(source), "")
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t)
	b.def = def
	b.say(asks("call_off", order("O-1")))
	b.say(does("skip"))
	if got, want := b.say(tells(order("O-2"))), "Shall I change order id to O-2?"; got != want {
		t.Fatalf("another order: %q, want %q", got, want)
	}
	if got, want := b.say(does("deny")), "Cancel O-1?"; got != want {
		t.Fatalf("a no to the change: %q, want %q", got, want)
	}
	b.say(tells(order("O-2")))
	if got, want := b.say(does("affirm")), "Cancel O-2?"; got != want {
		t.Errorf("a yes to the change: %q, want %q", got, want)
	}
}

// A write without a confirmation (confirm_writes: false) is made once all the same: a
// value that is corrected later does not bring it back.
func TestAWriteThatWasMadeIsNotUndone(t *testing.T) {
	source := strings.Replace(shopYAML, "intents:\n", "policy: {confirm_writes: false}\nintents:\n", 1)
	source = strings.Replace(source, "      - confirm: \"Cancel {order_id}?\"\n        denied: kept\n", "", 1)
	source = strings.Replace(source, "      - respond: dropped\n", "      - ask: note\n      - respond: dropped\n", 1)
	source = strings.Replace(source, ", ask: true, skippable: true", "", 1)
	def, err := config.Parse("test.yaml", []byte(source), "")
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t)
	b.def = def
	if b.say(asks("call_off", order("O-1"))); !slices.Contains(b.calls, "drop") {
		t.Fatalf("calls %v, want the write among them", b.calls)
	}
	if b.say(tells(order("O-2"))); slices.Contains(b.calls, "drop") {
		t.Errorf("after a correction: calls %v, the write was made again", b.calls)
	}
}

// A yes is good for as long as a question: what failed right after it is not made hours
// later without being asked again.
func TestAYesGrowsOld(t *testing.T) {
	b := newBench(t)
	good := b.tool
	b.tool = func(c ToolCall) Outcome {
		if c.Tool == "drop" {
			return Outcome{Code: "unavailable"}
		}
		return good(c)
	}
	b.say(asks("call_off", order("O-1")))
	b.say(does("skip"))
	b.say(does("affirm"))
	b.tool = good
	b.now = b.now.Add(30 * time.Minute)
	if got, want := b.say(does("resume")), "Cancel O-1?"; got != want {
		t.Errorf("try again after half an hour: %q, calls %v, want %q", got, b.calls, want)
	}
	if got, want := b.say(does("affirm")), "Dropped O-1."; got != want {
		t.Errorf("the fresh yes: %q, want %q", got, want)
	}
}

// A question that is answered in passing names things without wanting them.
func TestAQuestionInPassingSetsNothing(t *testing.T) {
	b := newBench(t)
	b.say(asks("status"))
	email := message.Value{Param: "email", Value: "a@b.example", Source: "builtin", Confidence: 1}
	if got, want := b.say(asks("price", email)), "It is free. Which order?"; got != want {
		t.Errorf("reply %q, want %q", got, want)
	}
	if _, known := b.st.Params()["email"]; known {
		t.Error("the question filled a param")
	}
}

// "That is correct" is a yes, and no word about something being different.
func TestCorrectIsNoChangeWord(t *testing.T) {
	b := newBench(t)
	b.say(asks("call_off", order("O-1")))
	b.say(does("skip"))
	h := Understanding{Text: "yes, that is correct", Lead: "affirm", LeadEnd: 5, Intent: "affirm", Confidence: 0.9}
	if got, want := b.say(h), "Dropped O-1."; got != want {
		t.Errorf("reply %q, want %q", got, want)
	}
}

// A value that comes unasked after a look-up narrows it: the look-up is made again.
func TestANewConditionLooksUpAgain(t *testing.T) {
	b := newBench(t)
	b.tool = func(c ToolCall) Outcome {
		if c.Args["email"] != nil && c.Args["order_id"] != nil {
			return Outcome{Value: []any{map[string]any{"id": "O-3", "state": "open"}}}
		}
		return Outcome{Value: []any{map[string]any{"id": "O-1", "state": "open"}, map[string]any{"id": "O-3", "state": "open"}}}
	}
	b.say(asks("status", order("O-1")))
	if b.st.Open == nil || b.st.Open.Kind != askChoice {
		t.Fatalf("open %+v, want a choice", b.st.Open)
	}
	email := message.Value{Param: "email", Value: "a@b.example", Source: "builtin", Confidence: 1}
	if got, want := b.say(tells(email)), "O-3 is open."; got != want {
		t.Errorf("reply %q, calls %v, want %q", got, b.calls, want)
	}
}

// A session param outlives its task, but not its ttl, in turns or in time.
func TestASessionParamHasALifetime(t *testing.T) {
	source := strings.Replace(shopYAML, "    scope: session\n    prompt: Which order?", "    scope: session\n    ttl: {turns: 2, time: 20m}\n    prompt: Which order?", 1)
	def, err := config.Parse("test.yaml", []byte(source), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name  string
		turns int
		after time.Duration
		want  string
	}{
		{"at once", 0, 0, "O-1 is open."},
		{"after two turns", 1, 0, "O-1 is open."},
		{"after three turns", 2, 0, "Which order?"},
		{"after a quarter of an hour", 0, 15 * time.Minute, "O-1 is open."},
		{"after half an hour", 0, 30 * time.Minute, "Which order?"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b := newBench(t)
			b.def = def
			b.say(asks("status", order("O-1")))
			for range tc.turns {
				b.say(asks("price"))
			}
			b.now = b.now.Add(tc.after)
			if got := b.say(asks("status")); got != tc.want {
				t.Errorf("reply %q, want %q", got, tc.want)
			}
		})
	}
}
