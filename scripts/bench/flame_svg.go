package main

import (
	"fmt"
	"html"
	"io"
	"strings"
)

// flameColours are those of the parts. A text on any of them has a contrast of 7:1 or better.
const flameColours = `<style>
.f text{font-size:11px}.f rect{stroke:#fbfbf8;stroke-width:.6}
.pr{fill:#b9d9d2}.pc{fill:#f3d1a2}.pp{fill:#cfe0a6}.pm{fill:#b8d0ee}.pt{fill:#e6c4e2}.po{fill:#dcdcd4}.ps{fill:#9fb9dd}.pg{fill:#f0b9ae}.px{fill:#e9e3d0}
@media (prefers-color-scheme:dark){.f rect{stroke:#14171a}
.pr{fill:#1d5149}.pc{fill:#6b4716}.pp{fill:#47581c}.pm{fill:#25466e}.pt{fill:#5c3459}.po{fill:#3a4147}.ps{fill:#31558c}.pg{fill:#713b31}.px{fill:#4d4835}}
</style>`

// The flame graph's measures, in pixels.
const (
	flameWidth  = 1200
	flameMargin = 12
	flameHead   = 74 // title and legend
	frameHeight = 17
	charWidth   = 6.3 // of the font of frames, on average
)

// writeFlame draws a tree with the callers on top. Its width is the whole time.
func writeFlame(out io.Writer, root *frame, title string, least float64) {
	shares := map[*part]int64{}
	root.shares(shares, nil)
	root.prune(int64(float64(root.value) * least / 100))
	height := flameHead + root.depth()*frameHeight + 30
	fmt.Fprintf(out, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" role="img">`+"\n", flameWidth, height)
	fmt.Fprintf(out, "<title>%s</title>\n%s\n%s\n", html.EscapeString(title), colours, flameColours)
	fmt.Fprintf(out, `<rect class="page" width="%d" height="%d" rx="8"/>`+"\n", flameWidth, height)
	fmt.Fprintf(out, `<text class="head" x="%d" y="30">%s</text>`+"\n", flameMargin, html.EscapeString(title))
	x := float64(flameMargin)
	for i := range parts {
		p := &parts[i]
		label := p.label
		if share := percent(shares[p], root.value); share >= 0.5 {
			label += fmt.Sprintf(" %.0f %%", share)
		}
		fmt.Fprintf(out, `<rect class="%s" x="%.0f" y="46" width="12" height="12"/><text class="quiet" x="%.0f" y="57" style="font-size:12px">%s</text>`+"\n", p.class, x, x+16, label)
		x += 32 + 6.7*float64(len(label))
	}
	fmt.Fprintln(out, `<g class="f">`)
	w := flameWriter{out: out, total: root.value}
	w.callees(root, 0, flameHead)
	fmt.Fprintln(out, "</g>")
	fmt.Fprintf(out, `<text class="quiet" x="%d" y="%d" style="font-size:12px">Callers stand above what they call; a width is a share of the CPU time, and less than %v %% is left out. A library is one frame; its time counts for the part that calls it, except SQLite's.</text>`+"\n",
		flameMargin, height-12, least)
	fmt.Fprintln(out, "</svg>")
}

func percent(part, whole int64) float64 { return 100 * float64(part) / float64(whole) }

// flameWriter draws frames.
type flameWriter struct {
	out   io.Writer
	total int64
}

// callees draws what a frame calls, from its left edge on. from is the time before that edge.
func (w flameWriter) callees(f *frame, from int64, y int) {
	for _, c := range f.callee {
		w.frame(c, from, y)
		w.callees(c, from, y+frameHeight)
		from += c.value
	}
}

func (w flameWriter) frame(f *frame, from int64, y int) {
	const all = flameWidth - 2*flameMargin
	x, width := flameMargin+all*float64(from)/float64(w.total), all*float64(f.value)/float64(w.total)
	fmt.Fprintf(w.out, `<g><title>%s: %.1f %%</title><rect class="%s" x="%.1f" y="%d" width="%.1f" height="%d"/>`,
		html.EscapeString(strings.TrimPrefix(f.name, slotway)), percent(f.value, w.total), partOf(f.name).class, x, y, width, frameHeight)
	if label := fitting(labels(f.name), int((width-5)/charWidth)); label != "" {
		fmt.Fprintf(w.out, `<text x="%.1f" y="%d">%s</text>`, x+3, y+12, html.EscapeString(label))
	}
	fmt.Fprintln(w.out, "</g>")
}

// fitting is the first label of at most n characters, or the beginning of the last one. It is empty
// where too little would be left to tell anything.
func fitting(labels []string, n int) string {
	for _, label := range labels {
		if len(label) <= n {
			return label
		}
	}
	if n < 3 {
		return ""
	}
	return labels[len(labels)-1][:n-1] + "…"
}
