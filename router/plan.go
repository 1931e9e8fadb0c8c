package router

import (
	"context"
	"fmt"

	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router/telemetry"
)

// plan asks the planner for the next step. The planner itself carries out a Set and a Run; every
// other step has a state of its own.
func plan(_ context.Context, t *turn) (string, error) {
	if t.plan.Reset {
		if err := t.forget(); err != nil {
			return "", err
		}
	}
	for {
		t.step = t.plan.Next(t.outcome)
		t.reportRejected()
		t.emit(telemetry.StagePlan, t.describeStep())
		t.reportBadPaths()
		if t.steps++; t.steps > t.def().Policy.MaxSteps && !rests(t.step) {
			t.step = t.abandon()
		}
		switch t.step.(type) {
		case planner.Set, planner.Run:
		default:
			return eventOf(t.step), nil
		}
	}
}

// reportRejected reports the params that refused a value of the tool called last.
func (t *turn) reportRejected() {
	for _, name := range t.plan.RejectedParams {
		t.failIn(calling, "unfit_value", fmt.Sprintf("tool %s gave no value that fits param %s; it stays as it was", t.called, name))
	}
	t.plan.RejectedParams = nil
}

// eventOf returns the event that carries out a step.
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

// rests reports whether the turn ends with this step. Such a step may exceed the limit of steps.
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

// reportBadPaths reports paths of a step that lead nowhere. A text shows such a path as it is written;
// an argument is empty.
func (t *turn) reportBadPaths() {
	for _, path := range t.step.BadPaths() {
		t.failure = "wrong_path"
		t.fail("wrong_path", fmt.Sprintf("%s step %s names %s, which is not in what is there", t.step.Kind(), t.step.StepID(), path))
	}
}

// abandon ends a plan that takes too many steps.
func (t *turn) abandon() planner.Step {
	t.fail("max_steps", fmt.Sprintf("the plan took more than %d steps in one turn; look for a loop, or raise policy.max_steps", t.def().Policy.MaxSteps))
	t.failure = "max_steps"
	return t.plan.Abandon()
}

// forget clears the session at the user's request. Its messages stay, inactive.
func (t *turn) forget() error {
	t.plan.Reset = false
	if _, err := t.session.Clear(); err != nil {
		return fmt.Errorf("reset session: %w", err)
	}
	t.lastResult = []byte("null")
	return nil
}

func (t *turn) describeStep() telemetry.Plan {
	p := telemetry.Plan{Step: t.step.Kind(), StepID: t.step.StepID(), Depth: len(t.plan.Suspended)}
	if t.plan.Active != nil {
		p.Intent = t.plan.Active.Intent
	}
	return p
}
