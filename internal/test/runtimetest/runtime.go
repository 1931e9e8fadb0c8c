// Package runtimetest opens runtimes in the process of a test, as the commands do, for end-to-end
// tests. See programtest for tests of the program as a process.
//
//   - [Open] opens a runtime. [Runtime.Say] sends it messages.
//   - [Serve] puts a runtime behind HTTP without a socket. [ServeWithKeys] adds keys, and holds
//     each answer to the published OpenAPI document.
//   - [EveryStore] repeats a test on each kind of store.
package runtimetest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/cmd/slotway/traces"
	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/internal/build"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/postgres"
	"github.com/slotway/slotway/memory/recall"
	"github.com/slotway/slotway/memory/recall/pgvector"
	"github.com/slotway/slotway/memory/redis"
	"github.com/slotway/slotway/router"
	_ "github.com/slotway/slotway/tools/httptool/openapi" // tools may name OpenAPI documents
)

// Config says how to open a runtime. The zero value opens the embedded agent with the default
// settings.
type Config struct {
	File    string   // of the agent; "": Options.Agent, else the embedded one
	Data    string   // data folder; "": a temporary one
	Set     []string // settings as PATH=VALUE, as --set takes them
	Options slotway.Options
}

// Runtime is a runtime under test.
type Runtime struct {
	*slotway.Runtime

	t testing.TB
}

// trained keeps the classifiers that were trained in this process, for the next runtime.
var trained = &build.SharedCache{}

// Try opens a runtime with everything that the program links. The caller closes it.
func Try(ctx context.Context, c Config) (*slotway.Runtime, error) {
	over := map[string]string{}
	for _, kv := range c.Set {
		path, value, ok := strings.Cut(kv, "=")
		if !ok {
			return nil, fmt.Errorf("a setting is PATH=VALUE, got %q", kv)
		}
		over[path] = value
	}
	s, err := settings.Load("", os.Environ(), over)
	if err != nil {
		return nil, err
	}
	if c.Data != "" {
		s.Memory.StoragePath = filepath.Join(c.Data, filepath.Base(s.Memory.StoragePath))
	}
	o := c.Options
	o.Settings, o.Traces = s, traces.Open
	if o.Cache == nil {
		o.Cache = trained
	}
	o.Drivers, o.Vectors = []memory.Driver{redis.Driver(postgres.Driver())}, []recall.VectorDriver{pgvector.Driver()}
	return slotway.Open(ctx, c.File, &o)
}

// Open opens a runtime and closes it with the test.
func Open(t testing.TB, c Config) *Runtime {
	t.Helper()
	if c.Data == "" {
		c.Data = t.TempDir()
	}
	r, err := Try(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	opened := &Runtime{r, t}
	t.Cleanup(opened.Close)
	return opened
}

// Say sends a message of a user to a session and returns the reply.
func (r *Runtime) Say(user, session, text string) router.Reply {
	r.t.Helper()
	return r.Send(router.Interaction{Text: text, Context: router.Context{UserID: user, SessionID: session}})
}

// Send runs a turn and returns the reply.
func (r *Runtime) Send(in router.Interaction) router.Reply {
	r.t.Helper()
	reply, err := r.Router().Handle(r.t.Context(), in)
	if err != nil {
		r.t.Fatalf("%q: %v", in.Text, err)
	}
	return reply
}

// Close closes the runtime before the end of the test. Further calls do nothing.
func (r *Runtime) Close() {
	r.t.Helper()
	if err := r.Runtime.Close(); err != nil {
		r.t.Error(err)
	}
}
