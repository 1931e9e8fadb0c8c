package slotway

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/cascade"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/internal/build"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/recall"
	"github.com/slotway/slotway/router/httpapi/access"
	"github.com/slotway/slotway/router/telemetry"
	"github.com/slotway/slotway/tools"
)

// Options say how to open a runtime. The zero value follows the settings.
type Options struct {
	// Settings configure everything that the agent's file does not. Nil: the defaults, then the
	// environment variables SLOTWAY_*, then Set.
	Settings *settings.Settings
	// Set gives single settings by their paths, such as memory.storage: inmem. It is used where
	// Settings is nil.
	Set map[string]string

	// Agent takes the place of the agent's file.
	Agent *config.Agent
	// Store takes the place of the store that memory.storage names. Close leaves it open.
	Store memory.Backend
	// Drivers open other stores than inmem and sqlite, Vectors other places for vectors than the
	// store and ChromaDB. Each links a client library, so none is here by default:
	// postgres.Driver, redis.Driver, pgvector.Driver.
	Drivers []memory.Driver
	Vectors []recall.VectorDriver
	// Classifier makes what understands the messages of a version of the agent. Nil: the embedded
	// classifier, trained on the agent's examples.
	Classifier func(ctx context.Context, agent *config.Agent) (classifier.Classifier, error)
	// Tools answer in place of the tools of the same names in the agent's file.
	Tools map[string]tools.Tool
	// Sink receives telemetry. Nil: the log that telemetry.log names.
	Sink telemetry.Sink
	// Traces exports traces to telemetry.otlp_endpoint. Nil: the runtime refuses that setting.
	Traces TraceExporter

	// Access tells who an HTTP request is from, in place of server.auth.
	Access access.Authenticator

	// Stderr takes warnings, and telemetry with telemetry.log: stderr. Nil: nobody reads them.
	Stderr io.Writer
	// NoHTTP leaves out what only a service needs: metrics, traces, the newest turns for the
	// studio. Handler answers 503 then, and Serve refuses.
	NoHTTP bool

	// What follows is for tests and replays.

	Now         func() time.Time // nil: the wall clock
	Cache       cascade.Cache    // of trained classifiers; nil: the folder classifiers beside the database
	ToolOptions *tools.Options   // nil: the defaults of package tools
	Probe       time.Duration    // how often a model server that does not answer is asked; 0: every 5 s
}

// TraceExporter connects a collector of traces. The runtime closes what it returns.
type TraceExporter func(ctx context.Context, o TraceOptions) (TraceSink, error)

// TraceOptions say where traces go, and what they say of the program.
type TraceOptions struct {
	Endpoint string // telemetry.otlp_endpoint
	Version  string // of the program
	AgentID  string
	Failed   telemetry.Sink // hears of exports that failed
}

// TraceSink turns events into traces.
type TraceSink interface {
	telemetry.Sink
	Close(ctx context.Context) error
}

// load reads the settings where none are given.
func (o *Options) load() (*settings.Settings, error) {
	if o.Settings != nil {
		return o.Settings, nil
	}
	return settings.Load("", os.Environ(), o.Set)
}

// clock tells the time.
func (o *Options) clock() func() time.Time {
	if o.Now != nil {
		return o.Now
	}
	return build.Now
}

// cache is where trained classifiers are kept.
func (o *Options) cache(s *settings.Settings) cascade.Cache {
	if o.Cache != nil {
		return o.Cache
	}
	return build.ModelsIn(dataDir(s), o.Stderr)
}

// warn tells the operator of something, a line each.
func (o *Options) warn(text string) {
	o.notify("warning: %s", text)
}

// tell tells the operator of something, a line each.
func (o *Options) notify(format string, args ...any) {
	if o.Stderr != nil {
		fmt.Fprintf(o.Stderr, "slotway: "+format+"\n", args...)
	}
}

// dataDir is where everything lies that outlives the process.
func dataDir(s *settings.Settings) string { return filepath.Dir(s.Memory.StoragePath) }
