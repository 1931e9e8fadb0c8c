package slotway

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/cascade"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/config/source"
	"github.com/slotway/slotway/internal/build"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/recall"
	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router/httpapi"
	"github.com/slotway/slotway/router/httpapi/access"
	"github.com/slotway/slotway/router/httpapi/channel"
	"github.com/slotway/slotway/router/telemetry"
	"github.com/slotway/slotway/tools"
)

// Open starts the agent of a file; "" is the embedded order-support agent. It opens the store,
// trains the classifier unless a cache has it, and starts background work. With nil options it
// follows the settings. The caller closes the runtime.
//
// What outlives the process lies in the folder of the setting memory.storage_path, which is ~/.slotway by
// default, and not beside the agent; [Runtime.DataDir] returns it.
func Open(ctx context.Context, agentFile string, opts *Options) (*Runtime, error) {
	if opts == nil {
		opts = &Options{}
	}
	agent := opts.Agent
	if agent == nil {
		var err error
		if agent, err = loadAgent(agentFile); err != nil {
			return nil, err
		}
	}
	r, err := newRuntime(agent, opts)
	if err != nil {
		return nil, err
	}
	r.file = agentFile
	if err := r.assemble(ctx); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

// newRuntime returns a runtime that has nothing open yet.
func newRuntime(agent *config.Agent, opts *Options) (*Runtime, error) {
	settings, err := opts.load()
	if err != nil {
		return nil, err
	}
	own := *opts // the caller may go on to change them
	r := &Runtime{opts: &own, settings: settings, agent: agent, store: opts.Store, servers: build.NewServers(opts.warn, opts.Probe), closing: make(chan struct{})}
	r.redact.Store(telemetry.NewRedactor(agent))
	r.past = &build.Past{
		Settings: settings, Store: opts.Store, Stores: &build.Stores{Drivers: own.Drivers, Vectors: own.Vectors, Warn: own.warn},
		Models:   &build.Models{Settings: settings, Servers: r.servers, Embedder: opts.Embedder, Ranker: opts.Reranker},
		Redactor: r.redact.Load, Record: r.record, OnClose: r.onClose,
	}
	return r, nil
}

func loadAgent(file string) (*config.Agent, error) {
	if file == "" {
		return config.Default()
	}
	return config.Load(file)
}

// Options configure Open. The zero value follows the settings.
type Options struct {
	// Settings configure everything that the agent's file does not. Nil: the defaults, then the
	// environment variables SLOTWAY_*, then Set.
	Settings *settings.Settings
	// Set sets single settings by path, such as memory.storage: inmem. It has no effect if Settings
	// is not nil.
	Set map[string]string

	// Agent replaces the agent's file.
	Agent *config.Agent
	// Store replaces the store that memory.storage names. Close does not close it.
	Store memory.Backend
	// Drivers open stores other than inmem and sqlite; Vectors open vector stores other than the
	// store itself and ChromaDB. Each links a client library, so none is here by default:
	// postgres.Driver, redis.Driver, pgvector.Driver.
	Drivers []memory.Driver
	Vectors []recall.VectorDriver
	// Tiers add to what a turn knows of the past, after the program's own. One that is a memory.Worker
	// has its jobs run.
	Tiers []memory.Tier
	// Embedder and Reranker take the place of those that the settings name; memory.vector_store.enabled
	// still says whether texts are compared by their vectors. After a change of the embedder,
	// 'slotway memory reindex' or Memory.Reindex makes the vectors of earlier messages anew.
	Embedder recall.Embedder
	Reranker recall.Reranker
	// Classifier returns the classifier for a version of the agent. Nil: the embedded classifier,
	// trained on the agent's examples.
	Classifier func(ctx context.Context, agent *config.Agent) (classifier.Classifier, error)
	// Tools replace the tools of the same names in the agent's file.
	Tools map[string]tools.Tool
	// Sink receives telemetry. Nil: the log that telemetry.log names.
	Sink telemetry.Sink
	// Traces exports traces to telemetry.otlp_endpoint. Nil: Open fails if that setting is set.
	Traces TraceExporter

	// Adapters add routes to the HTTP API.
	Adapters []httpapi.Adapter
	// Channels are messaging platforms besides those that the settings name. Their names must differ.
	Channels []channel.Channel
	// Tests returns the results of the conversations that test the agent, and what a check says of it, which the
	// HTTP API shows together with reloads. Nil, also as a result: none were run, nothing was checked.
	Tests func() (*httpapi.Tests, source.Problems)
	// Reloaded is called after every reload with the loaded agent, or with the reason why the last
	// good version stays.
	Reloaded func(agent *config.Agent, err error)

	// Access authenticates HTTP requests in place of server.auth.
	Access access.Authenticator

	// Stderr receives warnings, and telemetry with telemetry.log: stderr. Nil: they are dropped.
	Stderr io.Writer
	// Training is called while a classifier is trained that no cache has: with what is done and the
	// total, from 0 on, from one goroutine at a time. Nil: it is not called.
	Training func(done, total int)
	// NoHTTP leaves out what only a service needs: metrics, traces and the studio's recent turns.
	// Handler then answers 503, and Serve fails.
	NoHTTP bool

	// The fields below are for tests and replays.

	Passed func(planner.Passage) // takes what turns pass of the definition, for coverage; nil: no one asks

	Now         func() time.Time // nil: the wall clock
	Cache       cascade.Cache    // of trained classifiers; nil: the folder classifiers beside the database
	ToolOptions *tools.Options   // nil: the defaults of package tools
	Probe       time.Duration    // how often to probe a model server that does not answer; 0: every 5 s
}

// TraceExporter connects to a trace collector. The runtime closes the sink that it returns.
type TraceExporter func(ctx context.Context, o TraceOptions) (TraceSink, error)

// TraceOptions say where to send traces, and describe the program.
type TraceOptions struct {
	Endpoint string // telemetry.otlp_endpoint
	Version  string // of the program
	AgentID  string
	Failed   telemetry.Sink // receives events about failed exports
}

// TraceSink converts events to traces.
type TraceSink interface {
	telemetry.Sink
	Close(ctx context.Context) error
}

// load returns the settings, and reads them if none are given.
func (o *Options) load() (*settings.Settings, error) {
	if o.Settings != nil {
		return o.Settings, nil
	}
	return settings.Load("", os.Environ(), o.Set)
}

// clock returns the function that tells the time.
func (o *Options) clock() func() time.Time {
	if o.Now != nil {
		return o.Now
	}
	return build.Now
}

// cache returns the cache of trained classifiers.
func (o *Options) cache(s *settings.Settings) cascade.Cache {
	if o.Cache != nil {
		return o.Cache
	}
	return build.ModelsIn(build.DataDir(s), o.Stderr)
}

// warn writes a warning for the operator, on one line.
func (o *Options) warn(text string) {
	o.notify("warning: %s", text)
}

// notify writes a message for the operator, on one line.
func (o *Options) notify(format string, args ...any) {
	if o.Stderr != nil {
		fmt.Fprintf(o.Stderr, "slotway: "+format+"\n", args...)
	}
}
