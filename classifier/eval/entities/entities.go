// Package entities measures the recognisers of the built-in types on cases in the form of
// Microsoft's Recognizers-Text. [Read] reads cases, [Measure] counts those with the expected spans and
// values, and [Perturb] makes variants of them, to find rules that only cover the wording that they
// were written for.
package entities

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/slotway/slotway/classifier/eval/internal/measure"
	"github.com/slotway/slotway/config/source"
)

// Case is a text and the values of built-in types that it holds, in the form of
// Microsoft's Recognizers-Text.
type Case struct {
	ID        string     `json:"id"`
	Type      string     `json:"type"` // a key of recognised, such as datetime or currency
	Input     string     `json:"input"`
	Reference string     `json:"reference_date"` // 2006-01-02T15:04:05; empty: none
	Expected  []Expected `json:"expected"`

	Pos   source.Position `json:"-"`
	Now   time.Time       `json:"-"` // of Reference
	Loose bool            `json:"-"` // only spans and types are known
}

// Expected is one value. Offsets count code points, end exclusive.
type Expected struct {
	Start      int            `json:"start"`
	End        int            `json:"end"`
	Type       string         `json:"type"`
	Resolution map[string]any `json:"resolution"`
}

// Figures holds the shares of cases that the recognisers get right. Shares are in [0,1].
type Figures struct {
	Cases      int     `json:"cases"`
	Exact      float64 `json:"exact"`       // spans, types and all resolved values are those expected
	Spans      float64 `json:"spans"`       // the set of spans is the one expected
	ValueAmong float64 `json:"value_among"` // as exact, but of several expected values ours need be only one
	P50        float64 `json:"p50_us"`      // of one text
	P99        float64 `json:"p99_us"`

	Types  map[string]Figures `json:"types,omitempty"`  // the same by type, where the cases are of several
	Missed []Missed           `json:"missed,omitempty"` // not exact, in the order of the cases
}

// Missed is a case that is not exact. Readings are TYPE START:END VALUES.
type Missed struct {
	ID       string   `json:"id"`
	At       string   `json:"at"` // file:line:column
	Input    string   `json:"input"`
	Expected []string `json:"expected"`
	Found    []string `json:"found"`
	Spans    bool     `json:"spans"` // the spans are right
}

// Read reads cases, one a line as JSON. name stands for the file in problems. The
// error is source.Problems when lines are wrong.
func Read(name string, r io.Reader) ([]Case, error) {
	return measure.Lines(name, "cases", r, parseCase)
}

// parseCase reads one line. The problem lacks its place.
func parseCase(line []byte, pos source.Position) (Case, *source.Problem) {
	c := Case{Pos: pos, Now: measure.Now}
	if err := json.Unmarshal(line, &c); err != nil {
		return c, &source.Problem{Message: "is no JSON object with type, input and expected", Hint: `write {"type": "number", "input": "...", "expected": []}`}
	}
	if _, ok := recognised[c.Type]; !ok {
		return c, &source.Problem{Path: "type", Message: "is none that is recognised", Hint: "expected one of " + strings.Join(caseTypes(), ", ")}
	}
	if c.Reference != "" {
		at, err := time.Parse("2006-01-02T15:04:05", c.Reference)
		if err != nil {
			return c, &source.Problem{Path: "reference_date", Message: "is no moment", Hint: "write it as 2016-11-07T00:00:00"}
		}
		c.Now = at
	}
	length := len([]rune(c.Input))
	for i, e := range c.Expected {
		if e.Start < 0 || e.End <= e.Start || e.End > length {
			return c, &source.Problem{
				Path: fmt.Sprintf("expected[%d]", i), Message: fmt.Sprintf("%d to %d lies outside a text of %d code points", e.Start, e.End, length),
				Hint: "count start and end in code points, end exclusive",
			}
		}
	}
	return c, nil
}

// Measure runs the recogniser of each case's own type over it: times as an agent finds
// them, among everything else; other types alone, as the cases were made.
func Measure(cases []Case) *Figures {
	f := measureCases(cases)
	byType := map[string][]Case{}
	for _, c := range cases {
		byType[c.Type] = append(byType[c.Type], c)
	}
	if len(byType) > 1 {
		f.Types = map[string]Figures{}
		for name, own := range byType {
			figures := measureCases(own)
			figures.Missed = nil
			f.Types[name] = *figures
		}
	}
	return f
}

func measureCases(cases []Case) *Figures {
	f := &Figures{Cases: len(cases)}
	var exact, spans, among int
	for i := range cases {
		c := &cases[i]
		want, got := c.want(), c.got()
		sameSpans := slices.EqualFunc(want, got, func(a, b reading) bool { return a.start == b.start && a.end == b.end })
		if sameSpans {
			spans++
		}
		if slices.EqualFunc(want, got, c.same(sameValues)) {
			exact++
		} else {
			f.Missed = append(f.Missed, Missed{ID: c.ID, At: c.Pos.String(), Input: c.Input, Expected: show(want), Found: show(got), Spans: sameSpans})
		}
		if slices.EqualFunc(want, got, c.same(amongValues)) {
			among++
		}
	}
	f.Exact, f.Spans, f.ValueAmong = measure.Share(exact, len(cases)), measure.Share(spans, len(cases)), measure.Share(among, len(cases))
	f.P50, f.P99, _ = measure.Time(cases, func(c *Case) { recognised[c.Type].recognise(c.Input, c.Now) })
	return f
}

// reading is a value in the form in which expected and found values are compared.
type reading struct {
	start, end int
	kind       string   // of the expected type; whether an ordinal is relative shows in its value
	values     []string // sorted; every value that is possible
	chosen     string   // of ours: the one that a param takes
}

func (c *Case) want() []reading {
	a := recognised[c.Type]
	out := make([]reading, 0, len(c.Expected))
	for _, e := range c.Expected {
		out = append(out, reading{start: e.Start, end: e.End, kind: strings.TrimSuffix(e.Type, ".relative"), values: distinct(a.expected(&e, c.Input))})
	}
	return sorted(out)
}

func (c *Case) got() []reading {
	a := recognised[c.Type]
	found := a.recognise(c.Input, c.Now)
	out := []reading{}
	for i := range found {
		kind, ok := a.kinds[found[i].Kind]
		if !ok {
			continue
		}
		values, chosen := a.found(&found[i])
		out = append(out, reading{found[i].Start, found[i].End, kind, distinct(values), chosen})
	}
	return sorted(out)
}

func sorted(rs []reading) []reading {
	slices.SortStableFunc(rs, func(a, b reading) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end)) })
	return rs
}

func distinct(values []string) []string {
	out := slices.Sorted(slices.Values(values))
	return slices.Compact(out)
}

func sameValues(want, got reading) bool {
	return want.start == got.start && want.end == got.end && want.kind == got.kind && slices.Equal(want.values, got.values)
}

func amongValues(want, got reading) bool {
	return want.start == got.start && want.end == got.end && want.kind == got.kind && slices.Contains(want.values, got.chosen)
}

// same compares values by a rule, or not at all where only spans and types are known.
func (c *Case) same(values func(want, got reading) bool) func(want, got reading) bool {
	if !c.Loose {
		return values
	}
	return func(want, got reading) bool {
		return want.start == got.start && want.end == got.end && want.kind == got.kind
	}
}

func show(rs []reading) []string {
	out := make([]string, 0, len(rs))
	for _, r := range rs {
		out = append(out, fmt.Sprintf("%s %d:%d %s", r.kind, r.start, r.end, strings.Join(r.values, " | ")))
	}
	return out
}
