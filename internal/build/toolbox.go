package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/config/source"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/archive"
	"github.com/slotway/slotway/tools"
	"github.com/slotway/slotway/tools/egress"
	"github.com/slotway/slotway/tools/exectool"
	"github.com/slotway/slotway/tools/gotool"
	"github.com/slotway/slotway/tools/httptool"
	"github.com/slotway/slotway/tools/knowledge"
	"github.com/slotway/slotway/tools/mcptool"
	"github.com/slotway/slotway/tools/rasatool"
	"github.com/slotway/slotway/tools/sqltool"
	"github.com/slotway/slotway/tools/static"
)

// ErrUnregistered means that a tool of kind go has no function yet.
var ErrUnregistered = errors.New("no function is registered")

// Toolbox builds the tools of one version of an agent and holds what they share.
type Toolbox struct {
	Agent    *config.Agent
	Settings *settings.Settings
	Replaced map[string]tools.Tool                        // the program's own, by name
	Function func(name string) tools.Tool                 // of kind go; nil: it comes later
	Archive  func(context.Context) (*archive.Tier, error) // for tools of kind knowledge
	Stderr   func(mcptool.StderrLine)                     // of MCP servers
	OnClose  func(func() error)

	guard     *egress.Guard // checks every URL that a tool calls
	databases map[string]*sqltool.DB
	servers   map[string]*mcptool.Server
}

// lookup finds what ${NAME} stands for.
func (b *Toolbox) lookup(name string) (string, bool) {
	if name == "DATA" {
		return DataDir(b.Settings), true
	}
	return os.LookupEnv(name)
}

// toolKinds maps each kind of tool to its constructor.
var toolKinds = map[string]func(*Toolbox, context.Context, *config.Tool) (tools.Tool, error){
	"sql":    (*Toolbox).sql,
	"http":   (*Toolbox).http,
	"exec":   (*Toolbox).exec,
	"static": (*Toolbox).static,
	"mcp":    (*Toolbox).mcp,

	"rasa_action": (*Toolbox).rasaAction,

	"knowledge": (*Toolbox).knowledge,

	"go": (*Toolbox).function,
}

