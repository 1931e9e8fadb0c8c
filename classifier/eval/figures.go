package eval

import (
	"cmp"
	"slices"

	"github.com/slotway/slotway/classifier/eval/internal/measure"
)

// Figures holds the results of a measurement. Shares are in [0,1]. A nil share means that the file
// holds nothing to measure it on.
type Figures struct {
	Messages   int `json:"messages"`     // judged, in scope
	OutOfScope int `json:"out_of_scope"` // judged, labelled OutOfScope
	Examples   int `json:"examples"`     // trained on; of cross-validation, per fold on average
	Folds      int `json:"folds"`        // of cross-validation; 0: a test file
	Labels     int `json:"labels"`       // intents that were trained

	Accuracy float64  `json:"accuracy"` // in-scope messages whose best intent is right, whatever its confidence
	MacroF1  float64  `json:"macro_f1"` // mean F1 of the intents that occur in the messages
	SpanF1   *float64 `json:"span_f1"`  // exact spans, over all slots together
	SpanP    *float64 `json:"span_precision"`
	SpanR    *float64 `json:"span_recall"`

	AtThreshold Point   `json:"at_threshold"` // at the agent's threshold
	OOS         []Scope `json:"oos"`          // at thresholds that were calibrated on the training messages; empty without OutOfScope rows
	Curve       []Point `json:"curve"`        // by threshold

	TrainCPU   float64 `json:"train_cpu_s"`  // of all processors, for the model that was timed
	ModelBytes int     `json:"model_bytes"`  // of all weights
	IntentSize int     `json:"intent_bytes"` // of those that rank intents

	// Of one message, from text to result; with intents only, of ranking them.
	P50    float64 `json:"p50_us"`
	P99    float64 `json:"p99_us"`
	Allocs float64 `json:"allocs"` // objects
	// The two apart: everything that Classify does, and ranking the intents.
	ClassifyP50    float64 `json:"classify_p50_us"`
	ClassifyP99    float64 `json:"classify_p99_us"`
	ClassifyAllocs float64 `json:"classify_allocs"`
	RankP50        float64 `json:"rank_p50_us"`
	RankP99        float64 `json:"rank_p99_us"`
	RankAllocs     float64 `json:"rank_allocs"`

	Intents   []IntentFigures `json:"intents"`   // by name
	Slots     []SlotFigures   `json:"slots"`     // by name
	Confusion []Confused      `json:"confusion"` // cells of the matrix that are not 0, by intent, most first
	Missed    []Missed        `json:"missed"`    // in-scope messages whose best intent is wrong, in the order of the file
}

// IntentFigures holds the figures of one intent.
type IntentFigures struct {
	Intent    string  `json:"intent"`
	Precision float64 `json:"precision"` // 0 when it was never found
	Recall    float64 `json:"recall"`
	F1        float64 `json:"f1"`
	Support   int     `json:"support"` // messages of it
}

// SlotFigures holds the figures of one slot. A span counts only when start, end and name agree.
type SlotFigures struct {
	Slot      string  `json:"slot"`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	F1        float64 `json:"f1"`
	Support   int     `json:"support"` // marked spans of it
}

// Confused says how many messages of an intent were taken for an intent, itself included.
type Confused struct {
	Intent   string `json:"intent"`
	TakenFor string `json:"taken_for"` // "": for none
	Count    int    `json:"count"`
}

// Missed is a message that was taken for another intent.
type Missed struct {
	At         string  `json:"at"` // file:line:column
	Intent     string  `json:"intent"`
	TakenFor   string  `json:"taken_for"`
	Confidence float64 `json:"confidence"`
	Text       string  `json:"-"` // for pages and terminals: the file has it at that place
}

// tally counts hits, finds and marks.
type tally struct{ hit, found, marked int }

func (t tally) precision() float64 { return measure.Share(t.hit, t.found) }
func (t tally) recall() float64    { return measure.Share(t.hit, t.marked) }

// f1 is the harmonic mean of precision and recall.
func (t tally) f1() float64 { return measure.Share(2*t.hit, t.found+t.marked) }

// judgeAll fills in everything that follows from predictions alone.
func (f *Figures) judgeAll(all []prediction, threshold float64) {
	f.judgeIntents(all)
	f.judgeSpans(all)
	f.AtThreshold = pointAt(all, func(*prediction) float64 { return threshold })
	f.AtThreshold.Threshold = threshold
	f.Curve = curve(all)
	f.OOS = []Scope{}
}

