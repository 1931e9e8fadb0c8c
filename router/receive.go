package router

import (
	"context"
	"fmt"
	"unicode/utf8"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router/telemetry"
)

// receive loads the session. It returns the stored reply of a message that was answered before. A
// person who has the conversation gets the message instead of the agent.
func receive(ctx context.Context, t *turn) (string, error) {
	t.stageBegan = t.started
	session, err := t.load(ctx)
	if err != nil {
		return "", fmt.Errorf("load session: %w", err)
	}
	t.session = session
	t.now = t.r.opts.Now().In(t.def().Location)
	state := session.State()
	if session.UpdatedAt().Before(t.r.opts.Restored) { // a yes may be to what was asked later, and was done
		if state.PlanExecution, err = planner.AskAgain(state.PlanExecution, false); err != nil {
			return "", fmt.Errorf("load session: %w", err)
		}
	}
	plan, err := planner.Load(state.PlanExecution, state.Params)
	if err != nil {
		return "", fmt.Errorf("load session: %w", err)
	}
	open := session.OpenSteps()
	t.emit(telemetry.StageReceived, telemetry.Received{
		Memory:          telemetry.NewMemory(session.HistoryCount(), state.Params),
		WaitingForParam: state.WaitingForParam, TextLength: utf8.RuneCountInString(t.in.Text),
		Replayed: session.Replay() != nil, Recovering: len(open), HandOver: t.handOverKind(plan),
	})
	if earlier := session.Replay(); earlier != nil {
		return t.replay(earlier)
	}
	if t.holds(plan) {
		return t.hold(ctx, plan)
	}
	return t.begin(ctx, plan, open)
}

// begin begins a turn of the agent: it recovers calls that a crash interrupted, and applies what has
// expired.
func (t *turn) begin(ctx context.Context, plan *planner.State, open []memory.Step) (event string, err error) {
	session, gives := t.session, t.in.HandOver != nil
	switch {
	case gives && session.Version() == 0:
		return "", memory.ErrNotFound
	case gives && plan.Held() == nil:
		return "", ErrNotTaken
	}
	if err := t.checkAfterTurn(plan, open); err != nil {
		return "", err
	}
	if err := t.claimSession(ctx, open); err != nil {
		return "", err
	}
	interrupted, err := t.recoverCalls(ctx, open)
	if err != nil {
		return "", err
	}
	_, t.confirming = plan.Confirming()
	t.plan, err = planner.Begin(t.def(), plan, planner.TurnInput{
		Number: session.Turn(), Message: t.in.ID, MessageDigest: t.digestFor(plan, interrupted), Now: t.now, Since: session.UpdatedAt(),
		Interrupted: interrupted, CanRead: t.version.canRead(t.now), Preset: t.in.Preset, Stateless: t.r.opts.Stateless, Passed: t.r.opts.Passed,
		Seen: t.in.AfterTurn != nil && plan.Answers(*t.in.AfterTurn, session.Turns()), GivenBack: gives,
	})
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrBadInteraction, err)
	}
	t.reportRecovered(open)
	if t.plan.IdleExpired {
		session.Rest()
	}
	if err := session.Expire(ctx, t.now, t.r.opts.MessageTTL); err != nil {
		return "", err
	}
	if gives {
		t.reply.Action = t.in.HandOver.Action
		return evPlan, nil
	}
	return evClassify, t.hear()
}

// hear appends what the user says to the history.
func (t *turn) hear() (err error) {
	if t.in.Structured != nil {
		if t.structured, err = t.readStructured(*t.in.Structured); err != nil {
			return err
		}
		t.in.Text = t.structured.text
	}
	t.messageSeq = t.session.Append(memory.Message{
		Role: memory.User, Text: t.in.Text, Timestamp: t.now.UTC(), Metadata: memory.Tagged(t.in.Tags), Importance: t.in.Importance,
	}).Seq
	return nil
}

// digestFor returns the message's digest if there is one to compare it with. Most turns have none, and
// save the work.
func (t *turn) digestFor(plan *planner.State, interrupted []planner.InterruptedCall) string {
	if len(plan.Handled)+len(interrupted) == 0 {
		return ""
	}
	return t.messageDigest()
}

// checkAfterTurn fails if the message answers another turn than the newest one: its yes may not be
// meant for the question that is open now. A turn that made a write call before it met a conflict
// must finish, unless another process has recorded the outcome since. The planner does not use the
// yes that led to such a call a second time ([planner.Begin]).
func (t *turn) checkAfterTurn(plan *planner.State, open []memory.Step) error {
	if t.in.AfterTurn == nil || t.r.opts.Stateless {
		return nil
	}
	if plan.Answers(*t.in.AfterTurn, t.session.Turns()) {
		return nil
	}
	for _, row := range open {
		if _, made := t.calls[row.IdempotencyKey]; made {
			return nil
		}
	}
	return &StaleTurnError{Newest: plan.Stands(t.session.Turns())}
}

// replay returns the stored reply.
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
	var err error
	if t.reply, err = StoredReply(t.key.SessionID, earlier); err != nil {
		return "", err
	}
	if t.reply.Action != t.in.action() {
		return "", fmt.Errorf("%w: turn %d has this message id, and was something else", ErrBadInteraction, earlier.Number)
	}
	t.replayed = true
	return evReplay, nil
}
