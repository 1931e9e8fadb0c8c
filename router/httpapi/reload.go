package httpapi

import (
	"cmp"
	"errors"
	"time"

	"github.com/slotway/slotway/config/source"
)

// Reload is the outcome of the last load of the agent's files.
type Reload struct {
	At       time.Time       `json:"at"`
	Error    string          `json:"error"`    // why the last good version stays; "" if the files were loaded
	Problems []ReloadProblem `json:"problems"` // errors of the refused version, or warnings about the loaded one
	Tests    *Tests          `json:"tests,omitempty"`
}

// ReloadProblem is a problem of a file, with its place and its remedy.
type ReloadProblem struct {
	File     string          `json:"file"`
	Line     int             `json:"line"` // 0: the file as a whole
	Column   int             `json:"column"`
	Path     string          `json:"path"`
	Message  string          `json:"message"`
	Hint     string          `json:"hint"`
	Severity source.Severity `json:"severity"`
}

// Tests are the results of the conversations that test the agent.
type Tests struct {
	At       time.Time     `json:"at"` // when they ended; while they run, when the ones before did
	Running  bool          `json:"running"`
	Passed   int           `json:"passed"`
	Failed   int           `json:"failed"`
	Failures []TestFailure `json:"failures"`
}

// TestFailure is a turn that differs from what its conversation expects.
type TestFailure struct {
	File         string `json:"file"`
	Line         int    `json:"line"`
	Conversation string `json:"conversation"`
	Turn         int    `json:"turn"` // from 1; 0: the conversation as a whole
	Diff         string `json:"diff"`
}

// NewReload describes a load: its error, or the warnings about the loaded version.
func NewReload(at time.Time, err error, warnings source.Problems) *Reload {
	r := &Reload{At: at, Problems: []ReloadProblem{}}
	list := warnings
	if err != nil {
		r.Error, list = err.Error(), nil
		errors.As(err, &list)
	}
	for _, p := range list {
		r.Problems = append(r.Problems, ReloadProblem{
			File: p.Pos.File, Line: p.Pos.Line, Column: p.Pos.Column, Path: p.Path, Message: p.Message, Hint: p.Hint, Severity: cmp.Or(p.Severity, source.SeverityError),
		})
	}
	return r
}
