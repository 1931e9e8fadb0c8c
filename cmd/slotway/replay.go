package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/classifier/cascade"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/naming"
	"github.com/slotway/slotway/internal/build"
	"github.com/slotway/slotway/router/replay"
	"github.com/slotway/slotway/router/telemetry"
	"github.com/slotway/slotway/tools"
)

// newReplay runs conversations as tests; `test` is the same with a default path.
func newReplay(f *flags) *cobra.Command {
	t := &testRun{}
	cmd := &cobra.Command{
		Use: "replay PATH...",
		Example: `  slotway replay tests
  slotway replay tests/cancel.yaml --update
  slotway replay tests --junit results.xml`,
		Short: "Run conversations as tests; in a folder, all YAML files with the key conversation",
		Long: `Run conversations as tests, as "slotway test" does. PATH is a file with conversations, or a folder:
then all YAML files below it with the key conversation.

` + liveHelp,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("expected a replay file or a folder")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return t.run(cmd, f, args) },
	}
	t.register(cmd)
	return cmd
}

// replayer plays conversations to agents as the commands build them. It loads each agent once. It is
// safe for concurrent use.
type replayer struct {
	flags *flags

	mu     sync.Mutex // guards agents
	agents map[string]*config.Agent

	reached *collectors // what turns reach; nil: no one asks

	cache cascade.Cache // what an agent was taught for one conversation serves the next
}

func newReplayer(f *flags) *replayer {
	return &replayer{flags: f, agents: map[string]*config.Agent{}, cache: build.ModelsIn("", nil)}
}

// file plays a file. A file that cannot be played is a failed result.
func (r *replayer) file(ctx context.Context, path string, opts *replay.Options) []replay.Result {
	results, err := replay.RunFile(ctx, path, r.open, opts)
	if err != nil {
		results = append(results, replay.Invalid(path, err))
	}
	return results
}

// open opens a runtime for one conversation, with its data folder, clock and store, whatever the
// settings say about those. Retries do not wait (a tool that asks for a wait is not retried), and
// without breakers a series of failures arrives as it was written.
func (r *replayer) open(ctx context.Context, s replay.Setup) (replay.Runtime, error) {
	agent, err := r.agent(s.Agent)
	if err != nil {
		return nil, err
	}
	for name := range s.Tools {
		if agent.Tools[name] == nil {
			return nil, fmt.Errorf("tools: agent %s has no tool %q; it has %s", agent.ID, name, naming.JoinAnd(slices.Sorted(maps.Keys(agent.Tools))))
		}
	}
	f := *r.flags
	f.data = s.Dir
	f.set = append(append([]string{}, f.set...), "memory.enabled=true", "memory.durability=relaxed", "memory.storage="+s.Store)
	o := slotway.Options{
		Agent: agent, Tools: s.Guarded(agent), Sink: s.Sink, Now: s.Now, Cache: r.cache, NoHTTP: true,
		ToolOptions: &tools.Options{Backoff: 1, MaxRetryAfter: 1, BreakerThreshold: -1},
	}
	if r.reached != nil {
		seen := r.reached.collector(agent)
		o.Sink, o.Passed = telemetry.Multi(s.Sink, seen), seen.Pass
	}
	a, err := f.open(ctx, o)
	if err != nil {
		return nil, err
	}
	return a, nil
}

// agent loads an agent unless it is loaded already.
func (r *replayer) agent(path string) (*config.Agent, error) {
	f := *r.flags
	if path != "" {
		f.agent = path
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if agent := r.agents[f.agent]; agent != nil {
		return agent, nil
	}
	agent, err := f.loadAgent()
	if err == nil {
		r.agents[f.agent] = agent
	}
	return agent, err
}