// Registry builds the tools of the agent, except those that Replaced has.
func (b *Toolbox) Registry(ctx context.Context, opts *tools.Options) (*tools.Registry, error) {
	var err error
	if b.guard, err = egress.New(b.Settings.Tools.AllowHosts); err != nil {
		return nil, err
	}
	b.databases, b.servers = map[string]*sqltool.DB{}, map[string]*mcptool.Server{}
	registry := tools.New(opts)
	b.OnClose(func() error {
		// A tool that ignores its deadline must not keep the process from ending.
		patience, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		return registry.Close(patience)
	})
	var problems []error
	for name, spec := range b.Agent.Tools {
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

func (b *Toolbox) build(ctx context.Context, spec *config.Tool) (tools.Tool, error) {
	if tool, ok := b.Replaced[spec.Name]; ok {
		return tool, nil
	}
	build, ok := toolKinds[spec.Kind]
	if !ok {
		return nil, fmt.Errorf("kind %s cannot be built from a file by this version", spec.Kind)
	}
	return build(b, ctx, spec)
}

func (b *Toolbox) sql(_ context.Context, spec *config.Tool) (tools.Tool, error) {
	db, err := b.database(spec.Database)
	if err != nil {
		return nil, err
	}
	return sqltool.New(spec, db)
}

// database opens a database once, and fills an empty one from its seed.
func (b *Toolbox) database(name string) (*sqltool.DB, error) {
	if db := b.databases[name]; db != nil {
		return db, nil
	}
	decl := b.Agent.Databases[name]
	dsn, err := source.Expand(decl.DSN, b.lookup)
	if err != nil {
		return nil, fmt.Errorf("database %s: %w", name, err)
	}
	var seed []byte
	if decl.Seed != "" {
		if seed, err = b.Agent.ReadFile(decl.Seed); err != nil {
			return nil, fmt.Errorf("database %s: read the seed: %w", name, err)
		}
	}
	db, err := sqltool.Open(*decl, dsn, seed)
	if err != nil {
		return nil, fmt.Errorf("database %s: %w", name, err)
	}
	b.databases[name] = db
	b.OnClose(db.Close)
	return db, nil
}

func (b *Toolbox) http(_ context.Context, spec *config.Tool) (tools.Tool, error) {
	return httptool.New(spec, b.lookup, b.guard)
}

func (b *Toolbox) rasaAction(_ context.Context, spec *config.Tool) (tools.Tool, error) {
	return rasatool.New(spec, b.lookup, b.guard)
}

func (b *Toolbox) exec(_ context.Context, spec *config.Tool) (tools.Tool, error) {
	return exectool.New(spec, b.lookup)
}

func (b *Toolbox) static(_ context.Context, spec *config.Tool) (tools.Tool, error) {
	return static.New(spec.Value), nil
}

func (b *Toolbox) mcp(_ context.Context, spec *config.Tool) (tools.Tool, error) {
	server := b.servers[spec.Server]
	if server == nil {
		var err error
		if server, err = mcptool.NewServer(b.Agent.MCPServers[spec.Server], b.lookup, b.guard); err != nil {
			return nil, err
		}
		server.OnStderr(b.Stderr)
		b.servers[spec.Server] = server
		b.OnClose(server.Close)
	}
	return mcptool.New(spec, server), nil
}

func (b *Toolbox) knowledge(ctx context.Context, spec *config.Tool) (tools.Tool, error) {
	tier, err := b.Archive(ctx)
	if err != nil {
		return nil, err
	}
	return knowledge.New(spec, library{tier})
}

// function returns a tool of kind go, whose function may come later.
func (b *Toolbox) function(_ context.Context, spec *config.Tool) (tools.Tool, error) {
	name := spec.Name
	return gotool.Func(func(ctx context.Context, call tools.Call) (any, error) {
		if tool := b.Function(name); tool != nil {
			return tool.Call(ctx, call)
		}
		return nil, &tools.Error{Code: tools.Unavailable, Tool: name, Detail: ErrUnregistered.Error()}
	}), nil
}

// library gives plans access to the caller's archive.
type library struct{ tier *archive.Tier }

func archiveQuery(caller tools.Caller, typ string, limit int) archive.Query {
	return archive.Query{
		Key:  memory.Key{UserID: caller.UserID, AgentID: caller.AgentID, SessionID: caller.SessionID},
		Type: archive.Type(typ), Limit: limit, Exclude: caller.SessionID,
	}
}

// Search implements knowledge.Library.
func (l library) Search(ctx context.Context, caller tools.Caller, query, typ string, limit int) ([]knowledge.Hit, error) {
	q := archiveQuery(caller, typ, limit)
	q.Text = query
	found, err := l.tier.Search(ctx, q)
	if err != nil {
		return nil, err
	}
	var out []knowledge.Hit
	for i := range found {
		r := &found[i]
		out = append(out, knowledge.Hit{
			Type: string(r.Type), Source: r.Key.SessionID, Title: r.Title, Text: r.Text, Excerpt: r.Excerpt, Topics: r.Topics,
			Decisions: r.Decisions, Questions: r.Questions, From: r.Begun, To: r.Ended, Score: r.Similarity,
		})
	}
	return out, nil
}

// List implements knowledge.Library.
func (l library) List(ctx context.Context, caller tools.Caller, typ string, limit int) ([]knowledge.Entry, error) {
	list, err := l.tier.List(ctx, archiveQuery(caller, typ, limit))
	if err != nil {
		return nil, err
	}
	var out []knowledge.Entry
	for _, e := range list {
		out = append(out, knowledge.Entry{Type: string(e.Type), Source: e.SessionID, Title: e.Title, Topics: e.Topics, From: e.Begun, To: e.Ended})
	}
	return out, nil
}
