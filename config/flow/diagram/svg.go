package diagram

import (
	_ "embed"
	"fmt"
	"html"
	"io"
	"math"
	"strings"

	"github.com/slotway/slotway/config/printable"
)

// Style is the style sheet of an SVG: light and dark by the viewer's preference. Its rules are for
// elements within class "flow".
//
//go:embed style.css
var Style string

// SVG writes diagrams as one SVG document with its style sheet, below each other or side by side.
func SVG(w io.Writer, title string, list []*Diagram) error {
	var layouts []*Layout
	for _, d := range list {
		layouts = append(layouts, Lay(d))
	}
	s := arrange(layouts)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" class="flow sheet" viewBox="0 0 %s %s" width="%s" height="%s" role="img" aria-labelledby="sheet-title sheet-desc">`+"\n",
		short(s.width), short(s.height), short(s.width), short(s.height))
	fmt.Fprintf(&b, "<title id=\"sheet-title\">%s</title>\n<desc id=\"sheet-desc\">%s</desc>\n", esc(title), esc(describeAll(list)))
	fmt.Fprintf(&b, "<style>\n%s</style>\n", Style)
	b.WriteString(Markers(""))
	fmt.Fprintf(&b, `<rect class="paper" width="%s" height="%s"/>`+"\n", short(s.width), short(s.height))
	for i, l := range layouts {
		fmt.Fprintf(&b, `<g transform="translate(%s %s)">`+"\n", short(s.at[i][0]), short(s.at[i][1]))
		if len(layouts) > 1 || l.Diagram.Caption != "" {
			fmt.Fprintf(&b, `<text class="heading" x="%d" y="%d">%s</text>`+"\n", margin, titleSize+6, esc(l.Diagram.Title))
			for j, line := range captionOf(l) {
				fmt.Fprintf(&b, `<text class="caption" x="%d" y="%s">%s</text>`+"\n", margin, short(titleSize+9+float64(j+1)*(captionSz+3)), esc(line))
			}
		}
		fmt.Fprintf(&b, `<g transform="translate(0 %s)">`+"\n", short(headOf(l)))
		b.WriteString(l.inner(""))
		b.WriteString("</g>\n</g>\n")
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// Inline returns the SVG element of a layout for an HTML page that has [Style] and the [Markers] of
// the same prefix. Screen readers read name aloud; [Diagram.Lines] has the whole in words.
func (l *Layout) Inline(name, prefix string) string {
	return fmt.Sprintf(`<svg class="flow" viewBox="0 0 %s %s" width="%s" height="%s" role="img" aria-label="%s">`+"\n%s</svg>",
		short(l.Width), short(l.Height), short(l.Width), short(l.Height), esc(name), l.inner(prefix))
}

// Markers returns the arrowheads of a drawing.
func Markers(prefix string) string {
	return fmt.Sprintf(`<defs><marker id="%stip" class="tip" viewBox="0 0 8 8" refX="7.2" refY="4" markerUnits="userSpaceOnUse" markerWidth="9" markerHeight="9" orient="auto"><path d="M0 .6 8 4 0 7.4Z"/></marker></defs>`+"\n", prefix)
}

func (l *Layout) inner(prefix string) string {
	var b strings.Builder
	for _, a := range l.Arrows {
		fmt.Fprintf(&b, `<path class="%s" d="%s" marker-end="url(#%stip)"%s/>`+"\n", a.Class(), a.Path, prefix, attrs(a.Edge.Attrs))
	}
	for _, x := range l.Boxes {
		b.WriteString(x.svg())
	}
	for _, a := range l.Arrows {
		if a.Label.W > 0 {
			fmt.Fprintf(&b, `<g class="%s"><rect x="%s" y="%s" width="%s" height="%s" rx="4"/><text x="%s" y="%s">%s</text></g>`+"\n",
				"label "+string(a.Edge.Way), short(a.Label.X), short(a.Label.Y), short(a.Label.W), short(a.Label.H),
				short(a.Label.X+a.Label.W/2), short(a.Label.Y+a.Label.H/2+labelSize*0.36), esc(a.Edge.Label))
		}
	}
	return b.String()
}

// Class returns the CSS classes of an arrow.
func (a *Arrow) Class() string {
	class := "edge " + string(a.Edge.Way)
	if a.Back {
		class += " back"
	}
	return strings.TrimSpace(class + " " + a.Edge.Class)
}

// Class returns the CSS classes of a box.
func (x *Box) Class() string {
	class := "node " + string(x.Node.Shape)
	if x.Node.Ends {
		class += " ends"
	}
	return strings.TrimSpace(class + " " + x.Node.Class)
}

func (x *Box) svg() string {
	var b strings.Builder
	fmt.Fprintf(&b, `<g class="%s" transform="translate(%s %s)"%s>`, x.Class(), short(x.X), short(x.Y), attrs(x.Node.Attrs))
	if x.Node.Title != "" {
		fmt.Fprintf(&b, "<title>%s</title>", esc(x.Node.Title))
	}
	for _, p := range x.Outline() {
		fmt.Fprintf(&b, `<path class="%s" d="%s"/>`, p.Part, p.Path)
	}
	for _, t := range x.Lines {
		fmt.Fprintf(&b, `<text class="%s" x="%s" y="%s">%s</text>`, t.Part, short(x.W/2), short(t.Y), esc(t.Text))
	}
	b.WriteString("</g>\n")
	return b.String()
}

// Stroke is one path of a box, from its upper left corner.
type Stroke struct{ Part, Path string }

// Outline returns the paths of a box: its border, and what marks its shape or its end.
func (x *Box) Outline() []Stroke {
	w, h := x.W, x.H
	rect := func(r float64) string {
		return fmt.Sprintf("M%[3]s 0H%[1]sa%[3]s %[3]s 0 0 1 %[3]s %[3]sV%[2]sa%[3]s %[3]s 0 0 1 -%[3]s %[3]sH%[3]sa%[3]s %[3]s 0 0 1 -%[3]s -%[3]sV%[3]sa%[3]s %[3]s 0 0 1 %[3]s -%[3]sZ",
			short(w-r), short(h-r), short(r))
	}
	six := func(s float64) string {
		return fmt.Sprintf("M%[4]s 0H%[5]sL%[1]s %[3]s %[5]s %[2]sH%[4]sL0 %[3]sZ", short(w), short(h), short(h/2), short(s), short(w-s))
	}
	s := slants[x.Node.Shape]
	var out []Stroke
	switch x.Node.Shape {
	case Decision:
		out = []Stroke{{"border", six(s)}}
	case Confirm:
		c := min(s, h/3)
		out = []Stroke{{"border", fmt.Sprintf("M%[3]s 0H%[4]sL%[1]s %[3]sV%[5]sL%[4]s %[2]sH%[3]sL0 %[5]sV%[3]sZ", short(w), short(h), short(c), short(w-c), short(h-c))}}
	case Question:
		out = []Stroke{{"border", fmt.Sprintf("M%[3]s 0H%[1]sL%[4]s %[2]sH0Z", short(w), short(h), short(s), short(w-s))}}
	case Start, Handoff:
		out = []Stroke{{"border", rect(min(h/2, 22))}}
	case Call, Write, Run:
		out = []Stroke{{"border", rect(3)}, {"bar", fmt.Sprintf("M%[2]s 0V%[1]sM%[3]s 0V%[1]s", short(h), short(s), short(w-s))}}
	case End:
		r := w / 2
		out = []Stroke{{"border", circle(r, r, r-1)}, {"dot", circle(r, r, r-5.5)}}
	case Digression:
		out = []Stroke{{"border", rect(2)}}
	case Assign:
		out = []Stroke{{"border", rect(3)}}
	default:
		out = []Stroke{{"border", rect(9)}}
	}
	if x.Node.Ends && x.Node.Shape != End {
		out = append(out, Stroke{"stop", circle(w/2, h, 5)}, Stroke{"stop-dot", circle(w/2, h, 2)})
	}
	return out
}

func circle(x, y, r float64) string {
	return fmt.Sprintf("M%[1]s %[2]sa%[3]s %[3]s 0 1 1 0 %[4]sa%[3]s %[3]s 0 1 1 0 -%[4]sZ", short(x), short(y-r), short(r), short(2*r))
}

func attrs(list []Attr) string {
	var b strings.Builder
	for _, a := range list {
		fmt.Fprintf(&b, ` data-%s="%s"`, a.Name, esc(a.Value))
	}
	return b.String()
}

// esc makes a text safe in XML, which allows no controls.
func esc(text string) string { return html.EscapeString(printable.Text(text)) }

// headOf returns the height of the heading and the caption of a layout on a sheet.
func headOf(l *Layout) float64 {
	return titleSize + 12 + float64(len(captionOf(l)))*(captionSz+3)
}

func captionOf(l *Layout) []string {
	lines, _ := wrap(l.Diagram.Caption, captionSz, max(l.Width-2*margin, 260), 6)
	return lines
}

// sheet is an arrangement of layouts.
type sheet struct {
	width, height float64
	at            [][2]float64
}

// sheetGap is the space between two diagrams of a sheet.
const sheetGap = 26

// arrange puts layouts side by side in rows about as wide as the widest two.
func arrange(list []*Layout) sheet {
	area, widest := 0.0, 0.0
	size := func(l *Layout) (float64, float64) {
		w := max(l.Width, measure(l.Diagram.Title, titleSize)*1.08+2*margin)
		if l.Diagram.Caption != "" {
			w = max(w, 260+2*margin)
		}
		return w, l.Height + headOf(l)
	}
	for _, l := range list {
		w, h := size(l)
		area += (w + sheetGap) * (h + sheetGap)
		widest = max(widest, w)
	}
	limit := max(widest, math.Sqrt(area)*1.25)
	var s sheet
	x, y, tall := 0.0, 0.0, 0.0
	for _, l := range list {
		w, h := size(l)
		if x > 0 && x+w > limit {
			x, y, tall = 0, y+tall+sheetGap, 0
		}
		s.at = append(s.at, [2]float64{x, y})
		s.width, tall = max(s.width, x+w), max(tall, h)
		x += w + sheetGap
	}
	s.height = y + tall
	return s
}
