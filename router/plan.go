package router

import (
	"context"
	"fmt"

	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router/telemetry"
)

// plan asks the planner what comes next. Values are set here at once; every other step
// has a state of its own.
func plan(_ context.Context, t *turn) (string, error) {
	if t.plan.Reset {
		if err := t.forget(); err != nil {
			return "", err
		}
	}
	for {
		t.step = planner.Next(t.def(), t.plan)
		t.emit(telemetry.StagePlan, t.describeStep())
		t.tellAstray()
		if t.steps++; t.steps > t.def().Policy.MaxSteps && !rests(t.step) {
			t.step = t.giveUp()
		}
		set, ok := t.step.(planner.Set)
		if !ok {
			return eventOf(t.step), nil
		}
		t.plan.Performed(t.def(), set)
	}
}

// eventOf is the event that carries out a step.
func eventOf(step planner.Step) string {
	switch step.(type) {
	case planner.AskUser, planner.Choose, planner.Offer:
		return evAsk
	case planner.Confirm:
		return evConfirm
	case planner.ToolCall:
		return evCall
	default:
		return evRespond
	}
}

// rests says whether the turn is over with this step, so that it is allowed even when
// no further steps are.
func rests(step planner.Step) bool {
	switch s := step.(type) {
	case planner.AskUser, planner.Choose, planner.Offer, planner.Confirm:
		return true
	case planner.End:
		return !s.Ends
	default:
		return false
	}
}

// tellAstray tells of paths in a step that cannot be right. The texts show them as they are
// written; an argument is empty.
func (t *turn) tellAstray() {
	for _, path := range planner.BadPaths(t.step) {
		t.failure = "wrong_path"
		t.fail("wrong_path", fmt.Sprintf("%s step %s names %s, which is not in what is there", t.step.Kind(), t.step.StepID(), path))
	}
}

// giveUp ends a plan that goes round in circles.
func (t *turn) giveUp() planner.Step {
	t.fail("max_steps", fmt.Sprintf("the plan took more than %d steps in one turn; look for a loop, or raise policy.max_steps", t.def().Policy.MaxSteps))
	t.failure = "max_steps"
	return t.plan.Abandon(t.def())
}

// forget empties the session, as its user asked: messages stay, inactive.
func (t *turn) forget() error {
	t.plan.Reset = false
	if _, err := t.session.Clear(); err != nil {
		return fmt.Errorf("reset session: %w", err)
	}
	t.last = []byte("null")
	return nil
}

func (t *turn) describeStep() telemetry.Plan {
	p := telemetry.Plan{Step: t.step.Kind(), StepID: t.step.StepID(), Depth: len(t.plan.Suspended)}
	if t.plan.Active != nil {
		p.Intent = t.plan.Active.Intent
	}
	return p
}
