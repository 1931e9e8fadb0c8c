package router

import (
	"context"
	"fmt"
	"time"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/planner"
)

// Previewed is the outcome that a message would have as the first of a session.
type Previewed struct {
	Intent     string   // that the message begins; "": none
	Offered    []string // tasks that the reply offers instead
	Confidence float64  // of Intent; of the likeliest intent if it is ""
	Doubtful   bool     // the first question names the task, because it is not sure
}

// Preview classifies text as the first message of a session. It calls no tool and stores nothing.
func Preview(ctx context.Context, def *config.Agent, c classifier.Classifier, text string, now time.Time) (Previewed, error) {
	in := classifier.Input{Text: text, Now: now.In(def.Location)}
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

// intentsOf returns the options that are intents.
func intentsOf(def *config.Agent, options []planner.Option) []string {
	var out []string
	for _, o := range options {
		if id, ok := o.Value.(string); ok && def.Intent(id) != nil {
			out = append(out, id)
		}
	}
	return out
}
