package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/router"
)

func newGraph(f *flags) *cobra.Command {
	var machine bool
	var format string
	cmd := &cobra.Command{
		Use:   "graph",
		Short: "Draw the agent (intents, questions, calls), or the machine of a turn, as Mermaid",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if format != "mermaid" {
				return usagef("--format is %q: this version draws mermaid", format)
			}
			if machine {
				drawMachine(cmd.OutOrStdout())
				return nil
			}
			agent, err := f.loadAgent()
			if err != nil {
				return err
			}
			drawAgent(cmd.OutOrStdout(), agent)
			return nil
		},
	}
	cmd.Flags().BoolVar(&machine, "machine", false, "the states of a turn instead of the agent")
	cmd.Flags().StringVar(&format, "format", "mermaid", "mermaid")
	return cmd
}

// drawMachine draws the state table of the router.
func drawMachine(w io.Writer) {
	fmt.Fprintln(w, "stateDiagram-v2")
	fmt.Fprintln(w, "    [*] --> idle")
	for _, t := range router.Machine() {
		fmt.Fprintf(w, "    %s --> %s: %s\n", t.From, t.To, t.On)
	}
	seen := map[string]bool{}
	for _, t := range router.Machine() {
		if router.Rests(t.To) && !seen[t.To] {
			seen[t.To] = true
			fmt.Fprintf(w, "    %s --> [*]\n", t.To)
		}
	}
}

// drawAgent draws each intent with what it asks, calls and says, in the plan's order.
func drawAgent(w io.Writer, agent *config.Agent) {
	d := &drawing{w: w}
	fmt.Fprintln(w, "flowchart LR")
	for _, in := range agent.Intents {
		d.intent(in)
	}
	for _, in := range agent.System {
		if len(in.Plan) > 0 {
			d.intent(in)
		}
	}
}

type drawing struct {
	w io.Writer
	n int
}

// nodeShapes maps a kind of step to the brackets of its node.
var nodeShapes = map[config.StepKind][2]string{
	config.StepAsk:      {"[/", "/]"},
	config.StepChoose:   {"[/", "/]"},
	config.StepConfirm:  {"{{", "}}"},
	config.StepCall:     {"[[", "]]"},
	config.StepRespond:  {"(", ")"},
	config.StepGenerate: {"(", ")"},
	config.StepSet:      {"[", "]"},
	config.StepHandoff:  {"([", "])"},
	config.StepEnd:      {"((", "))"},
	config.StepWhen:     {"{", "}"},
}

func (d *drawing) node(kind config.StepKind, text string) string {
	d.n++
	id := fmt.Sprintf("n%d", d.n)
	shape := nodeShapes[kind]
	fmt.Fprintf(d.w, "    %s%s\"%s\"%s\n", id, shape[0], escapeMermaid(text), shape[1])
	return id
}

// escapeMermaid escapes what would end a node.
func escapeMermaid(text string) string {
	return strings.NewReplacer(`"`, "#quot;", "\n", " ", "<", "#lt;", ">", "#gt;").Replace(text)
}

func (d *drawing) arrow(from, to, label string) {
	if label == "" {
		fmt.Fprintf(d.w, "    %s --> %s\n", from, to)
		return
	}
	fmt.Fprintf(d.w, "    %s -->|\"%s\"| %s\n", from, escapeMermaid(label), to)
}

func (d *drawing) intent(in *config.Intent) {
	d.n++
	at := fmt.Sprintf("n%d", d.n)
	fmt.Fprintf(d.w, "    %s>\"%s\"]\n", at, escapeMermaid(in.ID))
	if names := paramNames(in); names != "" {
		ask := d.node(config.StepAsk, "ask "+names)
		d.arrow(at, ask, "")
		at = ask
	}
	d.steps(at, in.Plan, "")
}

// paramNames lists the params that an intent needs; "or" joins groups of alternatives.
func paramNames(in *config.Intent) string {
	var parts []string
	for _, p := range in.Required {
		parts = append(parts, p.Name)
	}
	var groups []string
	for _, g := range in.OneOf {
		var names []string
		for _, p := range g {
			names = append(names, p.Name)
		}
		groups = append(groups, strings.Join(names, " and "))
	}
	if len(groups) > 0 {
		parts = append(parts, strings.Join(groups, ", or "))
	}
	return strings.Join(parts, ", ")
}

// steps draws a list of steps after a node and returns the last one.
func (d *drawing) steps(at string, list []*config.Step, label string) string {
	for _, s := range list {
		if s.Kind == config.StepWhen {
			at = d.block(at, s, label)
			label = ""
			continue
		}
		if s.When != nil {
			label = s.When.Source
		}
		node := d.node(s.Kind, stepText(s))
		d.arrow(at, node, label)
		for _, code := range slices.Sorted(maps.Keys(s.OnError)) {
			if on := s.OnError[code]; on.Respond != "" {
				d.arrow(node, d.node(config.StepRespond, on.Respond), code)
			}
		}
		label = ""
		if s.When == nil || !s.End {
			at = node
		}
	}
	return at
}

func (d *drawing) block(at string, s *config.Step, label string) string {
	node := d.node(config.StepWhen, s.When.Source)
	d.arrow(at, node, label)
	d.steps(node, s.Else, "no")
	if last := d.steps(node, s.Then, "yes"); !s.End {
		return last
	}
	return node
}

// stepText describes a step in the words of the file.
func stepText(s *config.Step) string {
	what := map[config.StepKind]string{
		config.StepAsk: s.Param, config.StepChoose: s.Param, config.StepCall: s.Tool,
		config.StepRespond: s.Response, config.StepHandoff: s.Queue,
	}[s.Kind]
	if s.Kind == config.StepConfirm && s.Text != nil {
		what = s.Text.Source
	}
	return strings.TrimSpace(string(s.Kind) + " " + what)
}
