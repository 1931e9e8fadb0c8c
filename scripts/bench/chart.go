package main

import (
	"fmt"
	"html"
	"io"
	"math"
)

// colours are the styles of both pictures: each brings a background of its own, so that it can be
// read on any page, and follows the reader's choice of light or dark.
const colours = `<style>
text{font:13px -apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;fill:#1c2123}
.page{fill:#fbfbf8}.quiet{fill:#565e62}.head{font-size:16px;font-weight:600}.group{font-weight:600}
.line{stroke:#dcdcd4}.bar{fill:#a7b0b3}.ours{fill:#0b6b5d}.bound{fill:#d3d8d6}.dot{fill:#fbfbf8;stroke:#1c2123;stroke-width:1.5}
@media (prefers-color-scheme:dark){text{fill:#e4e6e3}
.page{fill:#14171a}.quiet{fill:#a3abb0}
.line{stroke:#2f363c}.bar{fill:#5d686e}.ours{fill:#2f9c87}.bound{fill:#39424a}.dot{fill:#14171a;stroke:#e4e6e3}}
</style>`

// The chart's measures, in pixels.
const (
	chartWidth = 860
	plotLeft   = 262 // where the bars begin
	plotWidth  = 500
	rowHeight  = 27
	barHeight  = 17
	chartHead  = 84 // title and legend
	groupHead  = 34
	chartFoot  = 42 // the axis
)

// scale maps turns a second to pixels, logarithmically, from one power of ten to another.
type scale struct{ from, to float64 }

// scaleOf spans all figures.
func scaleOf(rows []row) scale {
	s := scale{math.Inf(1), math.Inf(-1)}
	for _, r := range rows {
		if r.failed != "" {
			continue
		}
		for _, f := range []figures{r.many, r.one} {
			v := math.Log10(f.median(perS))
			s.from, s.to = min(s.from, math.Floor(v)), max(s.to, math.Ceil(v))
		}
	}
	if s.from >= s.to { // nothing was measured
		return scale{0, 1}
	}
	return s
}

func (s scale) x(v float64) float64 {
	return plotLeft + plotWidth*max(0, (math.Log10(v)-s.from)/(s.to-s.from))
}

// chartHeight is the height with both groups' headings.
func chartHeight(rows []row) int {
	return chartHead + 2*groupHead + len(rows)*rowHeight + chartFoot
}

// writeChart draws a bar for each row, in two groups: on disk, and in memory alone.
func writeChart(out io.Writer, rows []row) {
	height, s := chartHeight(rows), scaleOf(rows)
	fmt.Fprintf(out, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" role="img">`+"\n", chartWidth, height)
	fmt.Fprintf(out, "<title>Turns a second of Slotway and other runtimes</title>\n%s\n", colours)
	fmt.Fprintf(out, `<rect class="page" width="%d" height="%d" rx="8"/>`+"\n", chartWidth, height)
	fmt.Fprintln(out, `<text class="head" x="20" y="32">Turns a second, the same order lookup in each</text>`)
	fmt.Fprintln(out, `<rect class="ours" x="20" y="47" width="12" height="12"/><rect class="bar" x="34" y="47" width="12" height="12"/><text class="quiet" x="53" y="58">64 conversations at once</text>`)
	fmt.Fprintln(out, `<circle class="dot" cx="244" cy="53" r="4.5"/><text class="quiet" x="256" y="58">1 conversation</text>`)
	fmt.Fprintln(out, `<rect class="bound" x="378" y="47" width="12" height="12"/><text class="quiet" x="397" y="58">a bound: only writes the rows, or only counts states</text>`)
	y := chartHead
	for i, r := range rows {
		if i == 0 || rows[i-1].onDisk != r.onDisk {
			heading := "In memory: a restart forgets the conversations"
			if r.onDisk {
				heading = "On disk: conversations outlive the process"
			}
			fmt.Fprintf(out, `<text class="group" x="20" y="%d">%s</text>`+"\n", y+22, heading)
			y += groupHead
			writeGrid(out, s, y, y+rowHeight*sameGroup(rows[i:]))
		}
		writeBar(out, s, r, y)
		y += rowHeight
	}
	writeAxis(out, s, height-16)
	fmt.Fprintln(out, "</svg>")
}

// sameGroup counts the rows at the beginning that stand in one group.
func sameGroup(rows []row) int {
	n := 1
	for n < len(rows) && rows[n].onDisk == rows[0].onDisk {
		n++
	}
	return n
}

// writeGrid draws a line for each power of ten behind the bars of a group.
func writeGrid(out io.Writer, s scale, top, bottom int) {
	for e := s.from; e <= s.to; e++ {
		fmt.Fprintf(out, `<line class="line" x1="%.0f" x2="%.0[1]f" y1="%d" y2="%d"/>`+"\n", s.x(math.Pow(10, e)), top-2, bottom+2)
	}
}

// writeAxis names the powers of ten.
func writeAxis(out io.Writer, s scale, y int) {
	fmt.Fprintf(out, `<text class="quiet" x="20" y="%d">logarithmic: a line is ten times</text>`+"\n", y)
	for e := s.from; e <= s.to; e++ {
		v := math.Pow(10, e)
		fmt.Fprintf(out, `<text class="quiet" x="%.0f" y="%d" text-anchor="middle">%s</text>`+"\n", s.x(v), y, thousands(v))
	}
}

// writeBar draws one row.
func writeBar(out io.Writer, s scale, r row, y int) {
	class, weight := "bar", ""
	switch {
	case r.ours:
		class, weight = "ours", ` class="group"`
	case r.bounded:
		class = "bound"
	}
	middle := y + rowHeight/2
	fmt.Fprintf(out, `<text%s x="%d" y="%d" text-anchor="end">%s</text>`, weight, plotLeft-10, middle+5, html.EscapeString(r.label()))
	if r.failed != "" {
		fmt.Fprintf(out, `<text class="quiet" x="%d" y="%d">not measured<title>%s</title></text>`+"\n", plotLeft+6, middle+5, html.EscapeString(r.failed))
		return
	}
	manyPerS, onePerS := r.many.median(perS), r.one.median(perS)
	end := s.x(manyPerS)
	fmt.Fprintf(out, `<rect class="%s" x="%d" y="%d" width="%.1f" height="%d" rx="2"><title>%s: %s turns a second with 64 conversations at once, %s with 1; kept: %s</title></rect>`,
		class, plotLeft, middle-barHeight/2, end-plotLeft, barHeight, html.EscapeString(r.label()), thousands(manyPerS), thousands(onePerS), html.EscapeString(r.kept))
	dot := s.x(onePerS)
	fmt.Fprintf(out, `<circle class="dot" cx="%.1f" cy="%d" r="4.5"/>`, dot, middle)
	// The number stands behind both the bar and the dot.
	fmt.Fprintf(out, `<text%s x="%.1f" y="%d">%s</text>`+"\n", weight, max(end, dot+5)+8, middle+5, thousands(manyPerS))
}
