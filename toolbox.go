package slotway

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/source"
	"github.com/slotway/slotway/internal/build"
	"github.com/slotway/slotway/router/telemetry"
	"github.com/slotway/slotway/tools"
	"github.com/slotway/slotway/tools/egress"
	"github.com/slotway/slotway/tools/exectool"
	"github.com/slotway/slotway/tools/httptool"
	"github.com/slotway/slotway/tools/mcptool"
	"github.com/slotway/slotway/tools/rasatool"
	"github.com/slotway/slotway/tools/sqltool"
	"github.com/slotway/slotway/tools/static"
)

// toolbox builds the tools of one agent and holds what they share.
type toolbox struct {
	runtime   *Runtime
	lookup    func(string) (string, bool)
	guard     *egress.Guard // checks every URL that a tool calls
	databases map[string]*sqltool.DB
	servers   map[string]*mcptool.Server
}

// toolKinds maps each kind of tool to its constructor.
var toolKinds = map[string]func(*toolbox, context.Context, *config.Tool) (tools.Tool, error){
	"sql":    (*toolbox).sql,
	"http":   (*toolbox).http,
	"exec":   (*toolbox).exec,
	"static": (*toolbox).static,
	"mcp":    (*toolbox).mcp,

	"rasa_action": (*toolbox).rasaAction,

	"knowledge": (*toolbox).knowledge,

	"go": (*toolbox).function,
}

// buildTools fills a registry with the agent's tools. It does not build tools that Options.Tools
// replaces.
func (r *Runtime) buildTools(ctx context.Context) (*tools.Registry, error) {
	guard, err := egress.New(r.settings.Tools.AllowHosts)
	if err != nil {
		return nil, err
	}
	b := &toolbox{
		runtime: r, guard: guard, databases: map[string]*sqltool.DB{}, servers: map[string]*mcptool.Server{},
		lookup: func(name string) (string, bool) {
			if name == "DATA" {
				return dataDir(r.settings), true
			}
			return os.LookupEnv(name)
		},
	}
	registry := tools.New(r.opts.ToolOptions)
	r.onClose(func() error {
		// A tool that ignores its deadline must not keep the process from ending.
		patience, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		return registry.Close(patience)
	})
	var problems []error
	for name, spec := range r.agent.Tools {
		tool, err := b.build(ctx, spec)
		if err == nil {
			err = registry.Register(spec, tool)
		}
		if err != nil {
			problems = append(problems, fmt.Errorf("tool %s: %w", name, err))
		}
	}
	return registry, errors.Join(problems...)
}

func (b *toolbox) build(ctx context.Context, spec *config.Tool) (tools.Tool, error) {
	if tool, ok := b.runtime.opts.Tools[spec.Name]; ok {
		return tool, nil
	}
	build, ok := toolKinds[spec.Kind]
	if !ok {
		return nil, fmt.Errorf("kind %s cannot be built from a file by this version", spec.Kind)
	}
	return build(b, ctx, spec)
}

func (b *toolbox) sql(_ context.Context, spec *config.Tool) (tools.Tool, error) {
	db, err := b.database(spec.Database)
	if err != nil {
		return nil, err
	}
	return sqltool.New(spec, db)
}

// database opens a database once, and fills an empty one from its seed.
func (b *toolbox) database(name string) (*sqltool.DB, error) {
	if db := b.databases[name]; db != nil {
		return db, nil
	}
	decl := b.runtime.agent.Databases[name]
	dsn, err := source.Expand(decl.DSN, b.lookup)
	if err != nil {
		return nil, fmt.Errorf("database %s: %w", name, err)
	}
	var seed []byte
	if decl.Seed != "" {
		if seed, err = b.runtime.agent.ReadFile(decl.Seed); err != nil {
			return nil, fmt.Errorf("database %s: read the seed: %w", name, err)
		}
	}
	db, err := sqltool.Open(*decl, dsn, seed)
	if err != nil {
		return nil, fmt.Errorf("database %s: %w", name, err)
	}
	b.databases[name] = db
	b.runtime.onClose(db.Close)
	return db, nil
}

func (b *toolbox) http(_ context.Context, spec *config.Tool) (tools.Tool, error) {
	return httptool.New(spec, b.lookup, b.guard)
}

func (b *toolbox) rasaAction(_ context.Context, spec *config.Tool) (tools.Tool, error) {
	return rasatool.New(spec, b.lookup, b.guard)
}

func (b *toolbox) exec(_ context.Context, spec *config.Tool) (tools.Tool, error) {
	return exectool.New(spec, b.lookup)
}

func (b *toolbox) static(_ context.Context, spec *config.Tool) (tools.Tool, error) {
	return static.New(spec.Value), nil
}

func (b *toolbox) mcp(_ context.Context, spec *config.Tool) (tools.Tool, error) {
	server := b.servers[spec.Server]
	if server == nil {
		var err error
		if server, err = mcptool.NewServer(b.runtime.agent.MCPServers[spec.Server], b.lookup, b.guard); err != nil {
			return nil, err
		}
		server.OnStderr(b.runtime.logMCPStderr)
		b.servers[spec.Server] = server
		b.runtime.onClose(server.Close)
	}
	return mcptool.New(spec, server), nil
}

// logMCPStderr logs a line that an MCP server's program wrote to standard error, without the values
// that the server was given and without what the agent's redaction finds.
func (r *Runtime) logMCPStderr(t mcptool.StderrLine) {
	if r.shared == nil {
		return // a command that runs no turns
	}
	line := "MCP server " + t.Server + ": " + r.redactor().MaskText(t.Line, nil)
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
	r.shared.record(telemetry.Event{
		Time: build.Now(), Level: telemetry.LevelWarn,
		Payload: telemetry.Failure{Code: "mcp_stderr", Stage: "tools", Message: telemetry.Scrub(line, values)},
	})
}
