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

// FirstIntent is the task that a message would begin a session with, "" for none: it was not
// understood, or is asked back about. Nothing is called and nothing is kept.
func FirstIntent(ctx context.Context, def *config.Agent, c classifier.Classifier, text string, now time.Time) (string, error) {
	in := classifier.Input{Text: utterance.Normalise(text), Now: now.In(def.Location)}
	result, err := c.Classify(ctx, in)
	if err != nil {
		return "", fmt.Errorf("classify: %w", err)
	}
	turn, err := planner.Begin(def, planner.New(), planner.Opening{Number: 1, Now: in.Now})
	if err != nil {
		return "", fmt.Errorf("begin a turn: %w", err)
	}
	planner.Read(def, turn, heard(in.Text, result))
	if turn.Active == nil {
		return "", nil
	}
	return turn.Active.Intent, nil
}
