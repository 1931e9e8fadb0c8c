package diagram

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// drawn is a random diagram: a way from the first node to every other, and edges in all directions.
func drawn(t *rapid.T) *Diagram {
	shapes := []Shape{Question, Decision, Confirm, Call, Write, Say, Assign, Handoff, State, End}
	words := rapid.StringMatching(`[a-zA-Z_äé本\. ]{0,60}`)
	d := &Diagram{ID: "d", Title: "random", Nodes: []*Node{{ID: "n0", Shape: Start, Text: "start"}}}
	for i := 1; i < rapid.IntRange(1, 24).Draw(t, "nodes"); i++ {
		n := &Node{ID: fmt.Sprintf("n%d", i), Shape: rapid.SampledFrom(shapes).Draw(t, "shape"), Kind: "asks", Text: words.Draw(t, "text"), Detail: words.Draw(t, "detail")}
		n.Ends = rapid.Bool().Draw(t, "ends")
		d.Nodes = append(d.Nodes, n)
		from := rapid.IntRange(0, i-1).Draw(t, "from")
		d.Edges = append(d.Edges, &Edge{From: fmt.Sprintf("n%d", from), To: n.ID, Way: Next, Main: rapid.Bool().Draw(t, "main"), Label: label(t)})
	}
	for range rapid.IntRange(0, 12).Draw(t, "more") {
		a, b := rapid.IntRange(0, len(d.Nodes)-1).Draw(t, "a"), rapid.IntRange(0, len(d.Nodes)-1).Draw(t, "b")
		if a != b {
			d.Edges = append(d.Edges, &Edge{From: d.Nodes[a].ID, To: d.Nodes[b].ID, Way: Again, Main: rapid.Bool().Draw(t, "main"), Label: label(t)})
		}
	}
	return d
}

func label(t *rapid.T) string {
	return rapid.SampledFrom([]string{"", "yes", "no", "not_found", "any other error"}).Draw(t, "label")
}

func TestNothingOverlaps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawn(t)
		l := Lay(d)
		if len(l.Boxes) != len(d.Nodes) || len(l.Arrows) != len(d.Edges) {
			t.Fatalf("%d boxes for %d nodes, %d arrows for %d edges", len(l.Boxes), len(d.Nodes), len(l.Arrows), len(d.Edges))
		}
		places := map[string]Box{}
		for _, b := range l.Boxes {
			places[b.Node.ID] = b
		}
		for i, a := range l.Arrows {
			if (a.Edge.Label != "") != (a.Label.W > 0) {
				t.Fatalf("edge %d has the label %q and a label of width %v", i, a.Edge.Label, a.Label.W)
			}
			if a.Label.W > 0 {
				places[fmt.Sprintf("label %d", i)] = a.Label
			}
			if down := places[a.Edge.From].Y < places[a.Edge.To].Y; down == a.Back {
				t.Fatalf("edge %d from %s to %s leads down: %v, and is marked as leading back: %v", i, a.Edge.From, a.Edge.To, down, a.Back)
			}
			from, to := places[a.Edge.From], places[a.Edge.To]
			for j, end := range a.ends {
				b := [...]Box{from, to}[j]
				if end[0] < b.X-0.1 || end[0] > b.X+b.W+0.1 || math.Min(math.Abs(end[1]-b.Y), math.Abs(end[1]-b.Y-b.H)) > 0.1 {
					t.Fatalf("end %d of edge %d is at %v, which is not on %+v", j, i, end, b)
				}
			}
		}
		for one, a := range places {
			if a.X < 0 || a.Y < 0 || a.X+a.W > l.Width || a.Y+a.H > l.Height {
				t.Fatalf("%s is at %v %v, outside of %v x %v", one, a.X, a.Y, l.Width, l.Height)
			}
			for other, b := range places {
				if one < other && a.X < b.X+b.W && b.X < a.X+a.W && a.Y < b.Y+b.H && b.Y < a.Y+a.H {
					t.Fatalf("%s and %s overlap: %+v %+v", one, other, a, b)
				}
			}
		}
	})
}

func TestTextsFit(t *testing.T) {
	for _, text := range []string{"a", "what a long text this is, and it goes on for quite some time until nobody reads it any more, for sure, or so", strings.Repeat("long_word.", 40), strings.Repeat("本", 60)} {
		lines, cut := wrap(text, textSize, textWidth, 3)
		for _, line := range lines {
			if w := measure(line, textSize); w > textWidth {
				t.Errorf("%q is %v wide", line, w)
			}
		}
		if len(lines) > 3 || cut != strings.HasSuffix(lines[len(lines)-1], "…") {
			t.Errorf("%d lines, cut %v: %q", len(lines), cut, lines)
		}
	}
	if lines, _ := wrap("order.status in [\"a\"]", textSize, 1000, 3); len(lines) != 1 {
		t.Errorf("a short text has the lines %q", lines)
	}
}
