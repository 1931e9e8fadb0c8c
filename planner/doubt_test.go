package planner

import (
	"testing"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// wants is a message that asks for a task with some confidence.
func wants(confidence float64, task string) Understanding {
	return heard(piece{text: "something about that old matter", acts: []message.Act{message.ActRequest}, tasks: []message.Score{{Intent: task, Confidence: confidence}}})
}

// TestLedQuestion holds what the first question of a task says of it: nothing where the start
// was sure, else what was understood, once.
func TestLedQuestion(t *testing.T) {
	const led, plain = "To call off: which order?", "Which order?"
	partly, mended := wants(0.85, "call_off"), wants(0.85, "call_off")
	partly.Partly, mended.Mended = true, true
	surelyMended, exact := wants(0.9, "call_off"), wants(0.6, "call_off")
	surelyMended.Mended, exact.Exact = true, true
	one := func(name string, h Understanding, want string) spoken {
		return spoken{name: name, turns: []exchange{{h, want, nil}}}
	}
	talk(t, testAgent(t), []spoken{
		one("just enough to begin", wants(0.55, "call_off"), led),
		one("below comfortable", wants(0.79, "call_off"), led),
		one("comfortable", wants(0.8, "call_off"), plain),
		one("an example to the word", exact, plain),
		one("a part of the message", partly, led),
		one("misspelt words", mended, led),
		one("misspelt words, nearly certain", surelyMended, plain),
		{name: "once", turns: []exchange{
			{wants(0.6, "call_off"), led, nil},
			{heard(piece{text: "xyz"}), "I need an order like O-1.", nil},
		}},
		{name: "not where nothing is asked for it", turns: []exchange{
			{wants(0.6, "price"), "It is free.", nil},
		}},
		{name: "a value that was refused", tool: tools{"exists": fails("not_found")}, turns: []exchange{
			{
				heard(piece{text: "something with O-9", acts: []message.Act{message.ActRequest}, tasks: []message.Score{{Intent: "call_off", Confidence: 0.6}}, values: []message.Value{order("O-9")}}),
				"No order O-9. To call off: which order?",
				[]string{"exists"},
			},
		}},
	})
}

// TestLeadingIsReplaced holds that an agent words the lead itself, and that an English one is not
// put before a question of another language.
func TestLeadingIsReplaced(t *testing.T) {
	for name, c := range map[string]struct {
		def  *config.Agent
		want string
	}{
		"replaced":        {agentWith(t, "responses:\n", "responses:\n  system.leading: \"{question} ({task})\"\n"), "Which order? (call off)"},
		"another tongue":  {agentWith(t, "agent: {id: test}", "agent: {id: test, language: nl}"), "call off: Which order?"},
		"own in a tongue": {agentWith(t, "agent: {id: test}", "agent: {id: test, language: de}", "responses:\n", "responses:\n  system.leading: \"{task}? {question|within}\"\n"), "call off? Which order?"},
	} {
		talk(t, c.def, []spoken{{name: name, turns: []exchange{{wants(0.6, "call_off"), c.want, nil}}}})
	}
}

// TestObjection holds what becomes of a task that was named in a question and is not wanted.
func TestObjection(t *testing.T) {
	const led, over = "To call off: which order?", "OK, I stopped: call off. Nothing was done. Then please tell me in other words what I can do for you."
	no := heard(piece{text: "no", acts: []message.Act{message.ActNo}, stock: "deny"})
	wrong := heard(piece{text: "that is not it", acts: []message.Act{message.ActNo, message.ActCorrect}})
	other := heard(piece{text: "no", acts: []message.Act{message.ActNo}, stock: "deny"}, piece{text: "where is it", acts: []message.Act{message.ActRequest}, tasks: []message.Score{{Intent: "status", Confidence: 0.9}}})
	begin := exchange{wants(0.6, "call_off"), led, nil}
	talk(t, testAgent(t), []spoken{
		{name: "no", turns: []exchange{begin, {no, over, nil}}},
		{name: "in other words", turns: []exchange{begin, {wrong, over, nil}}},
		{name: "another task takes its place, and is named", turns: []exchange{
			begin,
			{other, "To status: which order?", nil},
			{heard(piece{text: "O-1", values: []message.Value{order("O-1")}}), "O-1 is open.", []string{"exists", "find"}},
		}},
		{name: "a no to a plain question", turns: []exchange{
			{wants(0.9, "call_off"), "Which order?", nil},
			{no, "I need an order like O-1.", nil},
		}},
		{name: "a no that comes later", turns: []exchange{
			begin,
			{heard(piece{text: "xyz"}), "I need an order like O-1.", nil},
			{no, "Just the number, please.", nil},
		}},
	})
}
