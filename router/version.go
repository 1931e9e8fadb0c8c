package router

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router/telemetry"
)

// Deps are the dependencies of one version of an agent's definition. A turn uses those of one
// version only.
type Deps struct {
	Agent      *config.Agent
	Classifier Classifier
	Tools      Tools
	Reader     Reader // reads the text values of a StructuredInput; nil: the Classifier, if it implements Reader
}

// Reader reads the answer to the question for one param, without asking what else it may
// mean. ok is false when the text is no value of the param.
type Reader interface {
	Read(param, text string, now time.Time) (value any, ok bool)
}

// live are parts in use.
type live struct {
	Deps
	redactor *telemetry.Redactor
	users    atomic.Int64  // turns under way on them, and one for being the router's current ones
	idle     chan struct{} // closed when nobody uses them, and nobody will
}

func newLive(p Deps) *live {
	if p.Reader == nil {
		p.Reader, _ = p.Classifier.(Reader)
	}
	l := &live{Deps: p, redactor: telemetry.NewRedactor(p.Agent), idle: make(chan struct{})}
	l.users.Store(1)
	return l
}

// enter counts one user more. It fails on parts that have been given up: whoever read the
// pointer just before a swap must read it again.
func (l *live) enter() bool {
	for {
		n := l.users.Load()
		if n == 0 {
			return false
		}
		if l.users.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

func (l *live) leave() {
	if l.users.Add(-1) == 0 {
		close(l.idle)
	}
}

// reads judges whether a value is still one of its param; nil: nobody can tell.
func (t *turn) reads() planner.CanRead {
	r := t.parts.Reader
	if r == nil {
		return nil
	}
	return func(param, text string) bool {
		_, ok := r.Read(param, text, t.now)
		return ok
	}
}

// enter takes the current parts for one turn.
func (r *Router) enter() *live {
	for {
		if l := r.current.Load(); l.enter() {
			return l
		}
	}
}

// Swap makes the router run another version of its agent. A turn that has begun goes on
// with the parts it began with, also where a conflict makes it run again; every turn that
// begins afterwards, one that waits for its session included, takes the new ones. A
// conversation under way is fitted to the new definition by its next turn.
//
// unused is closed when the last turn on the old parts has ended: whoever made those may
// then close them. An agent with another id is refused with ErrOtherAgent, and nothing
// changes: its sessions would be others.
func (r *Router) Swap(p Deps) (unused <-chan struct{}, err error) {
	if p.Agent == nil || p.Classifier == nil || p.Tools == nil {
		return nil, fmt.Errorf("swap the agent's parts: %w", errNoParts)
	}
	if p.Agent.ID != r.id {
		return nil, fmt.Errorf("%w: it is %q, not %q", ErrOtherAgent, p.Agent.ID, r.id)
	}
	old := r.current.Swap(newLive(p))
	old.leave()
	return old.idle, nil
}

// Deps returns the dependencies that new turns use.
func (r *Router) Deps() Deps { return r.current.Load().Deps }
