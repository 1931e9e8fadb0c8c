package diagram

import (
	"math"
	"slices"
)

// gapBetween is the space between two vertices of a layer.
const gapBetween = 22

// sides are the four directions in which vertices are lined up: with what is above or below, from
// the left or from the right.
var sides = [...]struct{ above, left bool }{{true, true}, {true, false}, {false, true}, {false, false}}

// place gives each vertex its x, the middle of the vertex. Each side alone keeps the vertices of a
// layer apart, so the mean of the two middle ones does, too.
func (g *graph) place() {
	all := make([]map[*vertex]float64, len(sides))
	narrowest, width := 0, math.Inf(1)
	for i, s := range sides {
		all[i] = g.compact(g.blocks(s.above, s.left), s.left)
		if lo, hi := span(all[i]); hi-lo < width {
			narrowest, width = i, hi-lo
		}
	}
	lo, hi := span(all[narrowest])
	for i, s := range sides {
		l, h := span(all[i])
		shift := lo - l
		if !s.left {
			shift = hi - h
		}
		for v := range all[i] {
			all[i][v] += shift
		}
	}
	for _, layer := range g.layers {
		for _, v := range layer {
			xs := [len(sides)]float64{}
			for i := range sides {
				xs[i] = all[i][v]
			}
			slices.Sort(xs[:])
			v.x = math.Round((xs[1] + xs[2]) / 2)
		}
	}
}

// span returns the outermost edges of the vertices.
func span(xs map[*vertex]float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for v, x := range xs {
		lo, hi = min(lo, x-v.w/2), max(hi, x+v.w/2)
	}
	return lo, hi
}

// blocks lines vertices up: it returns by vertex the first one of its column. A vertex joins the
// column of a middle neighbour, unless that crosses what is lined up already or takes the place of a
// heavy hop.
func (g *graph) blocks(above, left bool) map[*vertex]*vertex {
	root := map[*vertex]*vertex{}
	taken := map[*vertex]bool{} // has a vertex of the next layer in its column
	for i := range g.layers {
		layer := g.layers[i]
		if !above {
			layer = g.layers[len(g.layers)-1-i]
		}
		limit := -1
		for j := range layer {
			v := layer[j]
			if !left {
				v = layer[len(layer)-1-j]
			}
			root[v] = v
			for _, n := range v.candidates(above, left) {
				p := n.pos
				if !left {
					p = math.MaxInt32 - p
				}
				if taken[n] || p <= limit {
					continue
				}
				root[v], limit, taken[n] = root[n], p, true
				break
			}
		}
	}
	return root
}

// candidates returns the middle neighbours of a vertex, by heavy hops if it has any, the preferred
// one first. A neighbour with a heavy hop of its own is left to that one.
func (v *vertex) candidates(above, left bool) []*vertex {
	hops := v.down
	if above {
		hops = v.up
	}
	var all, heavy []*vertex
	for _, h := range hops {
		n := h.other(v)
		if h.heavy {
			heavy = append(heavy, n)
		} else if !n.heavyTowards(!above) {
			all = append(all, n)
		}
	}
	if len(heavy) > 0 {
		all = heavy
	}
	slices.SortFunc(all, func(a, b *vertex) int { return a.pos - b.pos })
	if len(all) == 0 {
		return nil
	}
	lower, upper := all[(len(all)-1)/2], all[len(all)/2]
	if lower == upper {
		return []*vertex{lower}
	}
	if left {
		return []*vertex{lower, upper}
	}
	return []*vertex{upper, lower}
}

func (v *vertex) heavyTowards(above bool) bool {
	hops := v.down
	if above {
		hops = v.up
	}
	return slices.ContainsFunc(hops, func(h *hop) bool { return h.heavy })
}

// compact moves the columns together, towards the left or the right, then back as far as their
// neighbours let them: no column stands further out than it must.
func (g *graph) compact(root map[*vertex]*vertex, left bool) map[*vertex]float64 {
	type gap struct {
		to   *vertex
		size float64
	}
	after := map[*vertex][]gap{}
	before := map[*vertex][]gap{}
	var columns []*vertex
	seen := map[*vertex]bool{}
	for _, layer := range g.layers {
		for i, v := range layer {
			if r := root[v]; !seen[r] {
				seen[r] = true
				columns = append(columns, r)
			}
			if i > 0 {
				a, b := root[layer[i-1]], root[v]
				size := (layer[i-1].w+v.w)/2 + gapBetween
				after[a] = append(after[a], gap{b, size})
				before[b] = append(before[b], gap{a, size})
			}
		}
	}
	if !left { // mirrored: towards the right
		after, before = before, after
	}
	var order []*vertex
	done := map[*vertex]bool{}
	var visit func(*vertex)
	visit = func(c *vertex) {
		if done[c] {
			return
		}
		done[c] = true
		for _, b := range before[c] {
			visit(b.to)
		}
		order = append(order, c)
	}
	for _, c := range columns {
		visit(c)
	}
	at := map[*vertex]float64{}
	for _, c := range order {
		for _, b := range before[c] {
			at[c] = max(at[c], at[b.to]+b.size)
		}
	}
	for _, c := range slices.Backward(order) {
		room := math.Inf(1)
		for _, a := range after[c] {
			room = min(room, at[a.to]-a.size)
		}
		if !math.IsInf(room, 1) {
			at[c] = max(at[c], room)
		}
	}
	xs := map[*vertex]float64{}
	for v, r := range root {
		xs[v] = at[r]
		if !left {
			xs[v] = -at[r]
		}
	}
	return xs
}
