package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/flow"
	"github.com/slotway/slotway/config/flow/diagram"
	"github.com/slotway/slotway/config/naming"
	"github.com/slotway/slotway/router"
)

// graphFormats are the values of graph --format.
var graphFormats = map[string]func(w io.Writer, title string, list []*diagram.Diagram) error{
	"mermaid": func(w io.Writer, _ string, list []*diagram.Diagram) error { return diagram.Mermaid(w, list) },
	"dot":     func(w io.Writer, _ string, list []*diagram.Diagram) error { return diagram.DOT(w, list) },
	"svg":     diagram.SVG,
}

func newGraph(f *flags) *cobra.Command {
	var machine bool
	var format, out string
	var intents []string
	cmd := &cobra.Command{
		Use:   "graph",
		Short: "Draw the tasks of the agent, or the machine of a turn",
		Long: "Draw the tasks of the agent: its questions, steps, branches with both ways, what follows a no and an error.\n" +
			"--machine draws the states of a turn instead. The formats are mermaid (for Markdown), dot (for Graphviz) and svg.",
		Example: "  slotway graph --format svg -o agent.svg\n  slotway graph --intent cancel_order\n  slotway graph --machine --format dot",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			write := graphFormats[format]
			if write == nil {
				return usagef("--format is %q: it is one of mermaid, dot and svg", format)
			}
			if machine && len(intents) > 0 {
				return usagef("--machine draws no intent: leave out one of --machine and --intent")
			}
			return writeTo(cmd.OutOrStdout(), out, func(w io.Writer) error {
				if machine {
					return drawMachine(w, format)
				}
				return f.drawAgent(w, intents, write)
			})
		},
	}
	cmd.Flags().StringSliceVar(&intents, "intent", nil, "draw only this intent; may be repeated")
	cmd.Flags().BoolVar(&machine, "machine", false, "draw the states of a turn instead of the agent")
	cmd.Flags().StringVar(&format, "format", "mermaid", "mermaid, dot or svg")
	cmd.Flags().StringVarP(&out, "output", "o", "", "write to this `file` instead of the terminal")
	return cmd
}

// writeTo calls write with a file, or with the terminal if there is none.
func writeTo(terminal io.Writer, path string, write func(io.Writer) error) error {
	if path == "" {
		return write(terminal)
	}
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}

// drawAgent draws the intents of that name, or all of them.
func (f *flags) drawAgent(w io.Writer, intents []string, write func(io.Writer, string, []*diagram.Diagram) error) error {
	agent, err := f.loadAgent()
	if err != nil {
		return err
	}
	list := flow.Agent(agent)
	if len(intents) > 0 {
		if list, err = pick(agent, list, intents); err != nil {
			return err
		}
	}
	return write(w, agent.Name(), list)
}

// pick returns the diagrams of the named intents.
func pick(agent *config.Agent, list []*diagram.Diagram, intents []string) ([]*diagram.Diagram, error) {
	var out []*diagram.Diagram
	var known []string
	for _, d := range list {
		known = append(known, d.ID)
	}
	for _, id := range intents {
		i := slices.Index(known, id)
		if i < 0 {
			return nil, fmt.Errorf("--intent: agent %s: %w", agent.ID, naming.Unknown("intent", id, known))
		}
		out = append(out, list[i])
	}
	return out, nil
}

// drawMachine draws the state table of the router. Mermaid has a form of its own for it.
func drawMachine(w io.Writer, format string) error {
	if format == "mermaid" {
		return mermaidMachine(w)
	}
	return graphFormats[format](w, "The machine of a turn", []*diagram.Diagram{machineDiagram()})
}

func mermaidMachine(w io.Writer) error {
	fmt.Fprintln(w, "stateDiagram-v2")
	fmt.Fprintf(w, "    [*] --> %s\n", router.Initial)
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
	return nil
}

// machineDiagram is the state table as a diagram.
func machineDiagram() *diagram.Diagram {
	d := &diagram.Diagram{ID: "machine", Title: "The machine of a turn", Caption: "A turn rests in the states with a ring."}
	add := func(state string) {
		if d.Node(state) == nil {
			d.Nodes = append(d.Nodes, &diagram.Node{ID: state, Shape: diagram.State, Text: state, Ends: router.Rests(state)})
		}
	}
	add(router.Initial)
	for _, t := range router.Machine() {
		add(t.From)
		add(t.To)
		d.Edges = append(d.Edges, &diagram.Edge{From: t.From, To: t.To, Label: t.On, Way: diagram.Next})
	}
	return d
}
