package diagram

import "github.com/slotway/slotway/config/printable"

// Sizes in pixels.
const (
	textSize  = 13.5
	smallSize = 11.5
	kindSize  = 10.5
	labelSize = 11.5

	textWidth = 188 // longer texts are broken
	lineGap   = 4.5
	padAcross = 13
	padDown   = 9
	minWidth  = 72
	endSize   = 22
)

// limits of the lines of a node
const (
	textLines   = 4
	detailLines = 2
)

// slants are how far the sides of a shape reach into its box.
var slants = map[Shape]float64{Decision: 15, Confirm: 13, Start: 8, Handoff: 8, Question: 7, Run: 6, Write: 6, Call: 6}

// Line is one line of a node's text.
type Line struct {
	Text string
	Part string  // kind, text or detail
	Y    float64 // of the baseline, from the top of the box
}

// Box is a node with its place. X and Y are its upper left corner.
type Box struct {
	Node       *Node
	X, Y, W, H float64
	Lines      []Line
	Cut        bool // a text is cut; Node.Title has all of it
}

// boxOf returns the box that a node's text needs.
func boxOf(n *Node) Box {
	if n.Shape == End {
		return Box{Node: n, W: endSize, H: endSize}
	}
	b := Box{Node: n, W: minWidth}
	y := float64(padDown)
	put := func(part, text string, size float64, most int) {
		lines, cut := wrap(printable.Text(text), size, textWidth, most)
		b.Cut = b.Cut || cut
		for _, line := range lines {
			y += size
			b.Lines = append(b.Lines, Line{Text: line, Part: part, Y: y - size*0.14})
			y += lineGap
			b.W = max(b.W, measure(line, size)+2*padAcross+2*slants[n.Shape])
		}
	}
	if n.Kind != "" {
		put("kind", n.Kind, kindSize, 1)
	}
	put("text", n.Text, textSize, textLines)
	if n.Detail != "" {
		put("detail", n.Detail, smallSize, detailLines)
	}
	b.H = y + padDown - lineGap
	return b
}
