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

// edition is what belongs to one version of an agent's definition: it is made as a whole,
// and closed once no turn runs on it. The store, the tiers and the telemetry of an app
// outlive it.
type edition struct {
	*Runtime   // of this version alone: its agent, its tools and what they have open
	classifier classifier.Classifier
}

// shared is what all editions of a runtime have in common.
type shared struct {
	client   *llm.Client                        // nil: there is no model server
	funcs    functions                          // that are tools of kind go
	redactor atomic.Pointer[telemetry.Redactor] // of the latest edition
	kept     *sessions.Kept                     // what redacted params have been
	record   func(telemetry.Event)              // to the app's sink, which is opened after its first edition
	retiring sync.WaitGroup                     // editions that wait for their last turn
	closing  chan struct{}                      // closed when the app does not wait any longer
}

// begin makes the runtime's first edition.
func (a *Runtime) begin(ctx context.Context, client *llm.Client) error {
	a.shared = &shared{client: client, closing: make(chan struct{})}
	a.shared.redactor.Store(telemetry.NewRedactor(a.agent))
	a.shared.kept = sessions.NewKept(a.store, nil)
	a.shared.record = func(e telemetry.Event) {
		if a.sink != nil {
			a.sink.Record(e)
		}
	}
	first, err := a.edition(ctx, a.agent)
	if err != nil {
		return err
	}
	a.latest, a.registry, a.archive = first, first.registry, first.archive
	a.onClose(func() error {
		close(a.shared.closing)
		a.shared.retiring.Wait()
		return a.latest.Close()
	})
	return nil
}

// edition makes what belongs to a version of the agent. When it fails, nothing of it is
// left open.
func (a *Runtime) edition(ctx context.Context, agent *config.Agent) (*edition, error) {
	e := &edition{Runtime: &Runtime{
		opts: a.opts, settings: a.settings, agent: agent, store: a.store, archive: a.archive, sink: a.sink,
		models: a.models, shared: a.shared,
	}}
	if err := e.make(ctx); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

func (e *edition) make(ctx context.Context) (err error) {
	if e.registry, err = e.buildTools(ctx); err != nil {
		return err
	}
	if e.opts.Classifier != nil {
		e.classifier, err = e.opts.Classifier(ctx, e.agent)
		return err
	}
	e.classifier, err = build.Classifier(e.agent, e.settings, e.shared.client, e.opts.cache(e.settings))
	return err
}

// redactor is that of the agent as it runs now.
func (a *Runtime) redactor() *telemetry.Redactor {
	if a.shared == nil { // a command that runs no turns
		return telemetry.NewRedactor(a.agent)
	}
	return a.shared.redactor.Load()
}

// reload makes the runtime run another version of its agent, or fails and leaves everything as
// it is. The old version's tools are closed when its last turn has ended. It must not be called
// beside Close.
func (a *Runtime) reload(ctx context.Context, agent *config.Agent) error {
	a.reloading.Lock()
	defer a.reloading.Unlock()
	if err := a.complete(agent); err != nil {
		return err
	}
	next, err := a.edition(ctx, a.withIdleTime(agent))
	if err != nil {
		return err
	}
	unused, err := a.router.Swap(router.Parts{Agent: next.agent, Classifier: next.classifier, Tools: next.registry})
	if err != nil {
		return errors.Join(err, next.Close())
	}
	a.shared.redactor.Store(telemetry.NewRedactor(next.agent))
	old := a.latest
	a.latest = next
	a.shared.retiring.Go(func() {
		select {
		case <-unused:
		case <-a.shared.closing: // the process ends: its turns were given their time
		}
		if err := old.Close(); err != nil {
			a.opts.tell("close the tools of the agent as it was: %v", err)
		}
	})
	return nil
}
