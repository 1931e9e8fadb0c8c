package cascade

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// TestFewExamplesFindValues has a dozen values of each param to learn from, and finds new
// ones where they stand as those did.
func TestFewExamplesFindValues(t *testing.T) {
	c := tagged(t, ferryAgent(3))
	for _, tc := range []struct{ text, asked, want string }{
		{"book a ferry from Bari to Corfu", "", "from=Bari tagger, to=Corfu tagger"},
		{"a ferry to Rostock please", "", "to=Rostock tagger"},
		{"i'm going to Isla Verde", "to", "to=Isla Verde tagger"},
		{"book me a ferry", "", ""},
	} {
		in := classifier.Input{Text: tc.text, Active: "book_ferry"}
		if tc.asked != "" {
			in.Asked = &classifier.Asked{Param: tc.asked}
		}
		if diff := cmp.Diff(tc.want, values(classify(t, c, in))); diff != "" {
			t.Errorf("params of %q (-want +got):\n%s", tc.text, diff)
		}
	}
}

// writing makes booking a ferry a task that changes the world.
func writing(agent *config.Agent) *config.Agent {
	agent.Tools = map[string]*config.Tool{"book": {Name: "book", Effect: config.EffectWrite}}
	agent.Intents[0].Plan = []*config.Step{{Kind: config.StepCall, Tool: "book"}}
	return agent
}

// TestWritesNeedSurerSpans drops a doubtful value before a person is asked to confirm it,
// where a task that looks something up would take it.
func TestWritesNeedSurerSpans(t *testing.T) {
	reads, writes := tagged(t, ferryAgent(3)), tagged(t, writing(ferryAgent(3)))
	words := strings.Fields("ferry from to Visby Port Ellen sunny crossing over near leaving the bring us and our dog towards")
	dropped := 0
	for i := range words {
		for j := range words {
			in := classifier.Input{Text: "a ferry " + words[i] + " " + words[j] + " Visby please", Active: "book_ferry"}
			read, written := tagsIn(classify(t, reads, in)), tagsIn(classify(t, writes, in))
			for _, v := range read {
				kept := slices.Contains(written, v)
				if kept != (v.Confidence >= sureTagged) {
					t.Fatalf("%q: %s=%q of confidence %.2f: kept before a write: %v", in.Text, v.Param, v.Text, v.Confidence, kept)
				}
				if !kept {
					dropped++
				}
			}
			for _, v := range written {
				if !slices.Contains(read, v) {
					t.Fatalf("%q: %s=%q is taken before a write only", in.Text, v.Param, v.Text)
				}
			}
		}
	}
	if dropped == 0 {
		t.Error("no value was doubtful: the test shows nothing")
	}
}

func tagsIn(r message.Result) []message.Value {
	return slices.DeleteFunc(r.Params, func(v message.Value) bool { return v.Source != "tagger" })
}
