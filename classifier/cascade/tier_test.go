package cascade

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/linear"
	"github.com/slotway/slotway/classifier/llm"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// oracle is a model that gives one answer and keeps the questions.
type oracle struct {
	answer string
	err    error
	asked  []llm.Request
}

func (o *oracle) Complete(_ context.Context, req llm.Request) (string, error) {
	o.asked = append(o.asked, req)
	return o.answer, o.err
}

func tiered(tb testing.TB, agent *config.Agent, m llm.Model, opts *Options) *Tiered {
	tb.Helper()
	embedded, err := New(agent, opts)
	if err != nil {
		tb.Fatal(err)
	}
	return NewTiered(agent, embedded, mustModel(tb, agent, m))
}

// odd are words that no agent knows: no classifier can be sure of them.
const odd = "flumps quandered the zorbly wexit"

// TestSettlements gives the settlements one result each that only that one holds for.
func TestSettlements(t *testing.T) {
	agent := supportAgent()
	c := tiered(t, agent, &oracle{}, nil)
	low := func(intent string) message.Result { return message.Result{Intent: intent, Confidence: 0.4} }
	confirming := classifier.Input{Text: odd, Active: "cancel_order", Confirming: true}
	tests := []struct {
		in   classifier.Input
		r    message.Result
		want string // the beginning of the reason; "": the model is asked
	}{
		{classifier.Input{Text: odd}, low("order_status"), ""},
		{classifier.Input{Text: odd}, message.Result{}, ""},
		{classifier.Input{Text: odd}, message.Result{Intent: "human", Confidence: agent.Classifier.Threshold - 0.001}, ""},
		{classifier.Input{Text: odd}, message.Result{Intent: "human", Confidence: agent.Classifier.Threshold}, "sure"},
		{classifier.Input{Text: odd}, message.Result{Intent: "human", Confidence: 0.1, Exact: true}, "sure"},
		{classifier.Input{Text: odd}, message.Result{Intent: "human", Confidence: 0.4, Clauses: []message.Clause{{Ranking: []message.Score{{Intent: "a", Confidence: 0.8}}}, {Join: "and", Ranking: []message.Score{{Intent: "b", Confidence: 0.8}}}}}, "several"},
		{confirming, low("affirm"), "most likely a yes"},
		{confirming, low("deny"), "most likely a yes"},
		{confirming, low("correct"), "most likely a yes"},
		{confirming, low("order_status"), ""},
		{classifier.Input{Text: odd}, low("affirm"), ""},
		{classifier.Input{Text: strings.Repeat("é", defaultLongest)}, low("human"), ""},
		{classifier.Input{Text: strings.Repeat("é", defaultLongest+1)}, low("human"), "too long"},
		{classifier.Input{Text: "yes, um, please"}, message.Result{Lead: message.Lead{Intent: "affirm", End: 5}}, "nothing but"},
		{classifier.Input{Text: "yes, " + odd}, message.Result{Lead: message.Lead{Intent: "affirm", End: 5}}, ""},
		{classifier.Input{Text: ""}, message.Result{}, "nothing but"},
		{classifier.Input{Text: "?! …"}, message.Result{}, "nothing but"},
	}
	for _, tt := range tests {
		why := c.settled(tt.in, &tt.r)
		if !strings.HasPrefix(why, tt.want) || why != "" && tt.want == "" {
			t.Errorf("%q with %+v is settled by %q, want %q", head(tt.in.Text, 40), tt.r, why, tt.want)
		}
	}
}

