package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/sessions"
	"github.com/slotway/slotway/router/telemetry"
	"github.com/slotway/slotway/tools/llm"
)

// means are what every edition of an app is made with.
type means struct {
	parts
	dataDir string
	client  *llm.Client // nil: there is no model server
}

// edition is what belongs to one version of an agent's definition: it is made as a whole,
// and closed once no turn runs on it. The store, the tiers and the telemetry of an app
// outlive it.
type edition struct {
	*app       // of this version alone: its agent, its tools and what they have open
	classifier classifier.Classifier
}

// shared is what all editions of an app have in common.
type shared struct {
	means    means
	redactor atomic.Pointer[telemetry.Redactor] // of the latest edition
	kept     *sessions.Kept                     // what redacted params have been
	record   func(telemetry.Event)              // to the app's sink, which is opened after its first edition
	retiring sync.WaitGroup                     // editions that wait for their last turn
	closing  chan struct{}                      // closed when the app does not wait any longer
}

// begin makes the app's first edition.
func (a *app) begin(ctx context.Context, m means) error {
	a.shared = &shared{means: m, closing: make(chan struct{})}
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
func (a *app) edition(ctx context.Context, agent *config.Agent) (*edition, error) {
	e := &edition{app: &app{
		settings: a.settings, agent: agent, store: a.store, archive: a.archive, sink: a.sink,
		toolOptions: a.toolOptions, shared: a.shared,
	}}
	if err := e.make(ctx, &a.shared.means); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

func (e *edition) make(ctx context.Context, m *means) (err error) {
	if e.registry, err = e.buildTools(ctx, m.dataDir, m.scripted); err != nil {
		return err
	}
	e.classifier, err = e.buildClassifier(m.client, m.cached(m.dataDir))
	return err
}

// redactor is that of the agent as it runs now.
func (a *app) redactor() *telemetry.Redactor {
	if a.shared == nil { // a command that runs no turns
		return telemetry.NewRedactor(a.agent)
	}
	return a.shared.redactor.Load()
}

// reload makes the app run another version of its agent, or fails and leaves everything as
// it is. The old version's tools are closed when its last turn has ended. It must not be
// called twice at the same time, nor beside Close. What goes wrong in closing is written to
// log.
func (a *app) reload(ctx context.Context, agent *config.Agent, log io.Writer) error {
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
			fmt.Fprintf(log, "slotway: close the tools of the agent as it was: %v\n", err)
		}
	})
	return nil
}
