package diagram

import (
	"fmt"
	"io"
	"strings"

	"github.com/slotway/slotway/config/printable"
)

// mermaidShapes are the brackets of a node.
var mermaidShapes = map[Shape][2]string{
	Start: {"([", "])"}, Question: {"[/", "/]"}, Decision: {"{", "}"}, Confirm: {"{{", "}}"},
	Call: {"[[", "]]"}, Write: {"[[", "]]"}, Say: {"(", ")"}, Assign: {"[", "]"}, Handoff: {"([", "])"},
	Run: {"[[", "]]"}, Digression: {">", "]"}, State: {"(", ")"}, End: {"((", "))"},
}

// mermaidLines are the arrows of the ways; the others have a plain one.
var mermaidLines = map[Way]string{Failed: "-.->", Again: "-.->", Digress: "-.->", Denied: "-.->"}

// Mermaid writes diagrams as one Mermaid flowchart, each in a box of its own if there are several.
func Mermaid(w io.Writer, list []*Diagram) error {
	var b strings.Builder
	b.WriteString("flowchart TD\n")
	for i, d := range list {
		indent := "    "
		if len(list) > 1 {
			fmt.Fprintf(&b, "    subgraph g%d[\"%s\"]\n", i+1, mermaidText(d.Title))
			indent = "        "
		}
		ids := map[string]string{}
		for j, n := range d.Nodes {
			ids[n.ID] = fmt.Sprintf("n%d_%d", i+1, j+1)
			class := ""
			if n.Ends && n.Shape != End {
				class = ":::ends"
			}
			s := mermaidShapes[n.Shape]
			fmt.Fprintf(&b, "%s%s%s\"%s\"%s%s\n", indent, ids[n.ID], s[0], mermaidText(n.line()), s[1], class)
		}
		for _, e := range d.Edges {
			line, ok := mermaidLines[e.Way]
			if !ok {
				line = "-->"
			}
			if e.Label != "" {
				line += "|\"" + mermaidText(e.Label) + "\"|"
			}
			fmt.Fprintf(&b, "%s%s %s %s\n", indent, ids[e.From], line, ids[e.To])
		}
		if len(list) > 1 {
			b.WriteString("    end\n")
		}
	}
	b.WriteString("    classDef ends stroke-width:3px\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// line is a node's text in one line.
func (n *Node) line() string {
	text := n.Text
	if n.Kind != "" {
		text = n.Kind + ": " + text
	}
	if n.Shape == End && text == "" {
		return "end"
	}
	if n.Detail != "" {
		text += " (" + n.Detail + ")"
	}
	return text
}

// mermaidEscapes replaces what would end a text or be read as markup.
var mermaidEscapes = strings.NewReplacer("#", "#35;", `"`, "#quot;", "\n", " ", "<", "#lt;", ">", "#gt;", "`", "#96;")

func mermaidText(text string) string { return mermaidEscapes.Replace(printable.Text(text)) }
