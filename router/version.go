package router

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/slotway/slotway/config"
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

// version is a version of the agent's definition in use.
type version struct {
	Deps
	redactor *telemetry.Redactor
	users    atomic.Int64  // turns that use it, and one more while it is the router's current version
	unused   chan struct{} // closed when users reaches 0
}

func newVersion(d Deps) *version {
	if d.Reader == nil {
		d.Reader, _ = d.Classifier.(Reader)
	}
	v := &version{Deps: d, redactor: telemetry.NewRedactor(d.Agent), unused: make(chan struct{})}
	v.users.Store(1)
	return v
}

// acquire adds a user. It returns false if the version was replaced and has no users left.
func (v *version) acquire() bool {
	for {
		n := v.users.Load()
		if n == 0 {
			return false
		}
		if v.users.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

func (v *version) release() {
	if v.users.Add(-1) == 0 {
		close(v.unused)
	}
}

// canRead reports whether a text is a value of a param. It is nil if there is no Reader.
func (v *version) canRead(now time.Time) func(param, text string) bool {
	if v.Reader == nil {
		return nil
	}
	return func(param, text string) bool {
		_, ok := v.Reader.Read(param, text, now)
		return ok
	}
}

// acquireVersion returns the current version, with the caller as one of its users.
func (r *Router) acquireVersion() *version {
	for {
		if v := r.current.Load(); v.acquire() {
			return v
		}
	}
}

// Swap makes the router run another version of its agent. A turn that has begun keeps its version,
// even if a conflict makes it run again. Every turn that begins afterwards uses the new version,
// also one that is waiting for its session. The next turn of a conversation under way adapts it to
// the new definition.
//
// unused is closed when the last turn on the old version has ended; the caller may then close the
// old dependencies. Swap refuses an agent with another id with ErrOtherAgent and changes nothing:
// sessions belong to one agent.
func (r *Router) Swap(d Deps) (unused <-chan struct{}, err error) {
	if d.Agent == nil || d.Classifier == nil || d.Tools == nil {
		return nil, fmt.Errorf("swap the agent's version: %w", errNoDeps)
	}
	if d.Agent.ID != r.id {
		return nil, fmt.Errorf("%w: it is %q, not %q", ErrOtherAgent, d.Agent.ID, r.id)
	}
	old := r.current.Swap(newVersion(d))
	old.release()
	return old.unused, nil
}

// Deps returns the dependencies that new turns use.
func (r *Router) Deps() Deps { return r.current.Load().Deps }

// Agent returns the definition that new turns use.
func (r *Router) Agent() *config.Agent { return r.current.Load().Agent }
