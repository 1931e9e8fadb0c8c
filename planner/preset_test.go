package planner

import (
	"testing"

	"github.com/slotway/slotway/classifier/message"
)

// program is what a program says in the place of words.
func program(intent string, values ...message.Value) Understanding {
	for i := range values {
		values[i].Source = sourceStructured
	}
	return Understanding{Structured: true, Intent: intent, Confidence: 1, Exact: true, Values: values}
}

// What a program says is no more than the same in words: it has no words to weigh.
func TestWhatAProgramSays(t *testing.T) {
	const (
		nothing = "There's nothing under way that I could stop."
		again   = `Sorry, that didn't work just now. Nothing is lost; say "try again" when you like.`
	)
	unread := program("")
	unread.Unread = []string{"order_id"}
	talk(t, agentWith(t), []spoken{
		{name: "a task with its values", turns: []exchange{
			{program("status", order("O-1")), "O-1 is open.", []string{"exists", "find"}},
		}},
		{name: "a write waits for its yes", turns: []exchange{
			{program("call_off", order("O-1")), "Any note?", []string{"exists"}},
			{program("affirm"), "Any note?", nil},
			{program("skip"), "Cancel O-1?", []string{"get"}},
			{program("affirm"), "Dropped O-1.", []string{"drop"}},
			{program("affirm"), fallback, nil},
		}},
		{name: "a no", turns: toConfirm(
			exchange{program("deny"), "Kept.", nil},
			exchange{program("deny"), fallback, nil},
		)},
		{name: "a cancel ends the task", turns: toConfirm(
			exchange{program("cancel"), stopped, nil},
			exchange{program("cancel"), nothing, nil},
		)},
		{name: "a cancel with an offer alone", turns: []exchange{
			{heard(piece{text: "something old", tasks: []message.Score{{Intent: "status", Confidence: 0.5}}}), "Do you mean this: status?", nil},
			{program("cancel"), "OK, I've stopped that.", nil},
		}},
		{name: "values alone", turns: []exchange{
			{program("status"), "Which order?", nil},
			{program("", order("O-1")), "O-1 is open.", []string{"exists", "find"}},
		}},
		{name: "a correction at a confirmation", turns: toConfirm(
			exchange{program("call_off", order("O-2")), "OK, order id is now O-2. Cancel O-2?", []string{"exists", "get"}},
		)},
		{name: "what cannot be read", turns: []exchange{
			{program("status"), "Which order?", nil},
			{unread, "I can't read that as the order id. It looks like O-1. Which order?", nil},
		}},
		{
			name: "a yes behind a call that failed", tool: tools{"find": fails("unavailable")},
			turns: []exchange{
				{program("status", order("O-1")), again, []string{"exists", "find"}},
				{program("affirm"), again, []string{"find"}},
				{program("resume"), again, []string{"find"}},
				{program("status"), again, []string{"find"}},
			},
		},
		{name: "words about the conversation", turns: []exchange{
			{program("status"), "Which order?", nil},
			{program("help"), "It is on your receipt. Which order?", nil},
			{program("correct"), "Which order?", nil},
			{program("reset"), "OK, let's start over. What can I do for you?", nil},
		}},
	})
}
