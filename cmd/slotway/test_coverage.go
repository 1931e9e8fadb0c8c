package main

import (
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/flow"
	"github.com/slotway/slotway/config/flow/diagram"
	"github.com/slotway/slotway/config/handbook"
	"github.com/slotway/slotway/router/replay"
	"github.com/slotway/slotway/router/replay/coverage"
)

// covering are the flags about coverage.
type covering struct {
	show    bool
	html    string
	least   float64
	reports []*coverage.Report
}

func (c *covering) register(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&c.show, "coverage", false, "tell which intents, params, steps, branches and responses no conversation reaches")
	cmd.Flags().StringVar(&c.html, "coverage-html", "", "write the agent with its coverage as one HTML page to this `file`")
	cmd.Flags().Float64Var(&c.least, "coverage-min", 0, "fail if less than this `percentage` is reached")
}

// wanted reports whether coverage is to be measured.
func (c *covering) wanted() bool { return c.show || c.html != "" || c.least > 0 }

// collectors holds what each tested agent has reached. It is safe for concurrent use.
type collectors struct {
	mu     sync.Mutex // guards the fields below
	agents []*config.Agent
	of     map[*config.Agent]*coverage.Collector
}

// collector returns the collector of an agent.
func (c *collectors) collector(a *config.Agent) *coverage.Collector {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.of == nil {
		c.of = map[*config.Agent]*coverage.Collector{}
	}
	if c.of[a] == nil {
		c.agents = append(c.agents, a)
		c.of[a] = coverage.New()
	}
	return c.of[a]
}

// finish makes the reports and the page, after the conversations were played.
func (c *covering) finish(got *collectors, results []replay.Result) error {
	for _, a := range got.agents {
		c.reports = append(c.reports, got.of[a].Report(a))
	}
	if c.html == "" {
		return nil
	}
	if len(got.agents) != 1 {
		return fmt.Errorf("--coverage-html shows one agent, but the conversations talk to %d; name the tests of one agent", len(got.agents))
	}
	page := handbook.Options{Coverage: covered(c.reports[0], countConversations(len(results)))}
	return writeFile(c.html, func(w io.Writer) error { return handbook.Write(w, got.agents[0], page) })
}

// countConversations says how many conversations there are.
func countConversations(n int) string {
	if n == 1 {
		return "1 conversation"
	}
	return fmt.Sprintf("%d conversations", n)
}

// covered converts a report for the page of an agent.
func covered(r *coverage.Report, of string) *handbook.Coverage {
	c := &handbook.Coverage{Of: of, Intents: map[string]handbook.Share{}, Reached: func(intent string, n *diagram.Node) bool {
		return r.Reached(intent, diagram.Value(n.Attrs, flow.AttrStep), diagram.Value(n.Attrs, flow.AttrParam), diagram.Value(n.Attrs, flow.AttrPart))
	}}
	for _, i := range r.Items {
		if _, known := c.Intents[i.Intent]; i.Intent != "" && !known {
			n := r.Intent(i.Intent)
			c.Intents[i.Intent] = handbook.Share{Reached: n.Reached, All: n.All}
		}
	}
	for _, k := range r.Kinds {
		c.Kinds = append(c.Kinds, handbook.Kind{Name: string(k.Kind), Share: handbook.Share{Reached: k.Reached, All: k.All}})
	}
	return c
}

// print writes the reports for people.
func (c *covering) print(out io.Writer) error {
	if !c.show {
		return nil
	}
	for _, r := range c.reports {
		if err := coverage.WriteText(out, r); err != nil {
			return fmt.Errorf("write the coverage: %w", err)
		}
	}
	return nil
}

// enough reports whether every agent is covered as --coverage-min asks; it names those that are not.
func (c *covering) enough(warnings io.Writer) bool {
	return !slices.ContainsFunc(c.reports, func(r *coverage.Report) bool {
		low := r.Percent < c.least
		if low {
			fmt.Fprintf(warnings, "slotway: coverage of agent %s is %.1f %%, below the %g %% of --coverage-min; --coverage lists what is missing\n", r.Agent, r.Percent, c.least)
		}
		return low
	})
}