// TestWhenTheModelIsAsked counts the questions.
func TestWhenTheModelIsAsked(t *testing.T) {
	o := &oracle{answer: `{"intent":"none","params":[]}`}
	c := tiered(t, supportAgent(), o, nil)
	asked := func(param string) classifier.Input {
		return classifier.Input{Active: "order_status", Asked: &classifier.Asked{Param: param}}
	}
	tests := []struct {
		text string
		in   classifier.Input
		due  bool
	}{
		{text: "where is my order"},
		{text: "yes please", in: classifier.Input{Active: "cancel_order", Confirming: true}},
		{text: "O-12345"},
		{text: "it's O-12345, please", in: asked("order_id")},
		{text: "ana@example.com", in: asked("email")},
		{text: "thanks, O-12345", in: asked("order_id")},
		{text: "1234567", in: asked("order_id")},
		{text: "xl", in: asked("size")},
		{text: odd, due: true},
		{text: odd + " O-12345", in: asked("order_id"), due: true},
		{text: odd, in: classifier.Input{Active: "cancel_order", Confirming: true}, due: true},
		{text: odd, in: asked("address"), due: true},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			o.asked = nil
			in := tt.in
			in.Text, in.Now = tt.text, now
			alone, err := c.embedded.Classify(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			r, err := c.Classify(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			if want := map[bool]int{true: 1}[tt.due]; len(o.asked) != want {
				t.Errorf("asked %d times, want %d; the embedded result is %s %.2f", len(o.asked), want, alone.Intent, alone.Confidence)
			}
			if tt.due {
				alone.Fallback = message.FallbackNothing
			}
			if diff := cmp.Diff(alone, r); diff != "" {
				t.Errorf("the embedded result does not stand (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTiers(t *testing.T) {
	in := classifier.Input{Text: odd, Now: now}
	o := &oracle{answer: `{"intent":"order_status","params":[]}`}
	c := tiered(t, supportAgent(), o, nil)
	r, err := c.Classify(t.Context(), in)
	if err != nil || r.Intent != "order_status" || r.Tier != "llm" || r.Fallback != "" {
		t.Errorf("%+v, %v; want the model's answer", r, err)
	}
	o.err = errors.New("down")
	r, err = c.Classify(t.Context(), in)
	if err != nil || r.Tier != "linear" || r.Fallback != message.FallbackUnavailable {
		t.Errorf("%+v, %v; want the embedded answer", r, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Classify(ctx, in); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want it cancelled", err)
	}
}

// TestManyIntents: of a large agent the likeliest intents are listed, and the ranking is as
// long as ever.
func TestManyIntents(t *testing.T) {
	agent := supportAgent()
	for i := range 60 {
		in := &config.Intent{ID: fmt.Sprintf("machine_%d", i), Description: fmt.Sprintf("repair machine number %d", i)}
		for _, verb := range []string{"mend", "fix", "oil"} {
			in.Examples = append(in.Examples, config.Example{Text: fmt.Sprintf("%s the w%dx machine", verb, i)})
		}
		agent.Intents = slices.Insert(agent.Intents, 0, in)
	}
	o := &oracle{answer: `{"intent":"none"}`}
	c := tiered(t, agent, o, &Options{Linear: &linear.Options{Top: 20}})
	r, err := c.Classify(t.Context(), classifier.Input{Text: "track " + odd + " " + odd, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	if len(o.asked) != 1 {
		t.Fatalf("asked %d times; the result is %s %.2f", len(o.asked), r.Intent, r.Confidence)
	}
	if len(r.Ranking) != maxRanking {
		t.Errorf("%d intents are ranked, want %d", len(r.Ranking), maxRanking)
	}
	if !strings.Contains(o.asked[0].System, "- order_status:") {
		t.Errorf("the likeliest intent is not listed:\n%s", o.asked[0].System)
	}
	if n := strings.Count(o.asked[0].System, "repair machine"); n > 20 {
		t.Errorf("%d machines are listed", n)
	}
}

// TestTagsOfTheModelsIntent: once the model has said what a message is about, its values are
// looked for as for any other.
func TestTagsOfTheModelsIntent(t *testing.T) {
	c := tiered(t, ferryAgent(40), &oracle{answer: `{"intent":"book_ferry","params":[{"param":"to","value":"Corfu Town","text":"Corfu Town"}]}`}, nil)
	in := classifier.Input{Text: "book a ferry from Bari to Corfu Town", Now: now}
	r, err := c.consult(t.Context(), in, message.Result{Intent: "prices", Confidence: 0.4, Tier: "linear"})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := values(r), "from=Bari tagger, to=Corfu Town llm"; got != want {
		t.Errorf("params %s, want %s", got, want)
	}
}

// TestTieredConcurrently is for the race detector.
func TestTieredConcurrently(t *testing.T) {
	c := tiered(t, supportAgent(), silentModel{}, nil)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for _, text := range []string{odd, "where is my order", "O-12345"} {
				if _, err := c.Classify(t.Context(), classifier.Input{Text: text, Now: now}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

// silentModel never understands.
type silentModel struct{}

func (silentModel) Complete(context.Context, llm.Request) (string, error) {
	return `{"intent":"none"}`, nil
}

func mustModel(tb testing.TB, agent *config.Agent, m llm.Model) *llm.Classifier {
	tb.Helper()
	model, err := llm.New(agent, m, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return model
}

// BenchmarkTiered is the cost of the tiers apart from the model itself: of a message that
// needs none, next to the embedded classifier alone, and of one that is asked about.
func BenchmarkTiered(b *testing.B) {
	c := tiered(b, supportAgent(), silentModel{}, nil)
	for _, bench := range []struct {
		name, text string
		classifier classifier.Classifier
	}{
		{"sure/embedded", "where is my order", c.embedded},
		{"sure/tiered", "where is my order", c},
		{"unsure/embedded", odd, c.embedded},
		{"unsure/asked", odd, c},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := bench.classifier.Classify(b.Context(), classifier.Input{Text: bench.text, Now: now}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
