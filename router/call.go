package router

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router/telemetry"
	"github.com/slotway/slotway/tools"
)

// errNotJSON: a value that JSON cannot hold. Its text never names the value.
var errNotJSON = errors.New("a value is not JSON")

// outcome is what a call came to.
type outcome struct {
	value     any
	code      string // "" for success
	detail    string // for the operator, without values
	attempts  int
	uncertain bool // a write that may have had its effect
}

// call runs the step's tool. A write is journalled first, durably, and its outcome with
// the turn's commit.
func call(ctx context.Context, t *turn) (string, error) {
	s := t.step.(planner.ToolCall)
	args, err := json.Marshal(s.Args)
	if err != nil {
		return "", fmt.Errorf("arguments of tool %s: %w", s.Tool, errNotJSON)
	}
	var out outcome
	earlier := ""
	if s.Effect == config.EffectWrite {
		var made bool
		if out, made, err = t.write(ctx, s, args); err != nil {
			return "", err
		}
		if made {
			earlier = "replayed"
		}
	} else {
		out = t.useTool(ctx, tools.Call{Tool: s.Tool, Args: s.Args})
	}
	t.report(s.Tool, s.Effect, out, earlier)
	t.note(s, args, out)
	t.outcome, t.called = planner.Outcome{Value: out.value, Code: out.code, Uncertain: out.uncertain}, s.Tool
	return evResult, nil
}

// useTool is one call through the registry, retries included.
func (t *turn) useTool(ctx context.Context, c tools.Call) outcome {
	c.Caller = tools.Caller{UserID: t.key.UserID, AgentID: t.key.AgentID, SessionID: t.key.SessionID}
	res, err := t.version.Tools.Call(ctx, c)
	out := outcome{value: res.Value, attempts: res.Attempts}
	if err == nil {
		return out
	}
	out.value, out.code, out.detail = nil, string(tools.CodeOf(err)), string(tools.CodeOf(err))
	var te *tools.Error
	if errors.As(err, &te) {
		out.uncertain, out.detail = te.Uncertain, te.Detail
	}
	return out
}

// write makes a call with an effect: the journal row first, then the call, then the
// outcome, which the turn's commit carries. The key is the same for every try of the
// same confirmed step, so that a tool which keeps keys acts once. A call that the journal
// has already is not made again: its outcome is what it came to then, and made is true. A
// message that has had its effect already makes no other call.
func (t *turn) write(ctx context.Context, s planner.ToolCall, args json.RawMessage) (out outcome, made bool, err error) {
	key, origin := t.idempotencyKey(s, args), t.origin(s, args)
	if out, ok := t.recoveredOutcome(key, origin, s); ok {
		return out, true, nil
	}
	if t.plan.IsHandled() && !t.handled {
		if out, made, err = t.journalled(ctx, key, origin); err == nil && !made {
			err = errHandled
		}
		return out, made, err
	}
	row := memory.Step{
		IdempotencyKey: key, Origin: origin, Turn: t.session.Turn(), Plan: t.plan.Active.ID, Step: s.ID, Tool: s.Tool,
		Args: args, Status: memory.StepStarted, StartedAt: t.r.opts.Now().UTC(),
	}
	err = t.session.Start(ctx, row)
	if errors.Is(err, memory.ErrStarted) {
		if out, made, err = t.journalled(ctx, key, origin); err == nil && !made {
			err = memory.ErrConflict // it is gone: the session moved on
		}
		return out, made, err
	}
	if err != nil {
		return outcome{}, false, fmt.Errorf("journal tool %s: %w", s.Tool, err)
	}
	// From here on the caller's patience is no reason to stop in the middle.
	out = t.useTool(context.WithoutCancel(ctx), tools.Call{Tool: s.Tool, Args: s.Args, IdempotencyKey: key})
	t.calls[key] = out
	t.finishStep(row, out)
	return out, false, nil
}

