package diagram

import (
	"fmt"
	"io"
	"strings"

	"github.com/slotway/slotway/config/printable"
)

// dotShapes are the shapes of Graphviz.
var dotShapes = map[Shape]string{
	Start: "oval", Question: "parallelogram", Decision: "diamond", Confirm: "hexagon", Call: "component", Write: "component",
	Say: "box", Assign: "box", Handoff: "oval", Run: "folder", Digression: "note", State: "box", End: "doublecircle",
}

// dotStyles are the styles of the ways; the others are plain.
var dotStyles = map[Way]string{Failed: "dashed", Again: "dashed", Denied: "dashed", Digress: "dotted"}

// DOT writes diagrams in the language of Graphviz, each in a cluster of its own if there are several.
func DOT(w io.Writer, list []*Diagram) error {
	var b strings.Builder
	b.WriteString("digraph agent {\n    rankdir=TB\n    node [fontname=\"Helvetica\" fontsize=11]\n    edge [fontname=\"Helvetica\" fontsize=10]\n")
	for i, d := range list {
		indent := "    "
		if len(list) > 1 {
			fmt.Fprintf(&b, "    subgraph cluster_%d {\n        label=%s\n", i+1, dotText(d.Title))
			indent = "        "
		}
		ids := map[string]string{}
		for j, n := range d.Nodes {
			ids[n.ID] = fmt.Sprintf("n%d_%d", i+1, j+1)
			more := ""
			if n.Ends && n.Shape != End {
				more = " peripheries=2"
			}
			if n.Shape == Say || n.Shape == State {
				more += " style=rounded"
			}
			fmt.Fprintf(&b, "%s%s [label=%s shape=%s%s]\n", indent, ids[n.ID], dotText(n.line()), dotShapes[n.Shape], more)
		}
		for _, e := range d.Edges {
			fmt.Fprintf(&b, "%s%s -> %s%s\n", indent, ids[e.From], ids[e.To], dotAttributes(e))
		}
		if len(list) > 1 {
			b.WriteString("    }\n")
		}
	}
	b.WriteString("}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func dotAttributes(e *Edge) string {
	var attrs []string
	if e.Label != "" {
		attrs = append(attrs, "label="+dotText(e.Label))
	}
	if style := dotStyles[e.Way]; style != "" {
		attrs = append(attrs, "style="+style)
	}
	if e.Main {
		attrs = append(attrs, "weight=5")
	}
	if len(attrs) == 0 {
		return ""
	}
	return " [" + strings.Join(attrs, " ") + "]"
}

var dotEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ")

func dotText(text string) string { return `"` + dotEscapes.Replace(printable.Text(text)) + `"` }
