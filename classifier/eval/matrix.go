package eval

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/slotway/slotway/classifier/eval/internal/measure"
)

// blockIntents is how many intents fit into a matrix with labels.
const blockIntents = 26

// Sizes of the matrices in px.
const (
	leastCell    = 22
	mostCell     = 40
	blockSize    = 440 // of a matrix whose cells are neither
	overviewSize = 620
	labelRoom    = 158
	headRoom     = 124
	leanRoom     = 112 // of the slanted labels, at the right
)

// matrix is a confusion matrix in px: rows are the true intents, columns the ones it was taken
// for.
type matrix struct {
	Width, Height float64
	Left, Top     float64 // of the first cell
	Side          float64 // of all cells
	Rows, Columns []label
	Cells         []cell
}

type label struct {
	At   float64 // middle
	Name string
}

type cell struct {
	X, Y, Size float64
	Hit        bool
	Opacity    string
	Text       string // the count, where it fits
	Strong     bool   // the text stands on a strong colour
	TextX      float64
	TextY      float64
	Title      string
}

// order is every label that occurs, in both roles, by name.
func (f *Figures) order() []string {
	var out []string
	for _, c := range f.Confusion {
		out = append(out, c.Intent, c.TakenFor)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (f *Figures) supports() map[string]int {
	out := map[string]int{}
	for _, in := range f.Intents {
		out[in.Intent] = in.Support
	}
	return out
}

// drawOverview draws every intent, without labels.
func drawOverview(f *Figures) *matrix {
	names := f.order()
	size := float64(overviewSize) / float64(max(1, len(names)))
	m := &matrix{Left: 1, Top: 1, Side: overviewSize, Width: overviewSize + 2, Height: overviewSize + 2}
	m.fill(f, names, size, false)
	return m
}

// drawBlock draws the intents that are confused most, with labels and counts; all of them
// where they are few.
func drawBlock(f *Figures) *matrix {
	names := f.order()
	if len(names) > blockIntents {
		names = f.mostConfused(blockIntents)
	}
	size := min(max(blockSize/float64(max(1, len(names))), leastCell), mostCell)
	side := size * float64(len(names))
	m := &matrix{Left: labelRoom, Top: headRoom, Side: side, Width: labelRoom + side + leanRoom, Height: headRoom + side + 2}
	m.fill(f, names, size, true)
	for i, name := range names {
		at := (float64(i) + 0.5) * size
		m.Rows = append(m.Rows, label{m.Top + at, name})
		m.Columns = append(m.Columns, label{m.Left + at, name})
	}
	return m
}

// mostConfused lists intents of the worst pairs, at most n, by name.
func (f *Figures) mostConfused(n int) []string {
	var out []string
	for _, p := range f.Worst(len(f.Confusion)) {
		for _, name := range []string{p.A, p.B} {
			if !slices.Contains(out, name) && len(out) < n {
				out = append(out, name)
			}
		}
	}
	slices.Sort(out)
	return out
}

// fill draws the cells that are not empty. Colour is the share of the row, as its square
// root, so that one message in a hundred can still be seen.
func (m *matrix) fill(f *Figures, names []string, size float64, texts bool) {
	supports := f.supports()
	for _, c := range f.Confusion {
		row, ok1 := slices.BinarySearch(names, c.Intent)
		column, ok2 := slices.BinarySearch(names, c.TakenFor)
		if !ok1 || !ok2 {
			continue
		}
		part := math.Sqrt(measure.Share(c.Count, supports[c.Intent]))
		x, y := m.Left+float64(column)*size, m.Top+float64(row)*size
		d := cell{
			X: x, Y: y, Size: size, Hit: c.Intent == c.TakenFor, Opacity: fmt.Sprintf("%.2f", 0.12+0.88*part),
			Title: fmt.Sprintf("%s taken for %s: %d of %d", c.Intent, cmp.Or(c.TakenFor, "(none)"), c.Count, supports[c.Intent]),
		}
		if d.Hit {
			d.Title = fmt.Sprintf("%s: %d of %d right", c.Intent, c.Count, supports[c.Intent])
		}
		if texts && c.Count < 1000 {
			d.Text, d.Strong = fmt.Sprint(c.Count), part > 0.55
			d.TextX, d.TextY = x+size/2, y+size/2
		}
		m.Cells = append(m.Cells, d)
	}
}
