package planner

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/classifier/message"
)

// commandedBy is a message in which the rules find nothing, with the reader's commands.
func commandedBy(text string, commands ...message.Command) Understanding {
	return Understanding{Text: text, Hear: func() []message.Command { return commands }}
}

func likely99(do message.Do) message.Command { return message.Command{Do: do, P: 0.999} }

// What the reader finds at a confirmation that the rules cannot read.
func TestCommandsAtAConfirmation(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		commands   []message.Command
		reply      string
		calls      []string
	}{
		{"a yes in any words", "lovely jubbly", []message.Command{likely99(message.DoYes)}, "Dropped O-1.", []string{"drop"}},
		{"a yes that is not sure", "lovely jubbly", []message.Command{{Do: message.DoYes, P: 0.97}, {Do: message.DoUnclear, P: 0.05}}, "Please answer with yes or no. Cancel O-1?", nil},
		{"a yes to another deed", "keep it then", []message.Command{{Do: message.DoYes, P: 0.9}, {Do: message.DoUnclear, P: 0.3}}, "I did not get what to do with \"keep it then\". Nothing was changed. Cancel O-1?", nil},
		{"a no in any words", "over my dead body", []message.Command{{Do: message.DoNo, P: 0.8}}, "Kept.", nil},
		{"a yes beside a no", "well well", []message.Command{likely99(message.DoYes), {Do: message.DoNo, P: 0.6}}, "Kept.", nil},
		{"a wait", "the kettle boils", []message.Command{{Do: message.DoHold, P: 0.8}}, "Take your time. Cancel O-1?", nil},
		{"a person", "somebody with a pulse", []message.Command{likely99(message.DoHuman)}, "I'll hand you over to a colleague.", nil},
		{"a courtesy", "what a lovely day", []message.Command{{Do: message.DoCourtesy, P: 0.9}}, "Please answer with yes or no. Cancel O-1?", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b := newBench(t)
			b.say(asks("call_off", order("O-1")))
			if got := b.say(does("skip")); got != "Cancel O-1?" {
				t.Fatalf("%q, want the confirmation", got)
			}
			reply := b.say(commandedBy(tc.text, tc.commands...))
			if diff := cmp.Diff(tc.calls, b.calls); reply != tc.reply || diff != "" {
				t.Errorf("%q, want %q; calls (-want +got)\n%s", reply, tc.reply, diff)
			}
		})
	}
}

// A yes that only the rules have found is asked about if the reader finds hardly one.
func TestAnUnlikelyYesIsAskedAbout(t *testing.T) {
	b := newBench(t)
	b.say(asks("call_off", order("O-1")))
	b.say(does("skip"))
	yes := Understanding{Text: "ok", Intent: "affirm", Confidence: 0.95, Hear: func() []message.Command { return []message.Command{{Do: message.DoUnclear, P: 0.9}} }}
	yes.Clauses = []message.Clause{{End: 2}}
	yes.Clauses[0].Acts[message.ActYes] = 0.95
	if got := b.say(yes); len(b.calls) != 0 {
		t.Errorf("%q, calls %v, want none", got, b.calls)
	}
}

// A task begins with the values that the reader finds; which one is known by the examples too.
func TestCommandsBeginATask(t *testing.T) {
	start := []message.Command{{Do: message.DoStart, Any: true, P: 0.95}, {Do: message.DoStart, Task: "status", P: 0.8}, {Do: message.DoStart, Task: "call_off", P: 0.85}}
	h := commandedBy("my thing from tuesday", start...)
	h.Ranking = []message.Score{{Intent: "status", Confidence: 0.25}}
	b := newBench(t)
	if got := b.say(h); got != "Which order?" || b.st.Active.Intent != "status" {
		t.Errorf("%q within %v, want status", got, b.st.Active)
	}
	b = newBench(t)
	of := order("O-2")
	of.Start, of.End = 9, 12
	h = commandedBy("about my O-2", append(start, message.Command{Do: message.DoSet, Param: "order_id", Value: of, P: 0.9})...)
	if got := b.say(h); got != "Any note?" {
		t.Errorf("%q, want the note of cancelling O-2 asked for", got)
	}
}

// Of a new text only a part may be found: it is asked for whole where the reader is not sure of it.
func TestATextIsNotCutByTheReader(t *testing.T) {
	b := newBench(t)
	b.say(asks("call_off", order("O-1")))
	note := message.Value{Param: "note", Value: "ring twice", Text: "ring twice", End: 10, Source: sourceText, Confidence: 0.9}
	b.say(Understanding{Text: "ring twice", Values: []message.Value{note}})
	part := message.Value{Param: "note", Value: "thrice", Text: "thrice", Start: 5, End: 11}
	if got := b.say(commandedBy("ring thrice i said", message.Command{Do: message.DoSet, Param: "note", Value: part, P: 0.7})); got != "Any note?" {
		t.Errorf("%q, want the note asked for", got)
	}
}

// A question about a task that changes nothing begins it, but not where a yes is waited for.
func TestAQuestionBeginsATaskThatAnswersIt(t *testing.T) {
	asked := commandedBy("how is it", message.Command{Do: message.DoAskTask, Any: true, P: 0.95}, message.Command{Do: message.DoAskTask, Task: "status", P: 0.9})
	b := newBench(t)
	if got := b.say(asked); got != "To status: which order?" {
		t.Errorf("%q, want the task of the question", got)
	}
	b = newBench(t)
	b.say(asks("call_off", order("O-1")))
	b.say(does("skip"))
	if got := b.say(asked); b.st.Active.Intent != "call_off" {
		t.Errorf("%q within %v, want the confirmation", got, b.st.Active)
	}
}
