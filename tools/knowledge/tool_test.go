package knowledge_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/tools"
	"github.com/slotway/slotway/tools/knowledge"
)

// library answers from fields and notes what it was asked.
type library struct {
	hits    []knowledge.Hit
	entries []knowledge.Entry
	err     error

	caller tools.Caller
	asked  []any
}

func (l *library) Search(_ context.Context, caller tools.Caller, query, typ string, limit int) ([]knowledge.Hit, error) {
	l.caller, l.asked = caller, []any{query, typ, limit}
	return l.hits, l.err
}

func (l *library) List(_ context.Context, caller tools.Caller, typ string, limit int) ([]knowledge.Entry, error) {
	l.caller, l.asked = caller, []any{typ, limit}
	return l.entries, l.err
}

var ada = tools.Caller{UserID: "ada", AgentID: "shop", SessionID: "now"}

// registryOf registers both operations as an agent's file would.
func registryOf(t *testing.T, l knowledge.Library) *tools.Registry {
	t.Helper()
	r := tools.New(nil)
	for _, spec := range []*tools.Spec{
		{Name: "search_knowledge_base", Effect: config.EffectRead, Timeout: time.Second},
		{Name: "documents", Remote: knowledge.ListOperation, Effect: config.EffectRead, Timeout: time.Second},
	} {
		tool, err := knowledge.New(spec, l)
		if err == nil {
			err = r.Register(spec, tool)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return r
}

func TestSearch(t *testing.T) {
	day := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	l := &library{hits: []knowledge.Hit{{
		Type: knowledge.Conversations, Source: "one", Title: "A lamp", Text: strings.Repeat("x", 5000), Excerpt: "user: The lamp broke.", Decisions: []string{"I'll take the refund."},
		From: day, To: day.AddDate(0, 0, 1), Score: .12345,
	}}}
	// An argument that names a user is no one's business.
	res, err := registryOf(t, l).Call(t.Context(), tools.Call{Tool: "search_knowledge_base", Caller: ada, Args: map[string]any{
		"query": "lamp", "search_type": "conversations", "limit": 3, "user_id": "bob", "caller": "bob",
	}})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"count": 1.0, "results": []any{map[string]any{
		"type": "conversations", "source": "one", "title": "A lamp", "text": strings.Repeat("x", 4000), "excerpt": "user: The lamp broke.", "score": .123, "topics": []any{},
		"decisions": []any{"I'll take the refund."}, "open_questions": []any{}, "from": "2026-03-01", "to": "2026-03-02",
	}}}
	if diff := cmp.Diff(want, res.Value); diff != "" {
		t.Errorf("result (-want +got):\n%s", diff)
	}
	if l.caller != ada || !cmp.Equal(l.asked, []any{"lamp", "conversations", 3}) {
		t.Errorf("asked %v for %v", l.asked, l.caller)
	}
}

func TestList(t *testing.T) {
	l := &library{entries: []knowledge.Entry{{Type: knowledge.Documents, Source: "a.md", Title: "A"}, {Source: "b.md"}}}
	res, err := registryOf(t, l).Call(t.Context(), tools.Call{Tool: "documents", Caller: ada, Args: map[string]any{"limit": 1, "doc_type": nil}})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"count": 1.0, "documents": []any{map[string]any{
		"type": "documents", "source": "a.md", "title": "A", "topics": []any{}, "from": "", "to": "",
	}}}
	if diff := cmp.Diff(want, res.Value); diff != "" {
		t.Errorf("result (-want +got):\n%s", diff)
	}
	if !cmp.Equal(l.asked, []any{"all", 1}) {
		t.Errorf("asked %v", l.asked)
	}
}

func TestRefusals(t *testing.T) {
	secret := errors.New("cannot read the-secret")
	for name, test := range map[string]struct {
		call tools.Call
		err  error
		code tools.Code
	}{
		"no query":      {tools.Call{Caller: ada}, nil, tools.InvalidInput},
		"blank":         {tools.Call{Caller: ada, Args: map[string]any{"query": " "}}, nil, tools.InvalidInput},
		"a number":      {tools.Call{Caller: ada, Args: map[string]any{"query": 7}}, nil, tools.InvalidInput},
		"type":          {tools.Call{Caller: ada, Args: map[string]any{"query": "x", "search_type": "everyone"}}, nil, tools.InvalidInput},
		"limit 0":       {tools.Call{Caller: ada, Args: map[string]any{"query": "x", "limit": 0}}, nil, tools.InvalidInput},
		"limit 1.5":     {tools.Call{Caller: ada, Args: map[string]any{"query": "x", "limit": 1.5}}, nil, tools.InvalidInput},
		"limit 51":      {tools.Call{Caller: ada, Args: map[string]any{"query": "x", "limit": 51}}, nil, tools.InvalidInput},
		"nobody":        {tools.Call{Args: map[string]any{"query": "x"}}, nil, tools.Denied},
		"library fails": {tools.Call{Caller: ada, Args: map[string]any{"query": "x"}}, secret, tools.Unavailable},
	} {
		l := &library{err: test.err}
		test.call.Tool = "search_knowledge_base"
		_, err := registryOf(t, l).Call(t.Context(), test.call)
		if tools.CodeOf(err) != test.code {
			t.Errorf("%s: %v, want %s", name, err, test.code)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: the error tells the cause: %v", name, err)
		}
		if test.err == nil && l.asked != nil {
			t.Errorf("%s: the library was asked", name)
		}
	}
}

func TestNew(t *testing.T) {
	if _, err := knowledge.New(&config.Tool{Name: "forget_everything"}, &library{}); err == nil {
		t.Error("an unknown operation was accepted")
	}
	if _, err := knowledge.New(&config.Tool{Name: "x", Remote: knowledge.SearchOperation}, nil); err == nil {
		t.Error("no library was accepted")
	}
}

// The longest question is cut between code points.
func TestLongQuery(t *testing.T) {
	l := &library{}
	if _, err := registryOf(t, l).Call(t.Context(), tools.Call{Tool: "search_knowledge_base", Caller: ada, Args: map[string]any{"query": strings.Repeat("漢", 5000)}}); err != nil {
		t.Fatal(err)
	}
	if got := l.asked[0].(string); got != strings.Repeat("漢", 2000) {
		t.Errorf("asked with %d bytes", len(got))
	}
}
