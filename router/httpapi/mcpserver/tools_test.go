package mcpserver_test

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/router/httpapi/mcpserver"
)

func toolsOf(t testing.TB, c *mcp.ClientSession) map[string]*mcp.Tool {
	t.Helper()
	list, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*mcp.Tool{}
	for _, tool := range list.Tools {
		all[tool.Name] = tool
	}
	return all
}

func namesOf(tools map[string]*mcp.Tool) []string {
	var names []string
	for name := range tools {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func TestToolsOfAnAgent(t *testing.T) {
	s := newShop(t, nil)
	tools := toolsOf(t, s.connect(way{protocol: protocols[0]}, "ann", nil, nil))
	want := []string{"breaks", "cancel_order", "hours_today", "list_sessions", "order_status", "parcels", "person", "search_memory", "send_message"}
	if diff := cmp.Diff(want, namesOf(tools)); diff != "" {
		t.Fatalf("tools (-want +got):\n%s", diff)
	}
	cancel := tools["cancel_order"]
	properties := cancel.InputSchema.(map[string]any)["properties"].(map[string]any)
	if diff := cmp.Diff(map[string]any{
		"order_id":        map[string]any{"type": "string", "title": "order number", "description": "order number. What's your order number? For example O-12345.", "pattern": `^(?:(?:O-)?\d{5})$`},
		"reason":          map[string]any{"type": "string", "title": "reason", "description": "reason. Why: damaged, late or changed your mind?", "enum": []any{"damaged", "late", "changed my mind"}},
		"count":           map[string]any{"type": "integer", "title": "count", "description": "count.", "minimum": 1.0, "maximum": 9.0},
		"gift":            map[string]any{"type": "boolean", "title": "gift", "description": "gift."},
		"notes":           map[string]any{"type": "array", "minItems": 1.0, "title": "notes", "description": "notes.", "items": map[string]any{"type": "string", "maxLength": 50.0}},
		"conversation_id": properties["conversation_id"],
	}, properties); diff != "" {
		t.Errorf("cancel_order (-want +got):\n%s", diff)
	}
	if _, ok := cancel.InputSchema.(map[string]any)["required"]; ok {
		t.Error("a param is required: what is missing could not be asked for")
	}
	for name, hints := range map[string][4]bool{ // read-only, destructive, idempotent, open world
		"cancel_order": {false, true, false, true}, "order_status": {true, false, true, true}, "hours_today": {true, false, true, false},
		"send_message": {false, true, false, true}, "search_memory": {true, false, true, false}, "list_sessions": {true, false, true, false},
	} {
		a := tools[name].Annotations
		if got := [4]bool{a.ReadOnlyHint, *a.DestructiveHint, a.IdempotentHint, *a.OpenWorldHint}; got != hints {
			t.Errorf("%s: hints %v, want %v", name, got, hints)
		}
	}
}

// Results are as the tools' output schemas say, and all schemas compile.
func TestResultsFitTheirSchemas(t *testing.T) {
	s := newShop(t, nil)
	c := s.connect(way{protocol: protocols[0]}, "ann", nil, nil)
	for name, tool := range toolsOf(t, c) {
		compile(t, name, tool.InputSchema)
		schema := compile(t, name, tool.OutputSchema)
		args := map[string]arguments{"send_message": {"text": "where is O-12345"}, "search_memory": {"query": "an"}, "cancel_order": {"order_id": "O-12345", "reason": "late"}}[name]
		result, err := call(t, c, name, args)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err := schema.Validate(result.StructuredContent); err != nil {
			t.Errorf("%s: %v\n%v", name, err, result.StructuredContent)
		}
	}
}

func compile(t *testing.T, name string, document any) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	if err := c.AddResource(name, document); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	schema, err := c.Compile(name)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return schema
}

// The patterns of the default agent and of every agent in the repository's dialogues are
// told to clients only where JavaScript reads them as Go does.
func TestPatternsAreForEverybody(t *testing.T) {
	foreign := regexp.MustCompile(`\(\?[a-zA-Z]|\\[pPzA]|\[\[:`)
	def, err := config.Default()
	if err != nil {
		t.Fatal(err)
	}
	s := newShop(t, nil)
	server := mcpserver.New(mcpserver.Deps{Turn: s.router.Handle, Agent: func() *config.Agent { return def }}, nil)
	ours, theirs := mcp.NewInMemoryTransports()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- server.Run(ctx, ours, "ann") }()
	c, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(ctx, theirs, nil)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for name, tool := range toolsOf(t, c) {
		properties, _ := tool.InputSchema.(map[string]any)["properties"].(map[string]any)
		for param, p := range properties {
			if pattern, ok := p.(map[string]any)["pattern"].(string); ok {
				if found++; foreign.MatchString(pattern) {
					t.Errorf("%s %s: %s", name, param, pattern)
				}
			}
		}
	}
	if found == 0 {
		t.Error("no pattern was seen: the check looks at nothing")
	}
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("Run: %v", err)
	}
}

// The list follows the agent: clients are told, and a call for what is gone fails.
func TestTheListFollowsTheAgent(t *testing.T) {
	for name, w := range ways() {
		t.Run(name, func(t *testing.T) {
			s := newShop(t, nil)
			told := make(chan struct{}, 8)
			c := s.connect(w, "ann", nil, &mcp.ClientOptions{
				ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { told <- struct{}{} },
			})
			before := toolsOf(t, c)
			asked := use[mcpserver.Answer](t, c, "cancel_order", arguments{"order_id": "O-12345"})
			changed := strings.NewReplacer("id: person", "id: colleague", "description: say where an order is", "description: find an order").Replace(shopYAML)
			if _, err := s.router.Swap(s.parts(changed)); err != nil {
				t.Fatal(err)
			}
			s.Refresh()
			<-told
			after := toolsOf(t, c)
			if after["person"] != nil || after["colleague"] == nil || after["order_status"].Title != "find an order" || len(after) != len(before) {
				t.Errorf("tools now: %v", namesOf(after))
			}
			if _, err := call(t, c, "person", nil); err == nil {
				t.Error("a tool that is gone can be called")
			}
			done := use[mcpserver.Answer](t, c, "cancel_order", arguments{"reason": "late", "conversation_id": asked.ConversationID})
			if done.Needs == nil || !done.Needs.Confirmation {
				t.Errorf("the conversation under way: %+v", done)
			}
		})
	}
}

// Without Refresh the next request finds out.
func TestARequestSeesTheNewAgent(t *testing.T) {
	s := newShop(t, nil)
	c := s.connect(way{protocols[1], true}, "ann", nil, nil)
	if _, err := s.router.Swap(s.parts(strings.Replace(shopYAML, "id: person", "id: colleague", 1))); err != nil {
		t.Fatal(err)
	}
	if a := use[mcpserver.Answer](t, c, "colleague", nil); a.Status != "handoff" {
		t.Errorf("%+v", a)
	}
}
