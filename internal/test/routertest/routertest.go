// Package routertest builds a router for tests of the router and of the servers in front of it:
// an agent from YAML, a classifier of fixed phrases, tools made of functions, and a store that
// fails on request.
package routertest

import (
	"context"
	"strings"
	"testing"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/tools"
)

// Fixture is a router with its agent and its store.
type Fixture struct {
	*router.Router
	Agent *config.Agent
	Store *Store
}

// New returns a router for the agent over a new in-memory store. opts may be nil.
func New(t testing.TB, yaml string, c router.Classifier, functions Tools, opts *router.Options) *Fixture {
	t.Helper()
	return NewOver(t, inmem.New(nil), yaml, c, functions, opts)
}

// NewOver is New with a store that exists.
func NewOver(t testing.TB, store memory.Backend, yaml string, c router.Classifier, functions Tools, opts *router.Options) *Fixture {
	t.Helper()
	f := &Fixture{Agent: Agent(t, yaml), Store: &Store{Backend: store}}
	f.Router = router.New(f.Agent, c, memory.NewConversations(f.Store, 24), functions.Registry(t, f.Agent), opts)
	return f
}

// Agent parses a definition.
func Agent(t testing.TB, yaml string) *config.Agent {
	t.Helper()
	def, err := config.Parse("test.yaml", []byte(yaml), "")
	if err != nil {
		t.Fatal(err)
	}
	return def
}

// Tool is a tool made of a function.
type Tool func(context.Context, tools.Call) (any, error)

// Call calls the function.
func (f Tool) Call(ctx context.Context, c tools.Call) (any, error) { return f(ctx, c) }

// Tools are the functions of an agent's tools, by name.
type Tools map[string]Tool

// Registry returns a registry of the tools.
func (list Tools) Registry(t testing.TB, def *config.Agent) *tools.Registry {
	t.Helper()
	registry := tools.New(nil)
	for name, f := range list {
		if err := registry.Register(def.Tools[name], f); err != nil {
			t.Fatal(err)
		}
	}
	return registry
}

// Phrases is a classifier that knows messages by their first word, in lower case. A message with
// "I-" in it has a value for the param item, from there to its end.
type Phrases struct {
	Words      map[string]string // intents by first word; affirm and deny are certain
	Otherwise  string            // intent of every other message
	Confidence float64           // of Otherwise
	ItemSure   float64           // confidence of the item
}

// Classify implements router.Classifier.
func (p Phrases) Classify(_ context.Context, in classifier.Input) (message.Result, error) {
	res := message.Result{Intent: p.Otherwise, Confidence: p.Confidence, Tier: "test"}
	if words := strings.Fields(strings.ToLower(in.Text)); len(words) > 0 && p.Words[words[0]] != "" {
		res.Intent, res.Confidence = p.Words[words[0]], 0.9
		if res.Intent == "affirm" || res.Intent == "deny" {
			res.Confidence, res.Exact = 1, true
		}
	}
	if i := strings.Index(in.Text, "I-"); i >= 0 {
		res.Params = []message.Value{{Param: "item", Value: in.Text[i:], Text: in.Text[i:], Start: i, End: len(in.Text), Source: "pattern", Confidence: p.ItemSure}}
		if i == 0 {
			res.Confidence = 0.1
		}
	}
	res.Ranking = []message.Score{{Intent: res.Intent, Confidence: res.Confidence}}
	return res, nil
}
