package replay

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/source"
	"github.com/slotway/slotway/tools"
)

// kind says what the calls of a kind of tool reach.
type kind struct {
	act  string                                                 // what an unscripted call would do
	safe func(a *config.Agent, t *config.Tool, dir string) bool // whether an unscripted write touches nothing but the data of the conversation
}

// kinds has a row for each kind of tool. An unknown kind may reach anything.
var kinds = map[string]kind{
	"static":      {"answers by itself", always},
	"knowledge":   {"reads the knowledge of the conversation", always},
	"sql":         {"changes a database outside the data folder of the test", inFolder},
	"http":        {"sends a request", never},
	"exec":        {"runs a program", never},
	"mcp":         {"calls an MCP server", never},
	"rasa_action": {"calls an action server", never},
	"go":          {"runs a function of your program, which is not here", never},
}

func always(*config.Agent, *config.Tool, string) bool { return true }
func never(*config.Agent, *config.Tool, string) bool  { return false }

// inFolder reports whether a tool's database is in memory, or a file below the data folder of the
// conversation, which is thrown away after it.
func inFolder(a *config.Agent, t *config.Tool, dir string) bool {
	db := a.Databases[t.Database]
	if db == nil || db.Driver != "sqlite" && db.Driver != "" {
		return false
	}
	dsn, err := source.Expand(db.DSN, func(name string) (string, bool) { return dir, name == "DATA" })
	if err != nil {
		return false // another variable may name any place
	}
	path, query, _ := strings.Cut(strings.TrimPrefix(dsn, "file:"), "?")
	if path == ":memory:" || slices.Contains(strings.Split(query, "&"), "mode=memory") {
		return true
	}
	below, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(below)
}

// Guarded returns the tools that stand in for those of an agent: the scripted ones, and, for every
// write that would leave the test, one that is never made and fails the turn. A tool of kind go
// counts whatever its effect: its function is not in this program. Options.Live lets the other
// writes through.
func (s Setup) Guarded(agent *config.Agent) map[string]tools.Tool {
	out := map[string]tools.Tool{}
	for name, spec := range agent.Tools {
		switch {
		case s.Tools[name] != nil:
			out[name] = s.Tools[name]
		case s.guard != nil && s.guard.refuses(agent, spec, s.Dir):
			out[name] = s.guard.stop(agent, spec)
		}
	}
	return out
}

// guard keeps a conversation from changing anything outside.
type guard struct {
	live bool

	mu      sync.Mutex      // guards the fields below
	refused []string        // why calls of the turn under way were not made
	outside map[string]bool // tools without a script whose calls leave the test
}

func (g *guard) refuses(a *config.Agent, t *config.Tool, dir string) bool {
	k := kinds[t.Kind]
	if k.safe != nil && k.safe(a, t, dir) {
		return false
	}
	if t.Kind == "go" || !g.live && t.Effect == config.EffectWrite {
		return true
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.outside == nil {
		g.outside = map[string]bool{}
	}
	g.outside[t.Name] = true
	return false
}

// leaves reports whether calls of a tool are made and leave the test.
func (g *guard) leaves(tool string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.outside[tool]
}

// stop returns a tool that makes no call.
func (g *guard) stop(a *config.Agent, t *config.Tool) tools.Tool {
	return stopped(func() error {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.refused = append(g.refused, refusal(a, t))
		return &tools.Error{Code: tools.Failed, Tool: t.Name, Detail: "not called: the test does not script it"}
	})
}

// stopped is a tool that reports and fails.
type stopped func() error

// Call implements tools.Tool.
func (s stopped) Call(context.Context, tools.Call) (any, error) { return nil, s() }

// take returns why calls were not made since the last take.
func (g *guard) take() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	taken := g.refused
	g.refused = nil
	return taken
}

// refusal says that a call was not made, and shows the lines that script it.
func refusal(a *config.Agent, t *config.Tool) string {
	act := kinds[t.Kind].act
	if act == "" {
		act = "may change something outside"
	}
	way := "add its answer to the conversation, once for each call:"
	if t.Kind != "go" {
		way = "add its answer to the conversation, once for each call, or pass --live to call it for real:"
	}
	return fmt.Sprintf("the tool %s (%s) %s, so it was not called; %s\n\n%s", t.Name, t.Kind, act, way, snippet(t.Name, sampleOf(a, t.Name)))
}

// snippet writes the lines of a conversation that script a tool.
func snippet(tool string, result any) string {
	var b strings.Builder
	line(&b, 0, "tools:")
	line(&b, 2, scalar(tool)+":")
	line(&b, 4, "- result: "+flow(result, nil))
	return b.String()
}
