package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/handbook"
	"github.com/slotway/slotway/router/replay"
)

func newDocs(f *flags) *cobra.Command {
	var out string
	var tests []string
	cmd := &cobra.Command{
		Use:   "docs",
		Short: "Write the agent as one HTML page",
		Long: "Write the agent as one HTML page that needs nothing else: its tasks with examples, params and flow,\n" +
			"its answers, tools, responses and policies. It holds no value of any conversation. With --tests it shows\n" +
			"what those conversations reach.",
		Example: "  slotway docs -o agent.html\n  slotway docs --tests tests -o agent.html",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			agent, err := f.loadAgent()
			if err != nil {
				return err
			}
			var page handbook.Options
			if len(tests) > 0 {
				if page.Coverage, err = f.coverageOf(cmd.Context(), cmd.ErrOrStderr(), agent, tests); err != nil {
					return err
				}
			}
			return writeTo(cmd.OutOrStdout(), out, func(w io.Writer) error { return handbook.Write(w, agent, page) })
		},
	}
	cmd.Flags().StringSliceVar(&tests, "tests", nil, "play the conversations in this `path` and show what they reach; may be repeated")
	cmd.Flags().StringVarP(&out, "output", "o", "", "write to this `file` instead of the terminal")
	return cmd
}

// coverageOf plays conversations and returns what they reach of an agent. What a failing conversation
// reaches counts, too.
func (f *flags) coverageOf(ctx context.Context, warnings io.Writer, agent *config.Agent, paths []string) (*handbook.Coverage, error) {
	files, err := replay.Find(paths)
	if err != nil {
		return nil, err
	}
	r := newReplayer(f)
	r.reached = &collectors{}
	var results []replay.Result
	for _, file := range files {
		results = append(results, r.file(ctx, file, &replay.Options{})...)
	}
	if n := replay.Count(results).Failed; n > 0 {
		fmt.Fprintf(warnings, "slotway: %d of %d conversations fail; what they reach counts all the same. 'slotway test' says why they fail\n", n, len(results))
	}
	for _, a := range r.reached.agents {
		if a.Hash == agent.Hash {
			return covered(r.reached.of[a].Report(a), countConversations(len(results))), nil
		}
	}
	return nil, fmt.Errorf("--tests: no conversation in %s talks to agent %s: name the agent with --agent, or other paths", strings.Join(paths, ", "), agent.ID)
}
