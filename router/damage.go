package router

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/planner"
)

// load reads the session. If it has damaged rows, it goes on without them, and telemetry names the rows
// and what the operator can do.
func (t *turn) load(ctx context.Context) (*memory.Session, error) {
	var named []string
	session, err := t.r.sessions.ForTurn(ctx, t.key, t.in.ID, t.reruns > 0)
	if errors.Is(err, memory.ErrCorrupt) {
		named = append(named, err.Error())
		session, err = t.r.sessions.Renew(ctx, t.key, t.in.ID, t.r.opts.Now())
	}
	if errors.Is(err, memory.ErrCorrupt) {
		return nil, fmt.Errorf("%w. %s", err, t.r.repair())
	}
	if err != nil {
		return nil, err
	}
	if named = append(named, session.Damage()...); len(named) == 0 {
		return session, nil
	}
	if more := len(named) - maxNamed; more > 0 {
		named = append(named[:maxNamed:maxNamed], fmt.Sprintf("and %d more", more))
	}
	left := "the session goes on without them"
	if session.StateLost() {
		left = "the session goes on without its params, its plan and its history"
	}
	t.failure = damaged
	t.fail(damaged, "stored rows of this session are damaged and "+left+": "+strings.Join(named, "; ")+
		". "+t.r.repair())
	return session, nil
}

// repair returns the advice for an operator about damaged rows.
func (r *Router) repair() string {
	return cmp.Or(r.opts.Repair, "Compare the store with a backup") + "; 'slotway sessions forget' erases the session"
}

// damaged is the error code of a turn that went on without damaged rows.
const damaged = "damaged"

// maxNamed is how many damaged rows one event names.
const maxNamed = 8

// reportDamage puts what the turn had to go on without before the reply.
func (t *turn) reportDamage() {
	var words []planner.Respond
	if t.session.StateLost() {
		words = append(words, t.plan.DamagedReply())
	}
	if t.session.StepsLost() {
		words = append(words, t.plan.InterruptedReply(planner.Outcome{Uncertain: true}))
	}
	for i := len(words) - 1; i >= 0; i-- {
		if words[i].Text != "" {
			t.replyParts, t.responseIDs = append([]string{words[i].Text}, t.replyParts...), append([]string{words[i].Response}, t.responseIDs...)
		}
	}
}
