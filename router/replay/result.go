package replay

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// Result is the result of one conversation.
type Result struct {
	Name     string        `json:"conversation"`
	File     string        `json:"file"`
	Line     int           `json:"line"`
	Turns    int           `json:"turns"` // that were carried out
	Passed   bool          `json:"passed"`
	Updated  bool          `json:"updated,omitempty"` // what differed was written to its file
	Failures []Failure     `json:"failures,omitempty"`
	Outside  []string      `json:"called_outside,omitempty"` // tools without a script that were called and leave the test
	Duration time.Duration `json:"duration_ns"`

	edits []edit
}

// Failure is a failed expectation, or a turn that could not run.
type Failure struct {
	Turn int    `json:"turn,omitempty"` // from 1; 0: the conversation as a whole
	Line int    `json:"line"`
	Diff string `json:"diff"`          // what it is about, then the (-want +got) difference
	Why  string `json:"why,omitempty"` // of a turn's last failure: which rules took the message, and which came second
}

// Invalid returns the result of a file that could not be played.
func Invalid(file string, err error) Result {
	return Result{File: file, Line: 1, Failures: []Failure{{Line: 1, Diff: err.Error()}}}
}

// Summary counts results.
type Summary struct {
	Passed int `json:"passed"`
	Failed int `json:"failed"`
}

// Count counts results.
func Count(results []Result) Summary {
	var s Summary
	for _, r := range results {
		if r.Passed {
			s.Passed++
		} else {
			s.Failed++
		}
	}
	return s
}

// String returns the summary line: "3 passed, 1 failed".
func (s Summary) String() string { return fmt.Sprintf("%d passed, %d failed", s.Passed, s.Failed) }

// WriteText writes the failures with their places, and the summary line.
func WriteText(w io.Writer, results []Result) error {
	for _, r := range results {
		if err := r.write(w); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(w, Count(results))
	return err
}

func (r Result) write(w io.Writer) error {
	if r.Updated {
		if _, err := fmt.Fprintf(w, "updated %s: %s\n", r.File, r.Name); err != nil {
			return err
		}
	}
	for _, f := range r.Failures {
		if _, err := fmt.Fprintln(w, r.describe(f)); err != nil {
			return err
		}
	}
	return nil
}

// describe formats a failure with its place: file, line, conversation and turn.
func (r Result) describe(f Failure) string {
	if f.Why != "" {
		f.Diff, f.Why = strings.TrimRight(f.Diff, "\n")+"\n"+f.Why, ""
	}
	switch {
	case r.Name == "":
		return f.Diff
	case f.Turn == 0:
		return fmt.Sprintf("%s:%d: conversation %q: %s", r.File, f.Line, r.Name, f.Diff)
	}
	return fmt.Sprintf("%s:%d: conversation %q, turn %d: %s", r.File, f.Line, r.Name, f.Turn, f.Diff)
}
