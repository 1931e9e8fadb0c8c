package eval

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/cascade"
	"github.com/slotway/slotway/classifier/eval/internal/measure"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/source"
)

// Options says how to measure; the zero value is right.
type Options struct {
	IntentsOnly bool                 // no params: agents are built without them, and times are those of the intent
	Folds       int                  // of cross-validation and of calibration; default 10, for calibration as few of them as give 3,000 messages
	Cascade     *cascade.Options     // of every classifier that is trained
	CPU         func() time.Duration // what the process has used of all processors; nil: training seconds stay 0
	Begin       func(steps int)      // told once how many models there are to train and to time; nil: nobody
	Step        func()               // told after each; nil: nobody
}

// defaultFolds leaves nine tenths of the messages to train on.
const defaultFolds = 10

func (o *Options) withDefaults() Options {
	var v Options
	if o != nil {
		v = *o
	}
	if v.CPU == nil {
		v.CPU = func() time.Duration { return 0 }
	}
	if v.Step == nil {
		v.Step = func() {}
	}
	if v.Begin == nil {
		v.Begin = func(int) {}
	}
	return v
}

// prediction is the result of a classifier for one message.
type prediction struct {
	text       string
	want       string // the label
	pos        source.Position
	got        string // the best intent; "" when the message has no word
	confidence float64
	own        float64       // confidence of the label; 0 where it is not among the best
	marked     []config.Span // the spans of the file
	found      []config.Span // the spans of the classifier
	reply      bool          // an answer to a question: it teaches values, not the intent
	fold       int
}

func (p *prediction) right() bool { return p.got == p.want }
func (p *prediction) out() bool   { return p.want == OutOfScope }

// judge is a trained classifier and what is needed to read its results.
type judge struct {
	classifier *cascade.Classifier
	params     map[string]map[string]int // by intent: the order of its params
}

func train(agent *config.Agent, o *Options) (*judge, error) {
	c, err := cascade.New(agent, o.Cascade)
	if err != nil {
		return nil, fmt.Errorf("train on %d intents: %w", len(agent.Intents), err)
	}
	j := &judge{classifier: c, params: map[string]map[string]int{}}
	for _, in := range agent.Intents {
		order := map[string]int{}
		for i, p := range in.AllParams() {
			order[p.Name] = i
		}
		j.params[in.ID] = order
	}
	return j, nil
}

// input is a row as the classifier meets it: an answer arrives while its task is under way.
func input(r *Row, params bool) classifier.Input {
	in := classifier.Input{Text: r.Text, Now: measure.Now}
	if params && r.Asked != "" {
		in.Asked, in.Active = &classifier.Asked{Param: r.Asked}, r.Intent
	}
	return in
}

// predict classifies rows.
func (j *judge) predict(ctx context.Context, rows []Row, params bool) ([]prediction, error) {
	out := make([]prediction, 0, len(rows))
	for i := range rows {
		r := &rows[i]
		in := input(r, params)
		res, err := j.classifier.Classify(ctx, in)
		if err != nil {
			return nil, fmt.Errorf("classify %s: %w", r.Pos, err)
		}
		p := prediction{text: r.Text, want: r.Intent, pos: r.Pos, got: res.Intent, confidence: res.Confidence}
		for _, s := range res.Ranking {
			if s.Intent == r.Intent {
				p.own = s.Confidence
			}
		}
		if params {
			p.marked, p.found, p.reply = r.Spans, j.spans(in.Active, &res), in.Asked != nil
		}
		out = append(out, p)
	}
	return out, nil
}

// spans are the values that would be taken: of the intent found and of the one under way,
// the surest first, no word twice. Candidates for one span of two params of one type are
// settled by the order in which the intent declares them, as a planner does.
func (j *judge) spans(active string, r *message.Result) []config.Span {
	order := j.params[r.Intent]
	if active != "" {
		order = j.params[active]
	}
	values := slices.DeleteFunc(slices.Clone(r.Params), func(v message.Value) bool {
		_, ok := order[v.Param]
		return !ok || v.Confidence <= message.Doubtful
	})
	slices.SortStableFunc(values, func(a, b message.Value) int {
		return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(a.Start, b.Start), cmp.Compare(order[a.Param], order[b.Param]))
	})
	var out []config.Span
	for _, v := range values {
		if !slices.ContainsFunc(out, func(s config.Span) bool { return s.Start < v.End && v.Start < s.End }) {
			out = append(out, config.Span{Param: v.Param, Start: v.Start, End: v.End})
		}
	}
	slices.SortFunc(out, func(a, b config.Span) int { return cmp.Compare(a.Start, b.Start) })
	return out
}
