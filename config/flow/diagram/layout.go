package diagram

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Margins and gaps in pixels.
const (
	margin    = 14
	gapLayers = 19 // between a layer of nodes and the layer of labels below it
	captionSz = 12
	titleSize = 16
)

// Arrow is an edge with its way.
type Arrow struct {
	Edge *Edge
	Back bool   // it leads back to an earlier layer
	Path string // of SVG
	// Label is the place of the label; its W is 0 without one.
	Label Box
	ends  [2][2]float64
}

// Layout is a diagram with a place for everything.
type Layout struct {
	Diagram       *Diagram
	Width, Height float64
	Boxes         []Box
	Arrows        []Arrow
}

// Lay gives every node and edge of a diagram its place.
func Lay(d *Diagram) *Layout {
	g := layered(d, boxOf)
	g.order()
	g.place()
	l := &Layout{Diagram: d}
	g.stack(l)
	for _, v := range g.nodes {
		b := v.box
		b.X, b.Y = v.x-v.w/2, v.y-v.h/2
		l.Boxes = append(l.Boxes, b)
	}
	ports := g.ports()
	for _, k := range g.links {
		l.Arrows = append(l.Arrows, g.arrow(k, ports))
	}
	return l
}

// stack gives the layers their height, and moves everything inside the margins.
func (g *graph) stack(l *Layout) {
	left, right := math.Inf(1), math.Inf(-1)
	y := float64(margin)
	for i, layer := range g.layers {
		tall := 0.0
		for _, v := range layer {
			tall = max(tall, v.h)
			left, right = min(left, v.x-v.w/2), max(right, v.x+v.w/2)
		}
		for _, v := range layer {
			v.y, v.top, v.bottom = y+tall/2, y, y+tall
			if v.node == nil {
				v.h = max(v.h, tall) // an edge passes a layer on its whole height
			}
		}
		y += tall
		if i < len(g.layers)-1 {
			y += gapLayers
		}
	}
	for _, layer := range g.layers {
		for _, v := range layer {
			v.x += margin - left
		}
	}
	l.Width, l.Height = math.Ceil(right-left+2*margin), math.Ceil(y+margin)
}

// port is one end of a chain at a node.
type port struct {
	link *link
	top  bool // at the node's upper side
}

// portGap keeps the edges of a node apart.
const portGap = 13

// ports returns the x at which each chain meets its nodes: as straight above or below its next
// vertex as the width of the node allows.
func (g *graph) ports() map[port]float64 {
	at := map[port]float64{}
	for _, v := range g.nodes {
		for _, top := range [...]bool{true, false} {
			g.portsOf(v, top, at)
		}
	}
	return at
}

func (g *graph) portsOf(v *vertex, top bool, at map[port]float64) {
	type wish struct {
		p port
		x float64
	}
	var wishes []wish
	half := max(0, v.w/2-slants[v.node.Shape]-10)
	for _, l := range g.links {
		end, next := l.chain[0], l.chain[1]
		if top {
			end, next = l.chain[len(l.chain)-1], l.chain[len(l.chain)-2]
		}
		if end == v {
			wishes = append(wishes, wish{port{l, top}, min(max(next.x, v.x-half), v.x+half)})
		}
	}
	slices.SortStableFunc(wishes, func(a, b wish) int { return cmp.Compare(a.x, b.x) })
	gap := portGap + 0.0
	if n := len(wishes); n > 1 {
		gap = min(gap, 2*half/float64(n-1))
	}
	for i := 1; i < len(wishes); i++ { // pushed right, then back from the right border
		wishes[i].x = max(wishes[i].x, wishes[i-1].x+gap)
	}
	for i, border := len(wishes)-1, v.x+half; i >= 0; i-- {
		wishes[i].x = min(wishes[i].x, border)
		border = wishes[i].x - gap
		at[wishes[i].p] = wishes[i].x
	}
}

// arrow draws the way of an edge: straight through the layers, curved between them.
func (g *graph) arrow(k *link, ports map[port]float64) Arrow {
	type point struct{ x, y float64 }
	var way []point
	first, last := k.chain[0], k.chain[len(k.chain)-1]
	leave, arrive := ports[port{k, false}], ports[port{k, true}]
	way = append(way, point{leave, first.y + first.h/2}, point{leave, first.bottom})
	a := Arrow{Edge: k.edge, Back: k.back}
	for _, v := range k.chain[1 : len(k.chain)-1] {
		way = append(way, point{v.x, v.y - v.h/2}, point{v.x, v.y + v.h/2})
		if v.label == k {
			h := float64(labelSize + 7)
			a.Label = Box{X: v.x - v.w/2, Y: v.y - h/2, W: v.w, H: h}
		}
	}
	way = append(way, point{arrive, last.top}, point{arrive, last.y - last.h/2})
	way = slices.Compact(way) // a line without length would turn the arrowhead
	if k.back {
		slices.Reverse(way)
	}
	a.ends = [2][2]float64{{way[0].x, way[0].y}, {way[len(way)-1].x, way[len(way)-1].y}}
	var path strings.Builder
	fmt.Fprintf(&path, "M%s %s", short(way[0].x), short(way[0].y))
	for i := 1; i < len(way); i++ {
		from, to := way[i-1], way[i]
		if from.x == to.x {
			if i+1 < len(way) && way[i+1].x == to.x {
				continue // one line with the next
			}
			fmt.Fprintf(&path, "V%s", short(to.y))
			continue
		}
		half := (from.y + to.y) / 2
		fmt.Fprintf(&path, "C%s %s %s %s %s %s", short(from.x), short(half), short(to.x), short(half), short(to.x), short(to.y))
	}
	a.Path = path.String()
	return a
}

// short writes a coordinate without needless figures.
func short(x float64) string {
	return strings.TrimSuffix(fmt.Sprintf("%.1f", x), ".0")
}