// conclude records the outcome of a journal row.
func (t *turn) finishStep(row memory.Step, out outcome) {
	row.Attempts += out.attempts
	row.EndedAt = t.r.opts.Now().UTC()
	row.ErrorCode = out.code
	switch {
	case out.uncertain:
		row.Status = memory.StepUnknown
	case out.code != "":
		row.Status = memory.StepFailed
	default:
		row.Status = memory.StepDone
		if data, err := json.Marshal(out.value); err == nil {
			row.Result = data
		}
	}
	t.session.FinishStep(row)
}

// idempotencyKey names one confirmed call of one session.
func (t *turn) idempotencyKey(s planner.ToolCall, args []byte) string {
	return t.digest(t.plan.Active.ID, s.ID, strconv.Itoa(s.Try), string(args))
}

// origin names a call after the message that led to it: a message that comes again, whatever was
// said and done since it was lost, makes no call a second time. The same call twice in one
// message is two calls.
func (t *turn) origin(s planner.ToolCall, args []byte) string {
	call := t.digest(t.in.ID, s.ID, string(args))
	t.callCount[call]++
	return t.messageDigest() + "." + call + "." + strconv.Itoa(t.callCount[call])
}

// messageMark names the turn's message in what is stored: an id of the caller's own stays out of it.
func (t *turn) messageDigest() string { return t.digest("message", t.in.ID) }

// messageOf is the mark of the message that led to a call, "" where its origin has none.
func digestOf(origin string) string {
	mark, _, found := strings.Cut(origin, ".")
	if !found || strings.Count(origin, ".") < 2 {
		return ""
	}
	return mark
}

// digest names parts within the session.
func (t *turn) digest(parts ...string) string {
	return t.r.opts.Digests.Hex(append([]string{"call", t.key.UserID, t.key.AgentID, t.key.SessionID}, parts...)...)[:32]
}

// report tells the reply and telemetry how a call went.
func (t *turn) report(tool string, effect config.Effect, out outcome, settled string) {
	r := ToolReport{Tool: tool, Status: "ok"}
	switch {
	case out.uncertain:
		r.Status = "unknown"
	case out.code != "":
		r.Status = "error"
	}
	if out.code != "" {
		r.Error = &out.code
	}
	t.reply.ToolCalls = append(t.reply.ToolCalls, r)
	p := telemetry.ToolCall{
		Tool: tool, Effect: string(effect), Status: r.Status, ErrorCode: out.code,
		Attempts: out.attempts, Journalled: effect == config.EffectWrite,
	}
	if settled != "" && r.Status == "ok" {
		p.Status = settled
	}
	t.emit(telemetry.StageToolCall, p)
	if out.code != "" {
		t.events[len(t.events)-1].Level = telemetry.LevelWarn
	}
}

// maxSummary bounds what of a result is kept in the history, in bytes.
const maxSummary = 1000

// note keeps a short record of the call for the history, and its result.
func (t *turn) note(s planner.ToolCall, args json.RawMessage, out outcome) {
	if s.Validates != "" {
		return // a check of an answer is no part of the conversation
	}
	id := fmt.Sprintf("t%d.%d", t.session.Turn(), len(t.toolCalls)+1)
	text := out.code
	if out.code == "" {
		data, err := json.Marshal(out.value)
		if err != nil {
			data = []byte("null")
		}
		t.lastResult = data
		text = string(data)
		if len(text) > maxSummary {
			text = fmt.Sprintf("a result of %d bytes", len(text))
		}
	} else {
		t.failure = out.code
	}
	t.toolCalls = append(t.toolCalls, memory.ToolCall{ID: id, Tool: s.Tool, Args: args})
	m := memory.Message{Role: memory.Tool, Name: s.Tool, ToolCallID: id, Text: text, Timestamp: t.now.UTC()}
	t.toolMessages = append(t.toolMessages, t.summarised(m, out))
}
