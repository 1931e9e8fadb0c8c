package router

import (
	"context"

	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router/telemetry"
)

// confirm asks for a yes to exactly the write calls that the step covers.
func confirm(_ context.Context, t *turn) (string, error) {
	s := t.step.(planner.Confirm)
	t.say("", s.Prompt)
	t.plan.Rest()
	t.emit(telemetry.StageConfirm, telemetry.Confirm{Tool: s.Tool, StepID: s.ID, Attempt: s.Attempt + 1})
	return evWait, nil
}
