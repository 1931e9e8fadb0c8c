package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier/eval/probe"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/internal/build"
	"github.com/slotway/slotway/router"
)

// probed is a request that the agent would take for one of its tasks.
type probed struct {
	Text       string  `json:"text"`
	Intent     string  `json:"intent"`
	Writes     bool    `json:"writes"`     // the task may change the world
	Kind       string  `json:"kind"`       // generic or near
	About      string  `json:"about"`      // the domain, or the agent's word that it is made of
	Confidence float64 `json:"confidence"` // in the intent
	Named      bool    `json:"named"`      // its first question would say what was understood
}

// The kinds of probed requests.
const (
	kindGeneric = "generic"
	kindNear    = "near"
)

// probingCount counts what the agent would do with the requests of one kind.
type probingCount struct {
	Kind     string `json:"kind"`
	Requests int    `json:"requests"`
	Acted    int    `json:"acted"`
	Writes   int    `json:"writes"` // of those, by a task that may write
	Named    int    `json:"named"`  // of those, with a first question that says what was understood
	Asked    int    `json:"asked"`  // asked back about
	Refused  int    `json:"refused"`
	Served   int    `json:"served"` // left out: the agent's own examples say the same
}

// probe returns what the agent would do with requests that it most likely does not serve, and lists
// those that it would act on, the worst first. It calls nothing.
func (f *flags) probe(ctx context.Context, agent *config.Agent, warnings io.Writer) (taken []probed, counts []probingCount, err error) {
	c, err := f.classifier(agent, warnings)
	if err != nil {
		return nil, nil, err
	}
	generic, served := probe.Generic(agent)
	taken = []probed{}
	for _, kind := range []struct {
		name     string
		requests []probe.Request
		served   int
	}{{kindGeneric, generic, served}, {kindNear, probe.Near(agent), 0}} {
		count := probingCount{Kind: kind.name, Requests: len(kind.requests), Served: kind.served}
		for _, r := range kind.requests {
			begun, err := router.Preview(ctx, agent, c, r.Text, build.Now())
			if err != nil {
				return nil, nil, fmt.Errorf("probe %q: %w", r.Text, err)
			}
			in := agent.Intent(begun.Intent)
			switch {
			case in != nil && !in.System && !in.NotServed && in.ID != agent.Classifier.Fallback:
				taken = append(taken, probed{r.Text, in.ID, agent.Writes(in), kind.name, r.About, begun.Confidence, begun.Doubtful})
				count.add(agent.Writes(in), begun.Doubtful)
			case len(begun.Offered) > 0:
				count.Asked++
			default:
				count.Refused++
			}
		}
		counts = append(counts, count)
	}
	slices.SortStableFunc(taken, func(a, b probed) int {
		return cmp.Or(rank(a)-rank(b), cmp.Compare(b.Confidence, a.Confidence))
	})
	return taken, counts, nil
}

func (c *probingCount) add(writes, named bool) {
	c.Acted++
	if writes {
		c.Writes++
	}
	if named {
		c.Named++
	}
}

// rank puts requests that lead to a write first.
func rank(p probed) int {
	if p.Writes {
		return 0
	}
	return 1
}

// Limits of the text for people; the JSON has everything.
const (
	worstShown  = 10
	samplesSaid = 3 // examples of a piece of advice
	adviceSaid  = 3
)

// printProbed prints the counts, the worst requests, and advice.
func printProbed(out io.Writer, c *checkResult) error {
	if c.Errors > 0 {
		return &reported{}
	}
	if c.language != "English" {
		fmt.Fprintf(out, "probe: the requests are English, the agent's language is %s\n", c.language)
	}
	for _, n := range c.Probe {
		fmt.Fprintf(out, "probe: %d %s requests: %d acted on (%d by what may write, %d named in the first question), %d asked about, %d refused", n.Requests, n.Kind, n.Acted, n.Writes, n.Named, n.Asked, n.Refused)
		if n.Served > 0 {
			fmt.Fprintf(out, "; %d left out as served", n.Served)
		}
		fmt.Fprintln(out)
	}
	for _, p := range c.Probed[:min(len(c.Probed), worstShown)] {
		note := ""
		if p.Writes {
			note = ", which may write"
		}
		fmt.Fprintf(out, "probe: %q would begin %s%s (%.2f, %s)\n", p.Text, p.Intent, note, p.Confidence, p.Kind)
	}
	if len(c.Probed) > worstShown {
		fmt.Fprintf(out, "probe: and %d more; --json has them all\n", len(c.Probed)-worstShown)
	}
	for _, a := range c.ProbeAdvice {
		fmt.Fprintf(out, "probe: %s\n", a)
	}
	return nil
}

// advise returns advice on the intents that take most requests.
func advise(agent *config.Agent, taken []probed) []string {
	byIntent := map[string][]probed{}
	for _, p := range taken {
		byIntent[p.Intent] = append(byIntent[p.Intent], p)
	}
	intents := make([]string, 0, len(byIntent))
	for id := range byIntent {
		intents = append(intents, id)
	}
	slices.SortFunc(intents, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(byIntent[b]), len(byIntent[a])), cmp.Compare(a, b))
	})
	var out []string
	for _, id := range intents[:min(len(intents), adviceSaid)] {
		out = append(out, adviseOn(agent.Intent(id), byIntent[id]))
	}
	return out
}

// fewExamples is the number of examples below which an intent is helped most by more of its own.
const fewExamples = 12

func adviseOn(in *config.Intent, taken []probed) string {
	var samples []string
	for _, p := range taken[:min(len(taken), samplesSaid)] {
		samples = append(samples, fmt.Sprintf("%q", p.Text))
	}
	advice := fmt.Sprintf("%s takes %d of them: list those that it does not serve under not_served, such as %s", in.ID, len(taken), strings.Join(samples, ", "))
	if n := len(in.Examples); n < fewExamples {
		advice += fmt.Sprintf("; and add examples to %s, which has %d", in.ID, n)
	}
	return advice
}
