package router

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router/telemetry"
)

// receive loads the session, gives a message that was answered before its stored reply,
// settles what a crash left open, and lets the time that passed take effect.
func receive(ctx context.Context, t *turn) (string, error) {
	t.stageBegan = t.started
	session, err := t.load(ctx)
	if err != nil {
		return "", fmt.Errorf("load session: %w", err)
	}
	t.session = session
	t.now = t.r.opts.Now().In(t.def().Location)
	state := session.State()
	plan, err := planner.Load(state.PlanExecution, state.Params)
	if err != nil {
		return "", fmt.Errorf("load session: %w", err)
	}
	unsettled := session.OpenSteps()
	t.emit(telemetry.StageReceived, telemetry.Received{
		Memory:          telemetry.NewMemory(session.HistoryCount(), state.Params),
		WaitingForParam: state.WaitingForParam, TextLength: utf8.RuneCountInString(t.in.Text),
		Replayed: session.Replay() != nil, Recovering: len(unsettled),
	})
	if earlier := session.Replay(); earlier != nil {
		return t.replay(earlier)
	}
	// A turn that has called a tool before it met a conflict must come to its end.
	if want := t.in.Version; want != 0 && want != session.Version() && len(t.calls) == 0 && !t.r.opts.Stateless {
		return "", fmt.Errorf("version %d instead of %d: %w", session.Version(), want, ErrVersionMismatch)
	}
	if err := t.checkAfterTurn(plan, unsettled); err != nil {
		return "", err
	}
	if err := t.claimSession(ctx, unsettled); err != nil {
		return "", err
	}
	lost, err := t.recoverCalls(ctx, unsettled)
	if err != nil {
		return "", err
	}
	t.confirming = plan.Open != nil && plan.Open.Kind == planner.AskConfirm
	t.plan, err = planner.Begin(t.def(), plan, planner.TurnInput{
		Number: session.Turn(), Message: t.in.ID, MessageDigest: t.digestFor(plan, lost), Now: t.now, Since: session.UpdatedAt(),
		Interrupted: lost, CanRead: t.version.canRead(t.now), Preset: t.in.Preset, Stateless: t.r.opts.Stateless,
	})
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrBadInteraction, err)
	}
	t.reportRecovered(unsettled)
	if t.plan.IdleExpired {
		if _, err := session.Clear(); err != nil {
			return "", fmt.Errorf("begin the session afresh: %w", err)
		}
	}
	if ttl := t.r.opts.MessageTTL; ttl > 0 {
		// What cannot be read for damage is left to the log that the load has written.
		if err := session.ExpireBefore(ctx, t.now.Add(-ttl)); err != nil && !errors.Is(err, memory.ErrCorrupt) && !errors.Is(err, memory.ErrNotFound) {
			return "", err
		}
	}
	if t.in.Structured != nil {
		if t.structured, err = t.readStructured(*t.in.Structured); err != nil {
			return "", err
		}
		t.in.Text = t.structured.text
	}
	t.messageSeq = session.Append(memory.Message{
		Role: memory.User, Text: t.in.Text, Timestamp: t.now.UTC(), Metadata: memory.Tagged(t.in.Tags), Importance: t.in.Importance,
	}).Seq
	return evClassify, nil
}

// markWith is the message's mark where there is something to hold it against: most turns have
// nothing, and need not make it.
func (t *turn) digestFor(plan *planner.State, lost []planner.InterruptedCall) string {
	if len(plan.Handled)+len(lost) == 0 {
		return ""
	}
	return t.messageDigest()
}

// answersNow fails when the message answers to another turn than the newest: what it says yes
// to may not be what is asked now. A turn that has made a call before it met a conflict, and
// that nobody has concluded since, must come to its end: the planner takes a yes that led to
// such a call for used up ([planner.Begin]).
func (t *turn) checkAfterTurn(plan *planner.State, unsettled []memory.Step) error {
	if t.in.AfterTurn == nil || t.r.opts.Stateless {
		return nil
	}
	stands := plan.Stands(t.session.Turns())
	if stands == *t.in.AfterTurn {
		return nil
	}
	for _, row := range unsettled {
		if _, made := t.calls[row.IdempotencyKey]; made {
			return nil
		}
	}
	return &StaleTurnError{Newest: stands}
}

// replay answers with what was answered before.
func (t *turn) replay(earlier *memory.Turn) (string, error) {
	if len(earlier.Response) == 0 { // a store that keeps no text
		words, code := planner.NotKeptReply(t.def()), "not_kept"
		if t.failure == damaged {
			code = damaged
		}
		t.reply = Reply{
			SessionID: t.key.SessionID, Turn: earlier.Number, Intent: earlier.Intent, Reply: words.Text,
			Params: map[string]any{}, ToolCalls: []ToolReport{}, Error: &code,
		}
		t.replayed = true
		return evReplay, nil
	}
	if err := json.Unmarshal(earlier.Response, &t.reply); err != nil {
		return "", fmt.Errorf("stored reply of turn %d: %w", earlier.Number, memory.ErrCorrupt)
	}
	t.replayed = true
	return evReplay, nil
}
