package source

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Severity separates errors, which stop a file from loading, from lints.
type Severity string

// The severities. The zero value counts as an error.
const (
	SeverityError   Severity = "error"
	SeverityWarning Severity = "warning"
	SeverityNote    Severity = "note" // true of the file, and perhaps as it should be
)

// Problem is one thing wrong with a file, with its remedy. It may quote names and values of the
// file, never those of a conversation.
type Problem struct {
	Code     string   `json:"code"` // one of Codes
	Pos      Position `json:"pos"`
	Path     string   `json:"path"` // such as intents[1].plan[0].call; "" for the file as a whole
	Message  string   `json:"message"`
	Hint     string   `json:"hint"` // the remedy
	Severity Severity `json:"severity"`
	Ignored  bool     `json:"-"` // a comment switches it off; see Ignores
}

// String returns file:line:column: path: message, hint.
func (p Problem) String() string {
	var b strings.Builder
	b.WriteString(p.Pos.String())
	b.WriteString(": ")
	if p.Severity == SeverityWarning || p.Severity == SeverityNote {
		b.WriteString(string(p.Severity) + ": ")
	}
	if p.Path != "" {
		b.WriteString(p.Path + ": ")
	}
	b.WriteString(p.Message)
	switch {
	case strings.HasPrefix(p.Hint, "did you mean"):
		b.WriteString(", " + p.Hint)
	case p.Hint != "":
		b.WriteString("; " + p.Hint)
	}
	return b.String()
}

// String returns file:line:column, without unknown parts.
func (p Position) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// Problems are the problems of a file. The error text has one line for each.
type Problems []Problem

// Error lists the problems, one per line.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// Errors returns the problems that stop the file from loading.
func (ps Problems) Errors() Problems {
	return ps.filter(func(p Problem) bool { return p.Severity != SeverityWarning && p.Severity != SeverityNote })
}

// Warnings returns the lints.
func (ps Problems) Warnings() Problems {
	return ps.filter(func(p Problem) bool { return p.Severity == SeverityWarning && !p.Ignored })
}

// Err returns the errors among the problems as one error; nil if there are none.
func (ps Problems) Err() error {
	if errs := ps.Errors(); len(errs) > 0 {
		return errs
	}
	return nil
}

// Add appends an error at a node; hint is the remedy.
func (ps *Problems) Add(at *Node, message, hint string) { ps.Fail(Invalid, at, message, hint) }

// Fail appends an error that has a code of its own.
func (ps *Problems) Fail(code string, at *Node, message, hint string) {
	*ps = append(*ps, Problem{Code: code, Pos: at.Pos(), Path: at.Path(), Message: message, Hint: hint, Severity: SeverityError})
}

// Warn appends a lint at a node.
func (ps *Problems) Warn(code string, at *Node, message, hint string) {
	*ps = append(*ps, Problem{Code: code, Pos: at.Pos(), Path: at.Path(), Message: message, Hint: hint, Severity: SeverityWarning})
}

// Note appends a remark at a node.
func (ps *Problems) Note(code string, at *Node, message, hint string) {
	*ps = append(*ps, Problem{Code: code, Pos: at.Pos(), Path: at.Path(), Message: message, Hint: hint, Severity: SeverityNote})
}

// Shown returns the problems that no comment switches off.
func (ps Problems) Shown() Problems { return ps.filter(func(p Problem) bool { return !p.Ignored }) }

func (ps Problems) filter(keep func(Problem) bool) Problems {
	var out Problems
	for _, p := range ps {
		if keep(p) {
			out = append(out, p)
		}
	}
	return out
}

// Sorted orders problems by place and drops repetitions.
func (ps Problems) Sorted() Problems {
	out := slices.Clone(ps)
	slices.SortStableFunc(out, func(a, b Problem) int {
		return cmp.Or(
			ComparePlaces(a.Pos, b.Pos),
			strings.Compare(a.Path, b.Path), strings.Compare(a.Message, b.Message),
		)
	})
	return slices.Compact(out)
}

// Position is a place in a file; Line and Column count from 1.
type Position struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// ComparePlaces orders places of one file.
func ComparePlaces(a, b Position) int {
	return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
}

// SplitRemedy splits an error's text into the problem and the remedy, which follows the first
// semicolon or starts with "did you mean".
func SplitRemedy(text string) (message, hint string) {
	if i := strings.Index(text, ", did you mean"); i >= 0 {
		return text[:i], text[i+2:]
	}
	if before, after, ok := strings.Cut(text, "; "); ok {
		return before, after
	}
	return text, "correct it"
}
