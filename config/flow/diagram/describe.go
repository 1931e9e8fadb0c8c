package diagram

import "strings"

// Describe says in words what the diagram shows, for readers who do not see it.
func (d *Diagram) Describe() string { return strings.Join(d.Lines(), " ") }

// Lines returns a sentence for each node: what it is, and what follows.
func (d *Diagram) Lines() []string {
	var out []string
	for _, n := range d.Nodes {
		var to []string
		for _, e := range d.Edges {
			next := d.Node(e.To)
			if e.From != n.ID || next == nil {
				continue
			}
			where := next.line()
			if e.Label != "" {
				where = e.Label + ": " + where
			}
			to = append(to, where)
		}
		line := n.line()
		if len(to) > 0 {
			line += " → " + strings.Join(to, "; ")
		}
		out = append(out, line+".")
	}
	return out
}

func describeAll(list []*Diagram) string {
	if len(list) == 1 {
		return list[0].Describe()
	}
	var titles []string
	for _, d := range list {
		titles = append(titles, d.Title)
	}
	return "The flows of: " + strings.Join(titles, "; ") + "."
}
