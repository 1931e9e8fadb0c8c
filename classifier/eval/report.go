package eval

import (
	"cmp"
	_ "embed" // report.gohtml
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"sync"
)

//go:embed report.gohtml
var reportPage string

// page is the template of a report.
var page = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("report").Funcs(template.FuncMap{
		"percent": func(v float64) string { return fmt.Sprintf("%.1f", 100*v) },
		"fine":    func(v float64) string { return fmt.Sprintf("%.3f", v) },
		"short":   short,
		"none":    func(s string) string { return cmp.Or(s, "(none)") },
		"bar":     func(v float64) string { return fmt.Sprintf("%.1f", barWidth*v) },
	}).Parse(reportPage))
})

// Bounds of a page.
const (
	barWidth     = 72 // px of a full bar
	reportPairs  = 12
	reportTexts  = 4  // of each pair
	longestLabel = 22 // code points
)

// Report writes figures as one HTML page that needs nothing else: the matrix and the
// curve are SVG inside it. It quotes the messages that were taken for another intent,
// which are the texts of the author's own files. title says what was measured.
func Report(w io.Writer, f *Figures, title string) error {
	v := view{Figures: f, Title: title, Tiles: tiles(f), Curves: drawCurves(f), Block: drawBlock(f)}
	if len(f.Intents) > blockIntents {
		v.Overview = drawOverview(f)
	}
	v.ByF1 = slices.SortedStableFunc(slices.Values(f.Intents), func(a, b IntentFigures) int { return cmp.Compare(a.F1, b.F1) })
	v.SlotsByF1 = slices.SortedStableFunc(slices.Values(f.Slots), func(a, b SlotFigures) int { return cmp.Compare(a.F1, b.F1) })
	for _, p := range f.Worst(reportPairs) {
		v.Pairs = append(v.Pairs, pairView{Pair: p, Texts: textsOf(f, p)})
	}
	if err := page().Execute(w, v); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

// view is the data of the template.
type view struct {
	*Figures
	Title     string
	Tiles     []tile
	Overview  *matrix // every intent, unlabelled; nil where Block has all
	Block     *matrix
	Curves    *chart
	Pairs     []pairView
	ByF1      []IntentFigures
	SlotsByF1 []SlotFigures
}

// tile is a headline figure.
type tile struct{ Name, Value, Note string }

type pairView struct {
	Pair
	Texts []Missed
}

func tiles(f *Figures) []tile {
	out := []tile{
		{"Accuracy", percent(f.Accuracy), fmt.Sprintf("%d messages in scope", f.Messages)},
		{"Macro-F1", percent(f.MacroF1), fmt.Sprintf("%d intents", len(f.Intents))},
	}
	if f.SpanF1 != nil {
		out = append(out, tile{"Span F1", percent(*f.SpanF1), fmt.Sprintf("precision %s, recall %s", percent(*f.SpanP), percent(*f.SpanR))})
	}
	for _, s := range f.OOS {
		if s.InScopeLoss == 0.02 {
			out = append(out, tile{"Out of scope refused", percent(s.Recall), fmt.Sprintf("with %s in scope, calibrated to lose 2 points", percent(s.InScopeAccuracy))})
		}
	}
	return append(out,
		tile{"At the threshold", percent(f.AtThreshold.InScopeAccuracy), fmt.Sprintf("accepted and right at %.2f", f.AtThreshold.Threshold)},
		tile{"A message", fmt.Sprintf("%.0f µs", f.ClassifyP50), fmt.Sprintf("p99 %.0f µs, %.1f allocations; %.0f µs for the intent alone", f.ClassifyP99, f.ClassifyAllocs, f.RankP50)},
		tile{"Training", fmt.Sprintf("%.2f s", f.TrainCPU), fmt.Sprintf("of CPU, %d examples", f.Examples)},
		tile{"Model", fmt.Sprintf("%.2f MB", float64(f.ModelBytes)/1e6), fmt.Sprintf("%d intents", f.Labels)},
	)
}

func percent(v float64) string { return fmt.Sprintf("%.1f %%", 100*v) }

// textsOf lists messages of a pair that were confused, of both ways if there are, the
// surest mistakes first.
func textsOf(f *Figures, p Pair) []Missed {
	var one, other []Missed
	for _, m := range f.Missed {
		switch {
		case m.Intent == p.A && m.TakenFor == p.B:
			one = append(one, m)
		case m.Intent == p.B && m.TakenFor == p.A:
			other = append(other, m)
		}
	}
	surest := func(a, b Missed) int { return cmp.Compare(b.Confidence, a.Confidence) }
	slices.SortStableFunc(one, surest)
	slices.SortStableFunc(other, surest)
	n := max(reportTexts/2, reportTexts-len(other))
	one = one[:min(n, len(one))]
	return append(one, other[:min(reportTexts-len(one), len(other))]...)
}

// short cuts a name for a label; its title has all of it.
func short(name string) string {
	r := []rune(cmp.Or(name, "(none)"))
	if len(r) <= longestLabel {
		return string(r)
	}
	return strings.TrimRight(string(r[:longestLabel-1]), "_- .") + "…"
}
