package replay

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/tools"
)

// writers is an agent with a write tool of every kind and place.
const writers = `
version: 1
agent: {id: writers}
databases:
  own: {driver: sqlite, dsn: "file:${DATA}/own.db"}
  memory: {driver: sqlite, dsn: ":memory:"}
  above: {driver: sqlite, dsn: "file:${DATA}/../above.db"}
  fixed: {driver: sqlite, dsn: /var/lib/shop.db}
  named: {driver: sqlite, dsn: "file:${SHOP}/shop.db"}
mcp_servers:
  side: {command: [side]}
tools:
  own: {kind: sql, effect: write, database: own, query: "DELETE FROM t"}
  memory: {kind: sql, effect: write, database: memory, query: "DELETE FROM t"}
  above: {kind: sql, effect: write, database: above, query: "DELETE FROM t"}
  fixed: {kind: sql, effect: write, database: fixed, query: "DELETE FROM t"}
  named: {kind: sql, effect: write, database: named, query: "DELETE FROM t"}
  posts: {kind: http, effect: write, method: POST, url: "https://example.com/t"}
  gets: {kind: http, effect: read, method: GET, url: "https://example.com/t"}
  runs: {kind: exec, effect: write, command: [rm, t]}
  remote: {kind: mcp, effect: write, server: side}
  action: {kind: rasa_action, effect: write, url: "https://example.com"}
  fixed_answer: {kind: static, effect: read, result: 1}
  function: {kind: go, effect: read}
intents:
  - id: clear
    examples: [clear it, empty the table, delete everything]
    plan:
      - call: gets
        save: table
      - respond: known
        when: table.state == "open" && table.rows > 3
      - confirm: "Clear {table.name}, {table.parts.0.id}?"
        denied: kept
      - call: posts
        save: done
      - respond: cleared
responses:
  known: "{table.name} has {table.rows} rows."
  kept: "{table.owner} keeps it."
  cleared: "{done.count} are gone."
`

func writersAgent(t *testing.T) *config.Agent {
	t.Helper()
	a, err := config.Parse("writers.yaml", []byte(writers), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestGuardedTools(t *testing.T) {
	a, dir := writersAgent(t), t.TempDir()
	outside := []string{"above", "action", "fixed", "function", "named", "posts", "remote", "runs"}
	for _, c := range []struct {
		name  string
		setup Setup
		want  []string
	}{
		{"a test", Setup{Dir: dir, guard: &guard{}}, outside},
		{"live", Setup{Dir: dir, guard: &guard{live: true}}, []string{"function"}},
		{"no conversation", Setup{Dir: dir}, nil},
	} {
		if diff := cmp.Diff(c.want, slices.Sorted(maps.Keys(c.setup.Guarded(a)))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	scripted := tools.Script(nil)
	s := Setup{Dir: dir, guard: &guard{}, Tools: map[string]tools.Tool{"posts": scripted}}
	if s.Guarded(a)["posts"] != scripted {
		t.Error("a scripted tool is guarded")
	}
}

// Every kind of tool that a file may have stands in the table.
func TestEveryKindHasItsReach(t *testing.T) {
	for _, tool := range writersAgent(t).Tools {
		if k := kinds[tool.Kind]; k.act == "" || k.safe == nil {
			t.Errorf("kind %s has no row", tool.Kind)
		}
	}
}

func TestRefusalShowsTheLinesToAdd(t *testing.T) {
	a, g := writersAgent(t), &guard{}
	tool := Setup{Dir: t.TempDir(), guard: g}.Guarded(a)["posts"]
	if _, err := tool.Call(t.Context(), tools.Call{Tool: "posts"}); tools.CodeOf(err) != tools.Failed {
		t.Errorf("the call gave %v", err)
	}
	want := "the tool posts (http) sends a request, so it was not called; add its answer to the conversation, once for each call, or pass --live to call it for real:\n\n" +
		"tools:\n  posts:\n    - result: {count: \"...\"}\n"
	if diff := cmp.Diff([]string{want}, g.take()); diff != "" {
		t.Errorf("refused (-want +got):\n%s", diff)
	}
	if left := g.take(); left != nil {
		t.Errorf("refused twice: %v", left)
	}
	if _, err := Parse("t.yaml", []byte("conversation: c\n"+want[strings.Index(want, "tools:"):]+"turns:\n  - user: hi\n")); err != nil {
		t.Errorf("the lines cannot be read: %v", err)
	}
}

func TestSampleOfAResult(t *testing.T) {
	a := writersAgent(t)
	for tool, want := range map[string]any{
		"gets":  map[string]any{"name": "...", "rows": "...", "state": "open", "owner": "...", "parts": []any{map[string]any{"id": "..."}}},
		"posts": map[string]any{"count": "..."},
		"runs":  map[string]any{},
	} {
		if diff := cmp.Diff(want, sampleOf(a, tool)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tool, diff)
		}
	}
}