func (f *Figures) judgeIntents(all []prediction) {
	f.Missed = []Missed{}
	counts := map[string]*tally{}
	of := func(intent string) *tally {
		if counts[intent] == nil {
			counts[intent] = &tally{}
		}
		return counts[intent]
	}
	cells := map[Confused]int{}
	hits := 0
	for i := range all {
		p := &all[i]
		switch {
		case p.out():
			f.OutOfScope++
			continue
		case p.reply:
			continue
		}
		f.Messages++
		of(p.want).marked++
		of(p.got).found++
		cells[Confused{Intent: p.want, TakenFor: p.got}]++
		if p.right() {
			hits++
			of(p.want).hit++
			continue
		}
		f.Missed = append(f.Missed, Missed{At: p.pos.String(), Intent: p.want, TakenFor: p.got, Confidence: p.confidence, Text: p.text})
	}
	f.Accuracy = measure.Share(hits, f.Messages)
	f.Intents = []IntentFigures{}
	for _, name := range names(counts) {
		if t := counts[name]; t.marked > 0 {
			f.Intents = append(f.Intents, IntentFigures{name, t.precision(), t.recall(), t.f1(), t.marked})
			f.MacroF1 += t.f1()
		}
	}
	if n := len(f.Intents); n > 0 {
		f.MacroF1 /= float64(n)
	}
	f.Confusion = []Confused{}
	for cell, n := range cells {
		cell.Count = n
		f.Confusion = append(f.Confusion, cell)
	}
	slices.SortFunc(f.Confusion, func(a, b Confused) int {
		return cmp.Or(cmp.Compare(a.Intent, b.Intent), cmp.Compare(b.Count, a.Count), cmp.Compare(a.TakenFor, b.TakenFor))
	})
}

// judgeSpans compares spans, of in-scope messages only.
func (f *Figures) judgeSpans(all []prediction) {
	f.Slots = []SlotFigures{}
	counts := map[string]*tally{}
	of := func(slot string) *tally {
		if counts[slot] == nil {
			counts[slot] = &tally{}
		}
		return counts[slot]
	}
	var total tally
	for i := range all {
		p := &all[i]
		if p.out() {
			continue
		}
		for _, s := range p.marked {
			of(s.Param).marked++
			total.marked++
		}
		for _, s := range p.found {
			of(s.Param).found++
			total.found++
			for _, m := range p.marked {
				if m.Param == s.Param && m.Start == s.Start && m.End == s.End {
					of(s.Param).hit++
					total.hit++
					break
				}
			}
		}
	}
	for _, name := range names(counts) {
		t := counts[name]
		f.Slots = append(f.Slots, SlotFigures{name, t.precision(), t.recall(), t.f1(), t.marked})
	}
	if total.marked > 0 {
		f1, precision, recall := total.f1(), total.precision(), total.recall()
		f.SpanF1, f.SpanP, f.SpanR = &f1, &precision, &recall
	}
}

func names(counts map[string]*tally) []string {
	out := make([]string, 0, len(counts))
	for name := range counts {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// Worst lists the pairs of intents that are confused most, both ways together, the worst
// first; at most n of them. A pair is named in alphabetical order.
func (f *Figures) Worst(n int) []Pair {
	byPair := map[[2]string]*Pair{}
	for _, c := range f.Confusion {
		if c.Intent == c.TakenFor {
			continue
		}
		a, b := min(c.Intent, c.TakenFor), max(c.Intent, c.TakenFor)
		p := byPair[[2]string{a, b}]
		if p == nil {
			p = &Pair{A: a, B: b}
			byPair[[2]string{a, b}] = p
		}
		if c.Intent == a {
			p.AasB += c.Count
		} else {
			p.BasA += c.Count
		}
	}
	out := make([]Pair, 0, len(byPair))
	for _, p := range byPair {
		out = append(out, *p)
	}
	slices.SortFunc(out, func(x, y Pair) int {
		return cmp.Or(cmp.Compare(y.AasB+y.BasA, x.AasB+x.BasA), cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B))
	})
	return out[:min(n, len(out))]
}

// Pair is two intents that are confused with each other.
type Pair struct {
	A, B       string
	AasB, BasA int // messages of the one that were taken for the other
}
