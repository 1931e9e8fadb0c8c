package router

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/tools"
)

// settle finds out what became of calls that were started and never concluded, because the
// process died or the commit failed.
func (t *turn) recoverCalls(ctx context.Context, rows []memory.Step) ([]planner.InterruptedCall, error) {
	lost := make([]planner.InterruptedCall, 0, len(rows))
	for _, row := range rows {
		var args map[string]any
		if err := json.Unmarshal(row.Args, &args); err != nil {
			return nil, fmt.Errorf("journalled arguments of tool %s: %w", row.Tool, memory.ErrCorrupt)
		}
		out := t.recoverCall(ctx, row, args)
		t.calls[row.IdempotencyKey] = out
		t.recovered[row.Origin] = out
		t.finishStep(row, out)
		lost = append(lost, planner.InterruptedCall{
			Key: row.IdempotencyKey, MessageDigest: digestOf(row.Origin), Frame: row.Plan, Step: row.Step, Args: args,
			Outcome: planner.Outcome{Value: out.value, Code: out.code, Uncertain: out.uncertain},
		})
	}
	return lost, nil
}

// findOut is the outcome of a lost call: an idempotent tool is called again with the same key;
// any other call stays unknown, is told, and is never repeated by itself.
func (t *turn) recoverCall(ctx context.Context, row memory.Step, args map[string]any) outcome {
	spec := t.version.Tools.Spec(row.Tool)
	switch out, ok := t.calls[row.IdempotencyKey]; {
	case ok && !t.disputed(row, out):
		return out
	case spec == nil || !spec.Idempotent:
		return outcome{code: "unknown_outcome", uncertain: true}
	}
	out := t.useTool(context.WithoutCancel(ctx), tools.Call{Tool: row.Tool, Args: args, IdempotencyKey: row.IdempotencyKey})
	if out.code != "" && !out.uncertain && retriable[tools.Code(out.code)] {
		// The first try may have had its effect although this one was turned away.
		out.uncertain = true
	}
	return out
}

// settled tells the reply and telemetry of the lost calls that the state has. The others wait
// for the turn to come to them.
func (t *turn) reportRecovered(rows []memory.Step) {
	adrift := map[string]planner.InterruptedCall{}
	for _, call := range t.plan.Unmatched {
		adrift[call.Key] = call
	}
	for _, row := range rows {
		out := t.calls[row.IdempotencyKey]
		if call, ok := adrift[row.IdempotencyKey]; ok {
			t.unmatched = append(t.unmatched, unmatchedCall{row: row, args: call.Args, out: out})
			continue
		}
		t.report(row.Tool, config.EffectWrite, out, "replayed")
	}
}

// takeOver makes the session's version a newer one before calls are made again. Whoever
// started them may be a process that was paused, and commit what came of them for it while
// this one is at it: what this one then learns could not be told any more.
func (t *turn) claimSession(ctx context.Context, rows []memory.Step) error {
	if t.r.opts.Locker == nil {
		return nil
	}
	again := false
	for _, row := range rows {
		out, ok := t.calls[row.IdempotencyKey]
		if spec := t.version.Tools.Spec(row.Tool); spec != nil && spec.Idempotent && (!ok || t.disputed(row, out)) {
			t.session.FinishStep(row) // it stays open
			again = true
		}
	}
	if !again {
		return nil
	}
	at := t.session.UpdatedAt() // nothing was said yet
	if at.IsZero() {
		at = t.now
	}
	if err := t.session.Commit(ctx, at); err != nil {
		return fmt.Errorf("take over open calls: %w", err)
	}
	return nil
}

// disputed says whether what this process knows to have failed may have been done by another
// meanwhile, which called again with the same key.
func (t *turn) disputed(row memory.Step, out outcome) bool {
	spec := t.version.Tools.Spec(row.Tool)
	return t.r.opts.Locker != nil && spec != nil && spec.Idempotent && out.code != "" && !out.uncertain
}

// retriable are the codes that say nothing about whether an earlier try had its effect.
var retriable = map[tools.Code]bool{
	tools.Timeout: true, tools.Unavailable: true, tools.RateLimited: true, tools.BadResult: true, tools.Failed: true, tools.Denied: true,
}

// orphan is a lost call that the loaded state does not have: the turn that made it had learned
// what it was made with in the same message.
type unmatchedCall struct {
	row  memory.Step
	args map[string]any
	out  outcome
}

// adopt takes the outcome of an orphan for the call with its key, or for the very same one: the
// lost message was sent again, or typed anew, and led to the same call. A lost call that the
// state has is made by its message only once, too.
func (t *turn) recoveredOutcome(key, origin string, s planner.ToolCall) (outcome, bool) {
	for i, o := range t.unmatched {
		anew := o.row.Turn == t.session.Turn() && o.row.Step == s.ID && o.row.Tool == s.Tool && reflect.DeepEqual(o.args, s.Args)
		if o.row.IdempotencyKey == key || o.row.Origin == origin || anew {
			t.unmatched = append(t.unmatched[:i:i], t.unmatched[i+1:]...)
			return o.out, true
		}
	}
	out, ok := t.recovered[origin]
	return out, ok
}

// recorded is the outcome of a call that the journal has, and whether it has it. One that is
// still open is another process's, or was its: the turn is run again from what is there now, and
// settles it.
func (t *turn) journalled(ctx context.Context, key, origin string) (outcome, bool, error) {
	row, is, err := t.session.FindStep(ctx, key, origin)
	if errors.Is(err, memory.ErrCorrupt) {
		// Whether this very call was made may stand in the row that cannot be read: none is made.
		t.fail(damaged, "the journal of this session is damaged, so no write tool is called in it: "+err.Error()+
			". "+t.r.repair()+"; a new session is not held up")
		return outcome{code: damaged}, true, nil
	}
	if err != nil {
		return outcome{}, false, fmt.Errorf("read the journal: %w", err)
	}
	if !is {
		return outcome{}, false, nil
	}
	out := outcome{code: row.ErrorCode}
	switch row.Status {
	case memory.StepDone:
		if len(row.Result) > 0 {
			if err := json.Unmarshal(row.Result, &out.value); err != nil {
				return outcome{}, false, fmt.Errorf("journalled result of tool %s: %w", row.Tool, memory.ErrCorrupt)
			}
		}
	case memory.StepUnknown:
		out.uncertain = true
	case memory.StepStarted:
		return outcome{}, false, fmt.Errorf("journal tool %s: %w", row.Tool, memory.ErrConflict)
	}
	return out, true, nil
}

// tellOrphans tells, before anything else, of the lost calls that this turn did not come to.
func (t *turn) reportUnmatched() {
	var said, ids []string
	for _, o := range t.unmatched {
		t.report(o.row.Tool, config.EffectWrite, o.out, "replayed")
		words := t.plan.InterruptedReply(planner.Outcome{Code: o.out.code, Uncertain: o.out.uncertain})
		if words.Text != "" {
			said, ids = append(said, words.Text), append(ids, words.Response)
		}
	}
	t.replyParts, t.responseIDs = append(said, t.replyParts...), append(ids, t.responseIDs...)
	t.unmatched = nil
}
