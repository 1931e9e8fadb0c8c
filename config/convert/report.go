package convert

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Place is a line of a source file. Line 0: the whole file.
type Place struct {
	File string `json:"file"`
	Line int    `json:"line,omitempty"`
}

// String returns file:line, or the file alone.
func (p Place) String() string {
	if p.Line == 0 {
		return p.File
	}
	return p.File + ":" + strconv.Itoa(p.Line)
}

// Outcome is what became of a part of the source.
type Outcome string

// The outcomes.
const (
	Carried Outcome = "carried" // into the agent
	Left    Outcome = "left"    // has no counterpart
	Decide  Outcome = "decide"  // carried as far as possible: a person must look at it
)

// Note is one line of a report.
type Note struct {
	At      Place   `json:"at"`
	Outcome Outcome `json:"outcome"`
	Text    string  `json:"text"`
}

// Report says what became of the source.
type Report struct {
	Notes  []Note         `json:"notes"`
	Counts map[string]int `json:"counts"` // by what was carried over: intents, examples, ...
}

// Add notes what became of a part.
func (r *Report) Add(at Place, outcome Outcome, format string, args ...any) {
	r.Notes = append(r.Notes, Note{at, outcome, fmt.Sprintf(format, args...)})
}

// Decide notes a point and returns it, for the comment.
func (r *Report) Decide(at Place, format string, args ...any) Open {
	r.Add(at, Decide, format, args...)
	return Open{at, fmt.Sprintf(format, args...)}
}

// Count adds to the number of things that were carried over.
func (r *Report) Count(what string, n int) {
	if n == 0 {
		return
	}
	if r.Counts == nil {
		r.Counts = map[string]int{}
	}
	r.Counts[what] += n
}

// Of returns the notes with an outcome, by their places.
func (r *Report) Of(outcome Outcome) []Note {
	list := slices.DeleteFunc(slices.Clone(r.Notes), func(n Note) bool { return n.Outcome != outcome })
	slices.SortStableFunc(list, func(a, b Note) int {
		return cmp.Or(cmp.Compare(a.At.File, b.At.File), cmp.Compare(a.At.Line, b.At.Line))
	})
	return list
}

// Print writes the report as text.
func (r *Report) Print(out io.Writer) error {
	names := make([]string, 0, len(r.Counts))
	for what := range r.Counts {
		names = append(names, what)
	}
	slices.Sort(names)
	text := "carried over:"
	for i, what := range names {
		if i > 0 {
			text += ","
		}
		n := r.Counts[what]
		if n == 1 {
			what = strings.TrimSuffix(what, "s")
		}
		text += fmt.Sprintf(" %d %s", n, what)
	}
	text += "\n"
	for _, part := range []struct {
		title   string
		outcome Outcome
	}{{"carried over with a change", Carried}, {"not carried over", Left}, {"to decide (also comments in the files)", Decide}} {
		list := r.Of(part.outcome)
		if len(list) == 0 {
			continue
		}
		text += fmt.Sprintf("\n%s: %d\n", part.title, len(list))
		for _, n := range list {
			text += fmt.Sprintf("  %s: %s\n", n.At, n.Text)
		}
	}
	_, err := io.WriteString(out, text)
	return err
}
