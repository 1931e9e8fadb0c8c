package router

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/memory"
)

// Router answers messages for one agent.
type Router struct {
	id       string                  // of the agent; the same in all its versions
	current  atomic.Pointer[version] // that new turns use
	sessions Conversations
	opts     Options
	locks    *sessionLocks
	workers  []memory.Worker // Options.Workers and those among Options.Tiers
}

// New returns a router. opts may be nil.
func New(def *config.Agent, c Classifier, sessions Conversations, t Tools, opts *Options) *Router {
	r := &Router{id: def.ID, sessions: sessions, opts: opts.withDefaults()}
	r.current.Store(newVersion(Deps{Agent: def, Classifier: c, Tools: t}))
	r.locks = newSessionLocks(r.opts.MaxQueue)
	r.workers = slices.Concat(memory.Workers(r.opts.Tiers), r.opts.Workers)
	return r
}

// Handle runs one turn. The reply is durable when Handle returns it. A context that ends before
// the commit leaves the session as it was. Errors never contain text of the message.
func (r *Router) Handle(ctx context.Context, in Interaction) (Reply, error) {
	reply, _, err := r.Trace(ctx, in)
	return reply, err
}

// Trace is Handle that also returns how the turn went. It locks the session, and runs the turn
// until a run is committed or fails.
func (r *Router) Trace(ctx context.Context, in Interaction) (Reply, Trace, error) {
	key, err := r.identify(&in)
	if err != nil {
		return Reply{}, Trace{}, err
	}
	received := r.opts.Now()
	release, err := r.locks.acquire(ctx, key)
	if err != nil {
		return r.rejected(in, key, received, fmt.Errorf("session is busy: %w", err))
	}
	defer release()
	shared := storeLock{locker: r.opts.Locker, key: key, release: func() {}}
	if err := shared.acquire(ctx); err != nil {
		return r.rejected(in, key, received, err)
	}
	defer func() { shared.release() }()
	v := r.acquireVersion() // after the wait, so that the turn uses the newest version
	defer v.release()

	req := request{r: r, version: v, in: in, key: key, calls: map[string]outcome{}, drafts: newDrafting(in.Draft)}
	for ; ; req.reruns++ {
		t := newTurn(req)
		err := t.run(ctx)
		if err != nil {
			req.drafts.void() // whether or not the turn runs again
		}
		if errors.Is(err, errHandled) && !req.handled {
			req.handled = true
			continue
		}
		if errors.Is(err, memory.ErrConflict) && req.reruns < maxReruns {
			// Another process has committed first: the turn runs again on what is stored now.
			if err = shared.acquire(ctx); err == nil {
				continue
			}
		}
		t.publish(err)
		return t.reply, t.trace(), err
	}
}

// maxReruns bounds how often a turn runs again because another process changed its session.
const maxReruns = 8

// rejected reports a message that did not get its session's lock. There was no turn, but the
// operator finds the message in telemetry all the same.
func (r *Router) rejected(in Interaction, key memory.Key, received time.Time, err error) (Reply, Trace, error) {
	t := newTurn(request{r: r, in: in, key: key})
	t.started, t.stageBegan = received, received
	t.publish(err)
	return Reply{}, t.trace(), err
}

// Busy reports whether a turn is under way. Background work waits while one is.
func (r *Router) Busy() bool {
	running, _ := r.locks.count()
	return running > 0
}

// Turns returns how many turns are under way, and how many wait for another turn of their session.
func (r *Router) Turns() (running, waiting int) { return r.locks.count() }
