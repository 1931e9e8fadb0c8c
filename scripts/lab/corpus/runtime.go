package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/slotway/slotway/classifier/cascade"
	"github.com/slotway/slotway/classifier/linear"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/embed"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/tools"
)

// runtime is a converted bot that answers, one turn at a time.
type runtime struct {
	bot    *bot
	agent  *config.Agent
	router *router.Router
	clock  time.Time

	result any      // the tools' answer in this turn
	calls  []called // made in this turn
}

// called is one call of a tool.
type called struct {
	tool  string
	args  map[string]any
	write bool
}

// start builds the runtime of an agent: trained once, with a store in memory and tools that return
// what was recorded.
func start(b *bot, agent *config.Agent, now time.Time) (*runtime, error) {
	r := &runtime{bot: b, agent: agent, clock: now}
	vectors, err := embed.New()
	if err != nil {
		return nil, fmt.Errorf("open the word vectors: %w", err)
	}
	understand, err := cascade.New(agent, &cascade.Options{Words: vectors.Front(128), Linear: &linear.Options{Embedder: vectors.Front(128)}})
	if err != nil {
		return nil, fmt.Errorf("train agent %s: %w", b.name, err)
	}
	tick := func() time.Time { return r.clock }
	registry := tools.New(&tools.Options{Backoff: 1, MaxRetryAfter: 1, BreakerThreshold: -1})
	for _, spec := range agent.Tools {
		if err := registry.Register(spec, recorded{r, spec}); err != nil {
			return nil, err
		}
	}
	sessions := memory.NewConversations(inmem.New(&inmem.Options{MaxSessions: 64}), 24)
	r.router = router.New(agent, understand, sessions, registry, &router.Options{Now: tick})
	return r, nil
}

// recorded is a tool that records its calls and returns the recorded result.
type recorded struct {
	r    *runtime
	spec *config.Tool
}

// Call implements tools.Tool.
func (t recorded) Call(_ context.Context, c tools.Call) (any, error) {
	t.r.calls = append(t.r.calls, called{tool: c.Tool, args: c.Args, write: t.spec.Effect == config.EffectWrite})
	return t.r.result, nil
}

// say plays one message in a session.
func (r *runtime) say(ctx context.Context, session, text string, g *planner.Preset, result json.RawMessage) (router.Reply, error) {
	r.calls, r.result = nil, []any{}
	if len(result) > 0 {
		var v any
		if err := json.Unmarshal(result, &v); err == nil && v != nil {
			r.result = v
		}
	}
	r.clock = r.clock.Add(time.Second)
	return r.router.Handle(ctx, router.Interaction{Text: text, Preset: g, Context: router.Context{SessionID: session}})
}

// task reports whether an id is one of the bot's own tasks, not an answer in passing.
func (r *runtime) task(id string) bool {
	return slices.ContainsFunc(r.bot.intents, func(in *intent) bool { return in.id == id && in.tool != "" })
}
