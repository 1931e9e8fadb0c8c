package openai

import (
	"context"
	"errors"
	"hash/maphash"
	"net/http"

	"github.com/slotway/slotway/memory"
)

// fork copies the session as it stood at the turn; nil: how it stood is not kept. The same
// message forks to the same copy. Where the turn asked for a yes, and an answer to it has
// led to the call, no other answer is taken: the call would be made twice, or told to be
// undone.
func (f *Adapter) fork(ctx context.Context, s *sighting, id string) (p *place, err error) {
	from := s.snap.Key
	to := from
	to.SessionID = f.digests.session("fork", from.UserID, from.AgentID, ref{from.SessionID, s.turn}.id(""), id)
	release := func() {}
	if s.reply.Confirming != nil {
		if release, err = f.question(ctx, from); err != nil {
			return nil, err
		}
	}
	defer func() {
		if p == nil {
			release()
		}
	}()
	copied, err := f.opts.Store.Load(ctx, to, memory.LoadOptions{RequestID: id})
	if err != nil {
		return nil, err
	}
	if copied.Replay == nil {
		if err := f.unsettledQuestion(ctx, s, to); err != nil {
			return nil, err
		}
	}
	if copied.State.Version == 0 {
		if copied, err = f.copy(ctx, from, to, s.turn); copied == nil || err != nil {
			return nil, err
		}
	}
	if err := f.link(ctx, s.snap, copied, s.turn); err != nil {
		return nil, err
	}
	return &place{key: to, id: id, version: copied.State.Version, how: forked, release: release}, nil
}

// question lets one request at a time, of all processes, answer an old question of a session
// anew. The lane is not the session's own: the turn itself enters that.
func (f *Adapter) question(ctx context.Context, of memory.Key) (leave func(), err error) {
	here, err := f.questions.enter(ctx, of.SessionID)
	if err != nil || f.opts.Locks == nil {
		return here, err
	}
	of.SessionID = f.digests.session("question", of.SessionID)
	across, err := f.opts.Locks.Enter(ctx, of)
	if err != nil {
		here()
		return nil, err
	}
	return func() { across(); here() }, nil
}

// copy makes the fork; nil: how the session stood is not kept. What it asks stays asked: the
// request's own history shows the question that its message answers, and a yes there is a yes.
func (f *Adapter) copy(ctx context.Context, from, to memory.Key, turn int64) (*memory.Snapshot, error) {
	switch err := memory.Fork(ctx, f.opts.Store, from, to, turn, nil); {
	case errors.Is(err, memory.ErrConflict): // the same request, at the same time
	case errors.Is(err, memory.ErrNotFound), errors.Is(err, memory.ErrNoSnapshot):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return f.opts.Store.Load(ctx, to, memory.LoadOptions{})
}

// unsettledQuestion fails when the turn asked whether to make a call that was made since,
// there or in a fork other than to.
func (f *Adapter) unsettledQuestion(ctx context.Context, s *sighting, to memory.Key) error {
	if s.reply.Confirming == nil {
		return nil
	}
	tool, key := *s.reply.Confirming, s.snap.Key
	sessions := []string{key.SessionID}
	for i := 0; i < len(sessions); i++ {
		if i == maxBranches {
			return tooManyBranches()
		}
		key.SessionID = sessions[i]
		steps, err := f.opts.Store.Steps(ctx, key)
		if err != nil {
			return err
		}
		for _, step := range steps {
			if step.Tool == tool && step.Turn > s.turn && step.Status != memory.StepFailed {
				return carriedOut(tool)
			}
		}
		forks, err := f.links(ctx, key, "to/")
		if err != nil {
			return err
		}
		for _, m := range forks {
			if m.Turn >= s.turn && m.Session != to.SessionID {
				sessions = append(sessions, m.Session)
			}
		}
	}
	return nil
}

// maxBranches is how many sessions are looked at for what came of an old question.
const maxBranches = 256

// tooManyBranches is the answer to whoever changes what was said over and over.
func tooManyBranches() *apiError {
	f := invalid("too_many_branches", "", "What followed the question that this message answers was changed more than %d times. Go on at the end of one of these conversations, or begin a new one.", maxBranches-1)
	f.status, f.noRetry = http.StatusConflict, true
	return f
}

// carriedOut is the answer to whoever would take back an answer that had its effect.
func carriedOut(tool string) *apiError {
	f := invalid("already_carried_out", "", "What this message answers was settled: %s was called since, and a call is not taken back by changing what was said. Go on at the end of the conversation, or begin a new one.", tool)
	f.status, f.noRetry = http.StatusConflict, true
	return f
}

// lanes lets one request at a time of this process answer an old question of a session anew. A
// lane may serve several sessions.
type lanes struct {
	seed maphash.Seed
	all  [64]chan struct{}
}

func newLanes() *lanes {
	l := &lanes{seed: maphash.MakeSeed()}
	for i := range l.all {
		l.all[i] = make(chan struct{}, 1)
	}
	return l
}

// enter waits for the session's lane. It fails with the context's error.
func (l *lanes) enter(ctx context.Context, session string) (leave func(), err error) {
	lane := l.all[maphash.String(l.seed, session)%uint64(len(l.all))]
	select {
	case lane <- struct{}{}:
		return func() { <-lane }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
