package diagram

import (
	"math"
	"slices"
)

// gapBetween is the space between two vertices of a layer.
const gapBetween = 22

// The layers are settled down and up so many times, and a heavy hop counts as so many others.
const (
	settles     = 12
	heavyWeight = 50
)

// place gives every vertex its x. Each layer in turn moves towards its neighbours; at last, down the heavy
// hops alone, so that they are straight wherever there is room.
func (g *graph) place() {
	for _, layer := range g.layers {
		settle(layer, func(*vertex) (float64, float64) { return 0, 1 })
	}
	for range settles {
		for _, layer := range g.layers {
			settle(layer, func(v *vertex) (float64, float64) { return v.pulled(v.up, 1) })
		}
		for _, layer := range slices.Backward(g.layers) {
			settle(layer, func(v *vertex) (float64, float64) { return v.pulled(v.down, 1) })
		}
	}
	for _, layer := range g.layers {
		settle(layer, func(v *vertex) (float64, float64) { return v.pulled(v.up, 0) })
	}
}

// pulled returns the mean x of a vertex's neighbours, where hops that are not heavy count light, and how much
// it counts against the wishes of others; its own x if no neighbour counts.
func (v *vertex) pulled(hops []*hop, light float64) (x, weight float64) {
	for _, h := range hops {
		pull := light
		if h.heavy {
			pull = heavyWeight
		}
		x, weight = x+pull*h.other(v).x, weight+pull
	}
	if weight == 0 {
		return v.x, 1
	}
	return x / weight, weight
}

// settle puts the vertices of a layer as near to where they want to be as their order and their widths
// allow: those that are in each other's way share the distance, by their weights.
func settle(layer []*vertex, want func(*vertex) (x, weight float64)) {
	type cluster struct {
		x, weight float64 // where its first vertex would stand if the layer began with it
		members   int
	}
	var clusters []cluster
	offsets := make([]float64, len(layer)) // from the first vertex, where all stand as close as they can
	for i, v := range layer {
		if i > 0 {
			offsets[i] = offsets[i-1] + (layer[i-1].w+v.w)/2 + gapBetween
		}
		x, weight := want(v)
		now := cluster{x - offsets[i], weight, 1}
		for len(clusters) > 0 && clusters[len(clusters)-1].x > now.x {
			last := clusters[len(clusters)-1]
			weight := last.weight + now.weight
			now = cluster{(last.x*last.weight + now.x*now.weight) / weight, weight, last.members + now.members}
			clusters = clusters[:len(clusters)-1]
		}
		clusters = append(clusters, now)
	}
	i := 0
	for _, c := range clusters {
		for range c.members {
			layer[i].x = math.Round(c.x) + offsets[i]
			i++
		}
	}
}
