package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"sync"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/classifier/cascade"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/naming"
	"github.com/slotway/slotway/internal/build"
	"github.com/slotway/slotway/router/replay"
	"github.com/slotway/slotway/tools"
)

// newReplay runs conversations as tests.
func newReplay(f *flags) *cobra.Command {
	var update, asJSON bool
	var junit string
	cmd := &cobra.Command{
		Use:   "replay PATH...",
		Short: "Run conversations as tests; in a folder, all YAML files with the key conversation",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("expected a replay file or a folder")
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&update, "update", false, "update golden telemetry and the expectations that differ")
	cmd.Flags().StringVar(&junit, "junit", "", "also write the results as JUnit XML to this file")
	cmd.Flags().BoolVar(&asJSON, "json", false, "results as one JSON object")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		files, err := replay.Find(args)
		if err != nil {
			return err
		}
		if len(files) == 0 {
			return errors.New("no replay found: a replay is a YAML file with the key conversation")
		}
		r := newReplayer(f)
		var results []replay.Result
		for _, file := range files {
			results = append(results, r.file(cmd.Context(), file, &replay.Options{Update: update})...)
		}
		if junit != "" {
			if err := writeFile(junit, func(w io.Writer) error { return replay.WriteJUnit(w, results) }); err != nil {
				return err
			}
		}
		write := replay.WriteText
		if asJSON {
			write = replay.WriteJSON
		}
		if err := write(cmd.OutOrStdout(), results); err != nil {
			return fmt.Errorf("write results: %w", err)
		}
		if replay.Count(results).Failed > 0 {
			return &reported{}
		}
		return nil
	}
	return cmd
}

// writeFile writes a file that only its owner can read.
func writeFile(path string, write func(io.Writer) error) (err error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return write(file)
}

// replayer plays conversations to agents as the commands build them. It loads each agent once. It is
// safe for concurrent use.
type replayer struct {
	flags *flags

	mu     sync.Mutex // guards agents
	agents map[string]*config.Agent

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
	a, err := f.open(ctx, slotway.Options{
		Agent: agent, Tools: s.Tools, Sink: s.Sink, Now: s.Now, Cache: r.cache, NoHTTP: true,
		ToolOptions: &tools.Options{Backoff: 1, MaxRetryAfter: 1, BreakerThreshold: -1},
	})
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
