package diagram

import (
	"cmp"
	"slices"
)

// sweeps is how often the order of all layers is improved.
const sweeps = 24

// order arranges each layer so that few edges cross.
func (g *graph) order() {
	g.firstOrder()
	best, fewest := g.positions(), g.crossings()
	for i := 0; i < sweeps && fewest > 0; i++ {
		g.sweep(i%2 == 0)
		if n := g.crossings(); n < fewest {
			best, fewest = g.positions(), n
		}
	}
	g.restore(best)
}

// firstOrder arranges the layers as a walk from the first node meets the vertices: what an edge
// drawn straight leads to comes first.
func (g *graph) firstOrder() {
	seen := map[*vertex]bool{}
	layers := make([][]*vertex, len(g.layers))
	var visit func(v *vertex)
	visit = func(v *vertex) {
		if seen[v] {
			return
		}
		seen[v] = true
		layers[v.layer] = append(layers[v.layer], v)
		for _, heavy := range [...]bool{true, false} {
			for _, h := range v.down {
				if h.heavy == heavy {
					visit(h.to)
				}
			}
		}
	}
	for _, v := range g.nodes {
		visit(v)
	}
	g.layers = layers
	g.number()
}

func (g *graph) number() {
	for _, layer := range g.layers {
		for i, v := range layer {
			v.pos = i
		}
	}
}

// sweep sorts each layer by the middle of its neighbours, from the top down or from the bottom up.
func (g *graph) sweep(down bool) {
	for i := range g.layers {
		layer := g.layers[i]
		if !down {
			layer = g.layers[len(g.layers)-1-i]
		}
		key := make(map[*vertex]float64, len(layer))
		for _, v := range layer {
			key[v] = v.middle(down)
		}
		slices.SortStableFunc(layer, func(a, b *vertex) int { return cmp.Compare(key[a], key[b]) })
		for j, v := range layer {
			v.pos = j
		}
	}
}

// middle returns the mean position of a vertex's neighbours in the layer above or below; its own
// without any.
func (v *vertex) middle(above bool) float64 {
	hops := v.down
	if above {
		hops = v.up
	}
	if len(hops) == 0 {
		return float64(v.pos)
	}
	sum := 0
	for _, h := range hops {
		sum += h.other(v).pos
	}
	return float64(sum) / float64(len(hops))
}

func (h *hop) other(v *vertex) *vertex {
	if h.from == v {
		return h.to
	}
	return h.from
}

// crossings counts the crossings of the whole graph.
func (g *graph) crossings() int {
	n := 0
	for _, layer := range g.layers {
		for i, a := range layer {
			for _, b := range layer[i+1:] {
				for _, x := range a.down {
					for _, y := range b.down {
						if x.to.pos > y.to.pos {
							n++
						}
					}
				}
			}
		}
	}
	return n
}

func (g *graph) positions() [][]*vertex {
	out := make([][]*vertex, len(g.layers))
	for i, layer := range g.layers {
		out[i] = slices.Clone(layer)
	}
	return out
}

func (g *graph) restore(layers [][]*vertex) {
	g.layers = layers
	g.number()
}
