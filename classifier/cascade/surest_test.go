package cascade

import (
	"slices"
	"testing"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// TestChatter asks within chatter what is clear without it.
func TestChatter(t *testing.T) {
	c := newClassifier(t)
	for _, request := range []struct{ text, intent string }{
		{"when will my parcel get here", "order_status"},
		{"please cancel O-12345", "cancel_order"},
		{"i want to change my shipping address", "change_address"},
	} {
		for _, around := range [][2]string{
			{"hi there hope you are well, i wanted to ask, ", " thanks so much in advance"},
			{"good evening to all of you, ", ". looking forward to hearing from you"},
			{"hey, how are you doing today? sorry to bother you but ", " thank you very much"},
			{"dear team, i have a quick question: ", ". have a nice day!"},
			{"", ", thanks a lot for your help"},
		} {
			in := classifier.Input{Text: around[0] + request.text + around[1]}
			r := classify(t, c, in)
			if r.Intent != request.intent || r.Confidence < sure || r.Ranking[0].Intent != r.Intent || r.Ranking[0].Confidence != r.Confidence {
				t.Errorf("Classify(%q) = %s %.2f %v", in.Text, r.Intent, r.Confidence, r.Ranking)
			}
		}
	}
}

// What is nothing but courtesy begins no task, and a stock phrase stays what it is.
func TestOnlyChatter(t *testing.T) {
	c := newClassifier(t)
	for _, text := range []string{
		"hi there, hope you are well. have a nice day!", "hello! thanks so much in advance", "good morning, i have a quick question",
	} {
		if r := classify(t, c, classifier.Input{Text: text}); !c.system[r.Intent] && r.Confidence >= sure {
			t.Errorf("Classify(%q) = %s %.2f", text, r.Intent, r.Confidence)
		}
	}
	for text, intent := range map[string]string{"thanks": "thanks", "Hello!": "greet", "help": "help", "yes, please": "affirm"} {
		if r := classify(t, c, classifier.Input{Text: text}); r.Intent != intent || !r.Exact {
			t.Errorf("Classify(%q) = %s, exact %t", text, r.Intent, r.Exact)
		}
	}
}

// Where something is asked, the message may be the answer, and stays whole.
func TestNoSurestOfAnAnswer(t *testing.T) {
	c := newClassifier(t)
	const text = "hi there hope you are well, i wanted to ask, when will my parcel get here thanks so much in advance"
	free := classify(t, c, classifier.Input{Text: text})
	for _, in := range []classifier.Input{
		{Text: text, Asked: &classifier.Asked{Param: "reason"}, Active: "cancel_order"}, {Text: text, Confirming: true, Active: "cancel_order"},
	} {
		if r := classify(t, c, in); r.Confidence >= free.Confidence {
			t.Errorf("Classify(%+v) = %s %.2f, as sure as where nothing is asked", in, r.Intent, r.Confidence)
		}
	}
}

func TestTrimmed(t *testing.T) {
	c := newClassifier(t)
	for text, want := range map[string]string{
		"where is my parcel thanks so much in advance": "where is my parcel",
		"where is my parcel and thanks again":          "where is my parcel",
		"where is my parcel i appreciate it":           "where is my parcel",
		"where is my parcel cheers thank you":          "where is my parcel",
		"how do you say thanks to a friend in french":  "how do you say thanks to a friend in french",
		"where is my parcel":                           "where is my parcel",
		"many thanks":                                  "many thanks",
		"thank you":                                    "thank you",
	} {
		if got := join(c.trimmed(text, cut(text, message.Tokenize(text, nil), nil))); got != want {
			t.Errorf("trimmed(%q) = %q, want %q", text, got, want)
		}
	}
}

// An agent may have greetings and thanks as tasks of its own: they are no rivals of a request.
func TestCourteousTasks(t *testing.T) {
	a := supportAgent()
	a.System = nil
	hello := &config.Intent{ID: "say_hello", Examples: marked("hello there\nhi\nhey how are you\ngood morning\nhi, nice to meet you\nhello, hope you are well")}
	a.Intents = append(slices.Clone(a.Intents), hello)
	c, err := New(a, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.courteous) != 1 || !c.courteous["say_hello"] {
		t.Errorf("courteous: %v", c.courteous)
	}
	for text, want := range map[string]string{
		"hi there, hope you are well, where is my order?": "order_status",
		"hello, nice to meet you":                         "say_hello",
	} {
		if r := classify(t, c, classifier.Input{Text: text}); r.Intent != want || r.Confidence < sure {
			t.Errorf("Classify(%q) = %s %.2f %v", text, r.Intent, r.Confidence, r.Ranking)
		}
	}
}
