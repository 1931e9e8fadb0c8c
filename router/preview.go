package router

import (
	"context"
	"fmt"
	"time"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/utterance"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/planner"
)

// Previewed is what a message would do as the first of a session.
type Previewed struct {
	Intent     string   // the task that it begins, or the answer that it gets; "": none
	Offered    []string // the tasks that are asked about instead
	Confidence float64  // of that intent; of the likeliest where there is none
	Doubtful   bool     // the task's first question says what was understood
}

// Preview classifies text as the first message of a session. It calls no tool and stores nothing.
func Preview(ctx context.Context, def *config.Agent, c classifier.Classifier, text string, now time.Time) (Previewed, error) {
	in := classifier.Input{Text: utterance.Normalise(text), Now: now.In(def.Location)}
	result, err := c.Classify(ctx, in)
	if err != nil {
		return Previewed{}, fmt.Errorf("classify: %w", err)
	}
	turn, err := planner.Begin(def, planner.New(), planner.TurnInput{Number: 1, Now: in.Now})
	if err != nil {
		return Previewed{}, fmt.Errorf("begin a turn: %w", err)
	}
	turn.Interpret(understandingOf(in.Text, result))
	b := Previewed{Confidence: result.Confidence}
	if turn.Active != nil {
		b.Intent, b.Doubtful = turn.Active.Intent, turn.Active.Doubtful
	}
	for _, s := range result.Ranking {
		if s.Intent == b.Intent {
			b.Confidence = s.Confidence
		}
	}
	for _, step := range turn.Agenda {
		if c, ok := step.(planner.Choose); ok && c.Param == "" {
			b.Offered = append(b.Offered, intentsOf(def, c.Options)...)
		}
	}
	return b, nil
}

// intentsOf are the options that stand for intents.
func intentsOf(def *config.Agent, options []planner.Option) []string {
	var out []string
	for _, o := range options {
		if id, ok := o.Value.(string); ok && def.Intent(id) != nil {
			out = append(out, id)
		}
	}
	return out
}
