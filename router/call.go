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

// errNotJSON reports a value that JSON cannot hold. The text never names the value.
var errNotJSON = errors.New("a value is not JSON")

// outcome is the result of a call.
type outcome struct {
	value     any
	code      string // "" for success
	detail    string // for the operator, without values
	attempts  int
	uncertain bool // a write that may have had its effect
}

// call runs the step's tool. It journals a write durably before the call; the turn's commit adds the
// outcome.
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

// useTool calls a tool through the registry, which retries.
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

// write makes a write call: first the journal row, then the call, then the outcome, which the turn's
// commit stores. Every try of the same confirmed step has the same key, so a tool that remembers keys
// acts once. If the journal has the call already, write does not make it again: it returns the
// recorded outcome, and made is true. A message that had its effect before makes no other call.
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
			err = memory.ErrConflict // another process has changed the session
		}
		return out, made, err
	}
	if err != nil {
		return outcome{}, false, fmt.Errorf("journal tool %s: %w", s.Tool, err)
	}
	// A client that gives up must not interrupt the call.
	out = t.useTool(context.WithoutCancel(ctx), tools.Call{Tool: s.Tool, Args: s.Args, IdempotencyKey: key})
	t.calls[key] = out
	t.finishStep(row, out)
	return out, false, nil
}

// finishStep records the outcome of a journal row.
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

// idempotencyKey identifies a confirmed call of a session.
func (t *turn) idempotencyKey(s planner.ToolCall, args []byte) string {
	return t.digest(t.plan.Active.ID, s.ID, strconv.Itoa(s.Try), string(args))
}

// origin identifies a call by the message that led to it, so that a message which is sent again after
// a crash does not make its calls a second time. The same call twice in one message is two calls.
func (t *turn) origin(s planner.ToolCall, args []byte) string {
	call := t.digest(t.in.ID, s.ID, string(args))
	if t.callCount == nil {
		t.callCount = map[string]int{}
	}
	t.callCount[call]++
	return t.messageDigest() + "." + call + "." + strconv.Itoa(t.callCount[call])
}

// messageDigest identifies the turn's message in stored data, which must not contain the client's id.
func (t *turn) messageDigest() string { return t.digest("message", t.in.ID) }

// digestOf returns the digest of the message that led to a call, "" if its origin has none.
func digestOf(origin string) string {
	mark, _, found := strings.Cut(origin, ".")
	if !found || strings.Count(origin, ".") < 2 {
		return ""
	}
	return mark
}

// digest hashes parts together with the session's key.
func (t *turn) digest(parts ...string) string {
	return t.r.opts.Digests.Hex(append([]string{"call", t.key.UserID, t.key.AgentID, t.key.SessionID}, parts...)...)[:32]
}

// report adds a call to the reply and to telemetry. recovered replaces the status of a success there.
func (t *turn) report(tool string, effect config.Effect, out outcome, recovered string) {
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
	if recovered != "" && r.Status == "ok" {
		p.Status = recovered
	}
	t.emit(telemetry.StageToolCall, p)
	if out.code != "" {
		t.events[len(t.events)-1].Level = telemetry.LevelWarn
	}
}

// maxSummary is the longest result that the history keeps, in bytes.
const maxSummary = 1000

// note keeps the call, and its result in short, for the history.
func (t *turn) note(s planner.ToolCall, args json.RawMessage, out outcome) {
	if s.Validates != "" {
		return // the validation of an answer is not part of the conversation
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
