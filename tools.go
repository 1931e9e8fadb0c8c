package slotway

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/internal/build"
	"github.com/slotway/slotway/router/telemetry"
	"github.com/slotway/slotway/tools"
	"github.com/slotway/slotway/tools/gotool"
	"github.com/slotway/slotway/tools/mcptool"
)

// ErrUnregistered means that a tool of kind go has no function yet; see RegisterTool.
var ErrUnregistered = build.ErrUnregistered

// RegisterTool makes a Go function the tool of this name, which the agent's file declares with
// kind: go. The arguments of a call fill the fields of an In by their json tags; fields of absent
// arguments keep their zero value. The result is anything that has a JSON form. To give the reason
// of a failure, f returns a *tools.Error; a write that returns any other error counts as one that
// may have happened.
//
// The runtime answers no message before every such tool has its function. Registering a function
// again replaces the first.
func RegisterTool[In, Out any](r *Runtime, name string, f func(ctx context.Context, in In) (Out, error)) error {
	if f == nil {
		return fmt.Errorf("register tool %q: the function is nil; give one that runs", name)
	}
	return r.registerTool(name, gotool.Typed(func(ctx context.Context, in In, key string) (Out, error) {
		return f(context.WithValue(ctx, idempotencyKey{}, key), in)
	}))
}

type idempotencyKey struct{}

// IdempotencyKey returns the key of the write for which a function of RegisterTool is called: two
// calls with one key are one write. It is "" for a read.
func IdempotencyKey(ctx context.Context) string {
	key, _ := ctx.Value(idempotencyKey{}).(string)
	return key
}

// functions holds the tools of kind go, by name. They survive a reload.
type functions struct {
	mu    sync.RWMutex // guards tools
	tools map[string]tools.Tool

	complete atomic.Pointer[config.Agent] // the last agent that was found to lack no function
}

func (f *functions) get(name string) tools.Tool {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.tools[name]
}

func (r *Runtime) registerTool(name string, tool tools.Tool) error {
	spec := r.router.Agent().Tools[name]
	if spec == nil || spec.Kind != goKind {
		return fmt.Errorf("register tool %q: agent %s declares no tool of that name with kind: go", name, r.agent.ID)
	}
	f := &r.funcs
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.tools == nil {
		f.tools = map[string]tools.Tool{}
	}
	f.tools[name] = tool
	return nil
}

// goKind is the kind of tools that are functions of the program.
const goKind = "go"

// Unregistered lists the tools of kind go that have no function yet.
func (r *Runtime) Unregistered() []string { return r.unregistered(r.router.Agent()) }

func (r *Runtime) unregistered(agent *config.Agent) []string {
	var names []string
	for name, spec := range agent.Tools {
		if spec.Kind == goKind && r.opts.Tools[name] == nil && r.funcs.get(name) == nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// complete reports the tools of an agent that have no function. Functions are never removed, so an
// agent that was complete once stays complete.
func (r *Runtime) complete(agent *config.Agent) error {
	funcs := &r.funcs
	if funcs.complete.Load() == agent {
		return nil
	}
	if names := r.unregistered(agent); len(names) > 0 {
		return fmt.Errorf("tools %s: %w; call slotway.RegisterTool", strings.Join(names, ", "), ErrUnregistered)
	}
	funcs.complete.Store(agent)
	return nil
}

// logMCPStderr logs a line that an MCP server's program wrote to standard error, without the values
// that the server was given and without what the agent's redaction finds.
func (r *Runtime) logMCPStderr(t mcptool.StderrLine) {
	line := "MCP server " + t.Server + ": " + r.redact.Load().MaskText(t.Line, nil)
	switch {
	case t.Line == "":
		line += fmt.Sprintf("%d lines are left out", t.Dropped)
	case t.Dropped > 0:
		line += fmt.Sprintf(" (%d lines before it are left out)", t.Dropped)
	}
	var values []string
	for _, v := range telemetry.Values(t.Values) {
		values = append(append(values, v), strings.Split(v, "\n")...) // a value may be written on several lines
	}
	r.record(telemetry.Event{
		Time: build.Now(), Level: telemetry.LevelWarn,
		Payload: telemetry.Failure{Code: "mcp_stderr", Stage: "tools", Message: telemetry.Scrub(line, values)},
	})
}
