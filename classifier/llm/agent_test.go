package llm

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// shop is the agent of the tests. Its ids look like K-1234.
func shop() *config.Agent {
	id := &config.Type{
		Name: "parcel", Patterns: []*regexp.Regexp{regexp.MustCompile(`\bK-\d{4,8}\b`)}, Bare: regexp.MustCompile(`(?:K-)?\d{4,8}`),
		Normalize: []config.Normalizer{{Op: "digits"}, {Op: "prefix", Arg: "K-"}}, Example: "K-1234",
	}
	reason := &config.Type{Name: "reason", Fuzzy: 1, Values: []config.EnumValue{
		{Value: "damaged", Synonyms: []string{"broken"}}, {Value: "wrong size", Synonyms: []string{"too small"}}, {Value: "changed my mind"},
	}}
	builtin := func(name string) *config.Type { return &config.Type{Name: name, Builtin: name} }
	params := map[string]*config.Param{}
	param := func(name string, t *config.Type) *config.Param {
		params[name] = &config.Param{Name: name, Label: strings.ReplaceAll(name, "_", " "), Type: t}
		return params[name]
	}
	parcel, why, address := param("parcel", id), param("reason", reason), param("address", builtin("text"))
	pickup, back := param("pickup", builtin("date")), param("back_by", builtin("date"))
	gift, shelf := param("gift", builtin("boolean")), param("shelf", builtin("integer"))
	colours := &config.Param{Name: "colours", Label: "colours", List: true, Type: &config.Type{Name: "colour", Values: []config.EnumValue{{Value: "red"}, {Value: "blue"}, {Value: "green"}}}}
	params["colours"] = colours
	a := &config.Agent{
		ID: "shop", Description: "Answers for a small shop.", Language: "en", Params: params,
		Classifier: config.ClassifierPolicy{Threshold: 0.55, Ambiguity: 0.1, Fallback: "other", LLM: true},
		Intents: []*config.Intent{
			{ID: "send_back", Description: "send a parcel back", Required: []*config.Param{parcel, why}, Optional: []*config.Param{pickup, back, gift, colours}, Examples: []config.Example{
				{Text: "I want to return K-1234", Spans: []config.Span{{Param: "parcel", Start: 17, End: 23, Value: "K-1234"}}},
				{Text: "take it back please"},
			}},
			{ID: "move_parcel", Description: "send a parcel to another address", Required: []*config.Param{parcel, address}, Optional: []*config.Param{shelf}},
			{ID: "opening_hours", Description: "say when the shop is open", AnswerOnly: true},
			{ID: "other", Description: "anything else"},
		},
	}
	for _, id := range config.SystemIntents {
		a.System = append(a.System, &config.Intent{ID: id, System: true, Description: "the system's " + id})
	}
	return a
}

// script is a Model that gives the same answer to everything and keeps what it was asked.
type script struct {
	answer string
	err    error
	asked  []Request
}

func (s *script) Complete(_ context.Context, req Request) (string, error) {
	s.asked = append(s.asked, req)
	return s.answer, s.err
}

// veil hides the values of some params as <param:n>.
type veil struct{ pairs []string }

func hiding(params ...string) func(map[string]any) Names {
	return func(known map[string]any) Names {
		v := &veil{}
		for _, p := range params {
			list, _ := known[p].([]any)
			n := 0
			for _, value := range list {
				text, ok := value.(string)
				if !ok || text == "" || slices.Contains(v.pairs, text) {
					continue
				}
				n++
				v.pairs = append(v.pairs, text, fmt.Sprintf("<%s:%d>", p, n))
			}
		}
		return v
	}
}

func (v *veil) Hide(text string) string { return strings.NewReplacer(v.pairs...).Replace(text) }

func (v *veil) Restore(text string) string {
	back := slices.Clone(v.pairs)
	slices.Reverse(back)
	return strings.NewReplacer(back...).Replace(text)
}

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC) // a Monday

// unsure is what the embedded classifier says of what it does not know.
func unsure(params ...message.Value) message.Result {
	return message.Result{
		Intent: "opening_hours", Confidence: 0.3, Tier: "linear", Params: params,
		Ranking: []message.Score{{Intent: "opening_hours", Confidence: 0.3}, {Intent: "send_back", Confidence: 0.25}, {Intent: "affirm", Confidence: 0.1}},
	}
}

func newClassifier(t testing.TB, agent *config.Agent, m Model, o *Options) *Classifier {
	t.Helper()
	c, err := New(agent, m, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
