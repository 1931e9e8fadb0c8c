package router

import (
	"context"

	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router/telemetry"
)

// ask asks for a param, for a choice, or how to go on.
func ask(_ context.Context, t *turn) (string, error) {
	p := telemetry.AskUser{Kind: t.step.Kind(), Attempt: 1}
	switch s := t.step.(type) {
	case planner.AskUser:
		t.say("", s.Prompt)
		p.Param, p.Attempt = s.Param, s.Attempt+1
	case planner.Choose:
		t.say("", s.Prompt)
		p.Param, p.Attempt = s.Param, s.Attempt+1
	case planner.Offer:
		t.say("", s.Prompt)
	}
	t.plan.Rest()
	p.WaitingForParam = t.plan.WaitingForParam()
	if p.Param != "" {
		t.reply.Asked = &p.Param
	}
	t.emit(telemetry.StageAskUser, p)
	return evWait, nil
}
