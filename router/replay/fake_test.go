package replay

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/slotway/slotway/internal/test/telemetrytest"
	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/telemetry"
	"github.com/slotway/slotway/tools"
)

// echo is a runtime that does as it is told by the message: "ask NAME" asks for a param,
// "call TOOL" calls a scripted tool, "time" says the time, "agent" the file of the agent, "write TEXT" and "read" keep a
// text in the data folder, "offer A B" names what can be said, "leave TEXT" leaves it over, "fail" cannot be carried out. It closes the loop between a file
// and a Result without an agent.
type echo struct {
	setup  Setup
	turns  int64
	closed bool
}

func openEcho(_ context.Context, s Setup) (Runtime, error) { return &echo{setup: s}, nil }

func (e *echo) Handle(ctx context.Context, in router.Interaction) (router.Reply, error) {
	e.turns++
	intent, rest, _ := strings.Cut(in.Text, " ")
	r := router.Reply{Turn: e.turns, Intent: intent, Reply: in.Text, Params: map[string]any{"count": float64(e.turns), "zip": "04101"}}
	e.emit(telemetry.StageReceived, telemetry.Received{Replayed: in.ID == "again"})
	switch intent {
	case "fail":
		return r, os.ErrPermission
	case "ask":
		r.Asked, r.WaitingForParam = &rest, &rest
	case "given":
		r.Confirming = &in.Preset.ConfirmTool
	case "agent":
		r.Reply = filepath.Base(e.setup.Agent)
	case "time":
		r.Reply = e.setup.Now().UTC().Format(time.RFC3339)
	case "write":
		return r, os.WriteFile(e.file(), []byte(rest), 0o600)
	case "read":
		data, err := os.ReadFile(e.file())
		r.Reply = string(data)
		return r, err
	case "offer":
		for title := range strings.FieldsSeq(rest) {
			r.Options = append(r.Options, planner.Suggestion{Title: title, Text: strings.ToLower(title)})
		}
	case "leave":
		e.emit(telemetry.StageClassify, telemetry.Classify{
			Chosen:    []telemetry.Reading{{Rule: "courtesy", Score: 0.5}, {Rule: "answer", Intent: "pay", Score: 0.875}},
			RunnersUp: []telemetry.Reading{{Rule: "task", Intent: "order", Score: 0.25}}, Unheard: 2,
		})
		r.Unheard = []router.Unheard{{Text: rest, Told: true}, {Text: "the rest"}}
	case "call":
		e.call(ctx, &r, rest)
	}
	return r, nil
}

func (e *echo) file() string { return filepath.Join(e.setup.Dir, "kept") }

// call makes a check of a param, which stands in no plan, then a call that does.
func (e *echo) call(ctx context.Context, r *router.Reply, tool string) {
	e.emit(telemetry.StagePlan, telemetry.Plan{Step: "call"})
	e.emit(telemetry.StageToolCall, telemetry.ToolCall{Tool: "check", Effect: "read", Status: "ok"})
	value, err := e.setup.Tools[tool].Call(ctx, tools.Call{Tool: tool})
	e.emit(telemetry.StagePlan, telemetry.Plan{Step: "call", StepID: "p1"})
	e.emit(telemetry.StageToolCall, telemetry.ToolCall{Tool: tool, Effect: "read", Status: "ok"})
	r.Reply, _ = value.(string)
	if err != nil {
		code := string(tools.CodeOf(err))
		r.Error = &code
	}
}

func (e *echo) emit(stage telemetry.Stage, p telemetry.Payload) {
	event := telemetry.Event{Time: e.setup.Now(), Stage: stage, SessionID: "s", Turn: e.turns, Payload: p}
	if err := telemetrytest.Check(telemetry.AppendLine(nil, event)); err != nil {
		panic(err) // the fake says what no router does
	}
	e.setup.Sink.Record(event)
}

func (e *echo) Close() error {
	e.closed = true
	return nil
}
