package eval

import (
	"fmt"
	"strings"
)

// Sizes of the chart in px.
const (
	chartWidth  = 720
	chartHeight = 320
	chartLeft   = 44
	chartRight  = 20
	chartTop    = 14
	chartBottom = 40
)

// chart is the threshold curve in px.
type chart struct {
	Width, Height            float64
	Left, Right, Top, Bottom float64 // of the plot
	Lines                    []curveLine
	X, Y                     []tick
	Mark                     float64 // the agent's threshold
	MarkAt                   string
	MarkEnd                  bool // its label stands at the left of it
	Points                   []hover
}

type curveLine struct {
	Name, Class, Path string
}

type tick struct {
	At   float64
	Text string
}

// hover is a strip of the plot that tells its figures.
type hover struct {
	X, Width float64
	Title    string
}

// series are the lines of the chart; those of messages out of scope are drawn where there
// are any.
var series = []struct {
	name, class string
	outside     bool
	of          func(*Point) float64
}{
	{"in scope, accepted and right", "accuracy", false, func(p *Point) float64 { return p.InScopeAccuracy }},
	{"in scope, accepted", "coverage", false, func(p *Point) float64 { return p.Coverage }},
	{"out of scope, refused (recall)", "recall", true, func(p *Point) float64 { return p.Recall }},
	{"refused, out of scope (precision)", "precision", true, func(p *Point) float64 { return p.Precision }},
}

func drawCurves(f *Figures) *chart {
	c := &chart{Width: chartWidth, Height: chartHeight, Left: chartLeft, Right: chartWidth - chartRight, Top: chartTop, Bottom: chartHeight - chartBottom}
	x := func(v float64) float64 { return c.Left + v*(c.Right-c.Left) }
	y := func(v float64) float64 { return c.Bottom - v*(c.Bottom-c.Top) }
	for i := range 6 {
		v := float64(i) / 5
		c.X = append(c.X, tick{x(v), fmt.Sprintf("%.1f", v)})
		c.Y = append(c.Y, tick{y(v), fmt.Sprintf("%.0f %%", 100*v)})
	}
	for _, s := range series {
		if s.outside && f.OutOfScope == 0 {
			continue
		}
		var path strings.Builder
		for i := range f.Curve {
			op := 'L'
			if i == 0 {
				op = 'M'
			}
			fmt.Fprintf(&path, "%c%.1f %.1f", op, x(f.Curve[i].Threshold), y(s.of(&f.Curve[i])))
		}
		c.Lines = append(c.Lines, curveLine{s.name, s.class, path.String()})
	}
	width := x(1.0/curveSteps) - x(0)
	for i := range f.Curve {
		p := &f.Curve[i]
		title := fmt.Sprintf("threshold %.2f: %s of the messages in scope accepted and right, %s accepted", p.Threshold, percent(p.InScopeAccuracy), percent(p.Coverage))
		if f.OutOfScope > 0 {
			title += fmt.Sprintf("; %s of those out of scope refused", percent(p.Recall))
		}
		c.Points = append(c.Points, hover{x(p.Threshold) - width/2, width, title})
	}
	t := f.AtThreshold.Threshold
	c.Mark, c.MarkAt, c.MarkEnd = x(t), fmt.Sprintf("threshold %.2f", t), t > 0.5
	return c
}
