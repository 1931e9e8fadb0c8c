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

// recoverCalls finds the outcome of calls that a process started and never finished, because it
// crashed or its commit failed.
func (t *turn) recoverCalls(ctx context.Context, rows []memory.Step) ([]planner.InterruptedCall, error) {
	interrupted := make([]planner.InterruptedCall, 0, len(rows))
	for _, row := range rows {
		var args map[string]any
		if err := json.Unmarshal(row.Args, &args); err != nil {
			return nil, fmt.Errorf("journalled arguments of tool %s: %w", row.Tool, memory.ErrCorrupt)
		}
		out := t.recoverCall(ctx, row, args)
		t.calls[row.IdempotencyKey] = out
		if t.recovered == nil {
			t.recovered = map[string]outcome{}
		}
		t.recovered[row.Origin] = out
		t.finishStep(row, out)
		interrupted = append(interrupted, planner.InterruptedCall{
			Key: row.IdempotencyKey, MessageDigest: digestOf(row.Origin), Frame: row.Plan, Step: row.Step, Args: args,
			Outcome: planner.Outcome{Value: out.value, Code: out.code, Uncertain: out.uncertain},
		})
	}
	return interrupted, nil
}

// recoverCall returns the outcome of an interrupted call. It calls an idempotent tool again with the
// same key, unless the store was put back since. The outcome of any other call stays unknown: the reply says so, and the call is never
// repeated by itself.
func (t *turn) recoverCall(ctx context.Context, row memory.Step, args map[string]any) outcome {
	spec := t.version.Tools.Spec(row.Tool)
	switch out, ok := t.calls[row.IdempotencyKey]; {
	case ok && !t.disputed(row, out):
		return out
	case spec == nil || !spec.Idempotent || row.StartedAt.Before(t.r.opts.Restored):
		return outcome{code: "unknown_outcome", uncertain: true}
	}
	out := t.useTool(context.WithoutCancel(ctx), tools.Call{Tool: row.Tool, Args: args, IdempotencyKey: row.IdempotencyKey})
	if out.code != "" && !out.uncertain && retriable[tools.Code(out.code)] {
		// The first try may have had its effect although this one was refused.
		out.uncertain = true
	}
	return out
}

// reportRecovered reports the interrupted calls that the planner has matched to its state. It keeps
// the others until this turn makes the same call.
func (t *turn) reportRecovered(rows []memory.Step) {
	unmatched := map[string]planner.InterruptedCall{}
	for _, call := range t.plan.Unmatched {
		unmatched[call.Key] = call
	}
	for _, row := range rows {
		out := t.calls[row.IdempotencyKey]
		if call, ok := unmatched[row.IdempotencyKey]; ok {
			t.unmatched = append(t.unmatched, unmatchedCall{row: row, args: call.Args, out: out})
			continue
		}
		t.report(row.Tool, config.EffectWrite, out, "replayed")
	}
}

// claimSession commits a new version of the session before interrupted calls are made again. The
// process that started them may only have been paused. If it committed their outcomes while this
// process repeats the calls, this process could not report what it learns.
func (t *turn) claimSession(ctx context.Context, rows []memory.Step) error {
	if t.r.opts.Locker == nil {
		return nil
	}
	again := false
	for _, row := range rows {
		out, ok := t.calls[row.IdempotencyKey]
		if spec := t.version.Tools.Spec(row.Tool); spec != nil && spec.Idempotent && (!ok || t.disputed(row, out)) {
			t.session.FinishStep(row) // the row keeps its status: it stays open
			again = true
		}
	}
	if !again {
		return nil
	}
	at := t.session.UpdatedAt() // the message of this turn does not count yet
	if at.IsZero() {
		at = t.now
	}
	if err := t.session.Commit(ctx, at); err != nil {
		return fmt.Errorf("claim the session of open calls: %w", err)
	}
	return nil
}

// disputed reports whether another process may have repeated, with success, a call that failed in
// this process.
func (t *turn) disputed(row memory.Step, out outcome) bool {
	spec := t.version.Tools.Spec(row.Tool)
	return t.r.opts.Locker != nil && spec != nil && spec.Idempotent && out.code != "" && !out.uncertain
}

// retriable lists the codes that say nothing about the effect of an earlier try.
var retriable = map[tools.Code]bool{
	tools.Timeout: true, tools.Unavailable: true, tools.RateLimited: true, tools.BadResult: true, tools.Failed: true, tools.Denied: true,
}

// unmatchedCall is an interrupted call that the loaded state cannot explain: the turn that made it
// took the arguments from its own message, which was lost with it.
type unmatchedCall struct {
	row  memory.Step
	args map[string]any
	out  outcome
}

// recoveredOutcome returns the outcome of an interrupted call with the same key, or of the same step
// with the same arguments: the lost message was sent or typed again and led to the same call.
// A message makes an interrupted call that the state knows only once, too.
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

// journalled returns the outcome of a call in the journal, and whether the call is there. A call that
// is still open belongs to another process, running or crashed: journalled returns ErrConflict, and
// the next run of the turn recovers the call.
func (t *turn) journalled(ctx context.Context, key, origin string) (outcome, bool, error) {
	row, is, err := t.session.FindStep(ctx, key, origin)
	if errors.Is(err, memory.ErrCorrupt) {
		// The unreadable row may be that of this call, so it must not be made.
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

// reportUnmatched puts the interrupted calls that this turn did not repeat before the reply.
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
