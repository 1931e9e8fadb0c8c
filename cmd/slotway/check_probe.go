package main

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/router"
)

// probes are requests that people make of any bot, and that few agents are for.
//
//go:embed probe.txt
var probes string

// probed is a request that the agent would take for a task of its own.
type probed struct {
	Text   string `json:"text"`
	Intent string `json:"intent"`
	Writes bool   `json:"writes"` // the task may change the world
}

// probe says which of the generic requests the agent would take, those that lead to a write first.
// Nothing is called.
func (f *flags) probe(ctx context.Context, agent *config.Agent, warnings io.Writer) ([]probed, error) {
	c, err := f.classifier(agent, warnings)
	if err != nil {
		return nil, err
	}
	out := []probed{}
	for text := range strings.Lines(probes) {
		text = strings.TrimSpace(text)
		begun, err := router.First(ctx, agent, c, text, wallClock())
		if err != nil {
			return nil, fmt.Errorf("probe %q: %w", text, err)
		}
		if in := agent.Intent(begun.Intent); in != nil && !in.NotServed && in.ID != agent.Classifier.Fallback {
			out = append(out, probed{Text: text, Intent: in.ID, Writes: agent.Writes(in)})
		}
	}
	slices.SortStableFunc(out, func(a, b probed) int { return rank(a) - rank(b) })
	return out, nil
}

func rank(p probed) int {
	if p.Writes {
		return 0
	}
	return 1
}

// printProbed lists what would be taken, for people to judge.
func printProbed(out io.Writer, c *checked) error {
	if c.Errors > 0 {
		return &reported{}
	}
	for _, p := range c.Probed {
		note := ""
		if p.Writes {
			note = ", which may write"
		}
		fmt.Fprintf(out, "probe: %q would begin %s%s\n", p.Text, p.Intent, note)
	}
	_, err := fmt.Fprintf(out, "probe: %d of %d generic requests would be taken; examples of them under not_served make it fewer\n",
		len(c.Probed), strings.Count(strings.TrimSpace(probes), "\n")+1)
	return err
}
