package slotway

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/internal/build"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/sessions"
	"github.com/slotway/slotway/router/telemetry"
	"github.com/slotway/slotway/tools/llm"
)

// version holds everything that belongs to one version of an agent's definition. It is opened as a whole, and
// closed when its last turn has ended. The store, the tiers and the telemetry of a runtime outlive
// it.
type version struct {
	*Runtime   // of this version alone: its agent, its tools and what they have open
	classifier classifier.Classifier
}

// shared holds what all versions of a runtime have in common.
type shared struct {
	client   *llm.Client                        // nil: there is no model server
	funcs    functions                          // the tools of kind go
	redactor atomic.Pointer[telemetry.Redactor] // of the current version
	kept     *sessions.MaskCache                // the redacted values of sessions
	record   func(telemetry.Event)              // to the runtime's sink, which is opened after its first version
	draining sync.WaitGroup                     // versions that wait for their last turn
	closing  chan struct{}                      // closed when the runtime stops waiting
}

// startVersion opens the runtime's first version.
func (r *Runtime) startVersion(ctx context.Context, client *llm.Client) error {
	r.shared = &shared{client: client, closing: make(chan struct{})}
	r.shared.redactor.Store(telemetry.NewRedactor(r.agent))
	r.shared.kept = sessions.NewMaskCache(r.store, nil)
	r.shared.record = func(e telemetry.Event) {
		if r.sink != nil {
			r.sink.Record(e)
		}
	}
	first, err := r.newVersion(ctx, r.agent)
	if err != nil {
		return err
	}
	r.current, r.registry, r.archive = first, first.registry, first.archive
	r.onClose(func() error {
		close(r.shared.closing)
		r.shared.draining.Wait()
		return r.current.Close()
	})
	return nil
}

// newVersion opens a version of the agent. If it fails, it leaves nothing open.
func (r *Runtime) newVersion(ctx context.Context, agent *config.Agent) (*version, error) {
	e := &version{Runtime: &Runtime{
		opts: r.opts, settings: r.settings, agent: agent, store: r.store, archive: r.archive, sink: r.sink,
		models: r.models, shared: r.shared,
	}}
	if err := e.open(ctx); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

func (e *version) open(ctx context.Context) (err error) {
	if e.registry, err = e.buildTools(ctx); err != nil {
		return err
	}
	if e.opts.Classifier != nil {
		e.classifier, err = e.opts.Classifier(ctx, e.agent)
		return err
	}
	tick := func(done, total int) error {
		if e.opts.Training != nil {
			e.opts.Training(done, total)
		}
		return ctx.Err()
	}
	e.classifier, err = build.TrainClassifier(e.agent, e.settings, e.shared.client, e.opts.cache(e.settings), tick)
	return err
}

// redactor returns the redactor of the current version.
func (r *Runtime) redactor() *telemetry.Redactor {
	if r.shared == nil { // a command that runs no turns
		return telemetry.NewRedactor(r.agent)
	}
	return r.shared.redactor.Load()
}

// reload makes the runtime use another version of its agent, or fails and changes nothing. It
// closes the old version's tools when its last turn has ended. It must not be called concurrently
// with Close.
func (r *Runtime) reload(ctx context.Context, agent *config.Agent) error {
	r.reloading.Lock()
	defer r.reloading.Unlock()
	if err := r.complete(agent); err != nil {
		return err
	}
	next, err := r.newVersion(ctx, r.withIdleTime(agent))
	if err != nil {
		return err
	}
	unused, err := r.router.Swap(router.Deps{Agent: next.agent, Classifier: next.classifier, Tools: next.registry})
	if err != nil {
		return errors.Join(err, next.Close())
	}
	r.shared.redactor.Store(telemetry.NewRedactor(next.agent))
	old := r.current
	r.current = next
	r.shared.draining.Go(func() {
		select {
		case <-unused:
		case <-r.shared.closing: // the process ends; the turns have had their time
		}
		if err := old.Close(); err != nil {
			r.opts.notify("close the tools of the agent as it was: %v", err)
		}
	})
	return nil
}
