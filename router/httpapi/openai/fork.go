package openai

import (
	"context"
	"errors"
	"hash/maphash"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/transfer"
	"github.com/slotway/slotway/planner"
)

// fork copies a candidate's session as it was after the turn; nil: that is not kept. The same
// message forks to the same copy. If the turn asked for a confirmation and an answer has led to the
// call, no other answer is taken: the call would run twice, or the reply would deny it.
func (f *Adapter) fork(ctx context.Context, c *candidate, id string) (t *target, err error) {
	from := c.snap.Key
	to := from
	to.SessionID = f.digests.session("fork", from.UserID, from.AgentID, ref{from.SessionID, c.turn}.id(""), id)
	release := func() {}
	if c.reply.Confirming != nil {
		if release, err = f.lockConfirmation(ctx, from); err != nil {
			return nil, err
		}
	}
	defer func() {
		if t == nil {
			release()
		}
	}()
	copied, err := f.opts.Store.Load(ctx, to, memory.LoadOptions{RequestID: id})
	if err != nil {
		return nil, err
	}
	if copied.Replay == nil {
		if err := f.checkNotCalled(ctx, c, to); err != nil {
			return nil, err
		}
	}
	if copied.State.Version == 0 {
		if copied, err = f.copySession(ctx, from, to, c.turn); copied == nil || err != nil {
			return nil, err
		}
	}
	if err := f.linkFork(ctx, c.snap, copied, c.turn); err != nil {
		return nil, err
	}
	return &target{key: to, id: id, version: copied.State.Version, history: forked, release: release}, nil
}

// copySession makes the fork; nil: the session as it was after the turn is not kept. An open
// question stays open: the history of the request shows it, so a yes there answers it. No person has the
// copy.
func (f *Adapter) copySession(ctx context.Context, from, to memory.Key, turn int64) (*memory.Snapshot, error) {
	switch err := transfer.Fork(ctx, f.opts.Store, from, to, turn, func(state *memory.State) (err error) {
		state.PlanExecution, err = planner.KeepHandOver(state.PlanExecution, nil)
		return err
	}); {
	case errors.Is(err, memory.ErrConflict): // the same request made it at the same time
	case errors.Is(err, memory.ErrNotFound), errors.Is(err, memory.ErrNoSnapshot):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return f.opts.Store.Load(ctx, to, memory.LoadOptions{})
}

// maxForks is the number of sessions that are searched for the effect of an old confirmation.
const maxForks = 256

// checkNotCalled fails if the turn asked to confirm a call that has run since, in its session or in
// any fork but to.
func (f *Adapter) checkNotCalled(ctx context.Context, c *candidate, to memory.Key) error {
	if c.reply.Confirming == nil {
		return nil
	}
	tool, key := *c.reply.Confirming, c.snap.Key
	sessions := []string{key.SessionID}
	for i := 0; i < len(sessions); i++ {
		if i == maxForks {
			return tooManyBranches()
		}
		key.SessionID = sessions[i]
		steps, err := f.opts.Store.Steps(ctx, key)
		if err != nil {
			return err
		}
		for _, step := range steps {
			if step.Tool == tool && step.Turn > c.turn && step.Status != memory.StepFailed {
				return alreadyCalled(tool)
			}
		}
		forks, err := f.refs(ctx, viewsOf(key, forkTier, "to/"))
		if err != nil {
			return err
		}
		for _, fork := range forks {
			if fork.turn >= c.turn && fork.session != to.SessionID {
				sessions = append(sessions, fork.session)
			}
		}
	}
	return nil
}

// tooManyBranches refuses another answer to a turn that has been answered in too many ways.
func tooManyBranches() *apiError {
	return conflict("too_many_branches", "What followed the question that this message answers was changed more than %d times. Go on at the end of one of these conversations, or begin a new one.", maxForks-1)
}

// alreadyCalled refuses an answer that would take back a call.
func alreadyCalled(tool string) *apiError {
	return conflict("already_carried_out", "What this message answers was settled: %s was called since, and a call is not taken back by changing what was said. Go on at the end of the conversation, or begin a new one.", tool)
}

// lockConfirmation lets one request at a time, of all processes, answer an old confirmation of a
// session. It is not the lock of the session itself, which the turn takes.
func (f *Adapter) lockConfirmation(ctx context.Context, of memory.Key) (release func(), err error) {
	local, err := f.confirmations.lock(ctx, of.SessionID)
	if err != nil || f.opts.Locks == nil {
		return local, err
	}
	of.SessionID = f.digests.session("question", of.SessionID)
	shared, err := f.opts.Locks.Enter(ctx, of)
	if err != nil {
		local()
		return nil, err
	}
	return func() { shared(); local() }, nil
}

// stripedLock is a lock by name, within this process. Some names share a lock.
type stripedLock struct {
	seed    maphash.Seed
	stripes [64]chan struct{}
}

func newStripedLock() *stripedLock {
	l := &stripedLock{seed: maphash.MakeSeed()}
	for i := range l.stripes {
		l.stripes[i] = make(chan struct{}, 1)
	}
	return l
}

// lock waits for the lock of a name. It fails with the context's error.
func (l *stripedLock) lock(ctx context.Context, name string) (unlock func(), err error) {
	stripe := l.stripes[maphash.String(l.seed, name)%uint64(len(l.stripes))]
	select {
	case stripe <- struct{}{}:
		return func() { <-stripe }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
