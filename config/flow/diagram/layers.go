package diagram

import "slices"

// vertex is a place in a layer: a node, the label of an edge, or a point that a long edge passes.
type vertex struct {
	node  *Node // nil for a label or a point
	box   Box   // of a node
	label *link // the edge whose label it is; nil for a node or a point
	w, h  float64
	layer int
	pos   int // in its layer
	x, y  float64

	top, bottom float64 // of its layer

	up, down []*hop
}

// hop joins two vertices of neighbouring layers.
type hop struct {
	from, to *vertex
	heavy    bool // drawn straight where it can be
}

// link is an edge on its way through the layers.
type link struct {
	edge  *Edge
	back  bool      // its arrow points up
	chain []*vertex // from the upper node to the lower one
}

// graph is a diagram in layers.
type graph struct {
	nodes  []*vertex // of nodes, in the order of the diagram
	links  []*link
	layers [][]*vertex
}

// layered assigns layers: a node below all that lead to it, with a layer between for labels.
func layered(d *Diagram, boxes func(*Node) Box) *graph {
	g := &graph{}
	byID := map[string]int{}
	for i, n := range d.Nodes {
		b := boxes(n)
		g.nodes = append(g.nodes, &vertex{node: n, box: b, w: b.W, h: b.H})
		byID[n.ID] = i
	}
	out := make([][]int, len(g.nodes)) // the edges by the node that they leave
	var ends [][2]int
	for _, e := range d.Edges {
		from, ok1 := byID[e.From]
		to, ok2 := byID[e.To]
		if !ok1 || !ok2 || from == to {
			continue
		}
		out[from] = append(out[from], len(g.links))
		g.links = append(g.links, &link{edge: e})
		ends = append(ends, [2]int{from, to})
	}
	order := g.turnBack(out, ends)
	depth := g.depths(order, ends)
	for i, v := range g.nodes {
		v.layer = 2 * depth[i]
	}
	g.chains(ends)
	return g
}

// turnBack marks the edges that close a circle, found from the first node on, and returns the nodes
// so that all other edges lead from an earlier one to a later one.
func (g *graph) turnBack(out [][]int, ends [][2]int) []int {
	const (
		fresh = iota
		open
		closed
	)
	state := make([]int, len(g.nodes))
	var order []int
	var visit func(n int)
	visit = func(n int) {
		state[n] = open
		for _, l := range out[n] {
			switch to := ends[l][1]; state[to] {
			case open:
				g.links[l].back = true
			case fresh:
				visit(to)
			}
		}
		state[n] = closed
		order = append(order, n)
	}
	for n := range g.nodes {
		if state[n] == fresh {
			visit(n)
		}
	}
	slices.Reverse(order)
	return order
}

// depths returns the length of the longest way to each node. An edge back counts from its target.
func (g *graph) depths(order []int, ends [][2]int) []int {
	depth := make([]int, len(g.nodes))
	for _, n := range order {
		for l, e := range ends {
			if e[0] == n && !g.links[l].back {
				depth[e[1]] = max(depth[e[1]], depth[n]+1)
			}
		}
	}
	return depth
}

// chains puts a vertex into each layer that an edge passes. The first one between two nodes holds
// the label.
func (g *graph) chains(ends [][2]int) {
	deepest := 0
	for _, v := range g.nodes {
		deepest = max(deepest, v.layer)
	}
	g.layers = make([][]*vertex, deepest+1)
	for _, v := range g.nodes {
		g.add(v)
	}
	for i, l := range g.links {
		from, to := g.nodes[ends[i][0]], g.nodes[ends[i][1]]
		if l.back {
			from, to = to, from
		}
		l.chain = []*vertex{from}
		for layer := from.layer + 1; layer < to.layer; layer++ {
			v := &vertex{layer: layer}
			if l.labelAt(layer, from.layer, to.layer) {
				v.label, v.w, v.h = l, measure(l.edge.Label, labelSize)+12, labelSize+7
			}
			g.add(v)
			l.chain = append(l.chain, v)
		}
		l.chain = append(l.chain, to)
		for j := 1; j < len(l.chain); j++ {
			inner := l.chain[j-1].node == nil && l.chain[j].node == nil
			h := &hop{from: l.chain[j-1], to: l.chain[j], heavy: l.edge.Main && !l.back || inner}
			h.from.down = append(h.from.down, h)
			h.to.up = append(h.to.up, h)
		}
	}
}

// labelAt reports whether the label of an edge stands in a layer: the one next to where it begins.
func (l *link) labelAt(layer, top, bottom int) bool {
	if l.edge.Label == "" {
		return false
	}
	if l.back {
		return layer == bottom-1
	}
	return layer == top+1
}

func (g *graph) add(v *vertex) {
	v.pos = len(g.layers[v.layer])
	g.layers[v.layer] = append(g.layers[v.layer], v)
}
