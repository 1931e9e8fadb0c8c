package source

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Severity separates what stops a file from loading from what is merely suspicious.
type Severity string

// The severities. The zero value counts as an error.
const (
	SeverityError   Severity = "error"
	SeverityWarning Severity = "warning"
)

// Problem is one thing wrong with a file, with what to do about it. It may quote names
// and values of the file, which is the author's own text, never those of a conversation.
type Problem struct {
	Pos      Position
	Path     string // such as intents[1].plan[0].call; "" for the file as a whole
	Message  string
	Hint     string // the remedy
	Severity Severity
}

// String is file:line:column: path: message, hint.
func (p Problem) String() string {
	var b strings.Builder
	b.WriteString(p.Pos.String())
	b.WriteString(": ")
	if p.Severity == SeverityWarning {
		b.WriteString("warning: ")
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

// String is file:line:column, without what is unknown.
func (p Position) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// Problems is every problem of a file, in its order. As an error it reads one a line.
type Problems []Problem

// Error lists the problems, one a line.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// Errors returns the problems that stop the file from loading.
func (ps Problems) Errors() Problems {
	return ps.filter(func(p Problem) bool { return p.Severity != SeverityWarning })
}

// Warnings returns the lints.
func (ps Problems) Warnings() Problems {
	return ps.filter(func(p Problem) bool { return p.Severity == SeverityWarning })
}

// Err is the errors among the problems, or nil when there is none.
func (ps Problems) Err() error {
	if errs := ps.Errors(); len(errs) > 0 {
		return errs
	}
	return nil
}

// Add appends an error at a node of the file; hint is the remedy.
func (ps *Problems) Add(at *Node, message, hint string) {
	*ps = append(*ps, Problem{Pos: at.Pos(), Path: at.Path(), Message: message, Hint: hint, Severity: SeverityError})
}

// Warn is Add for a lint.
func (ps *Problems) Warn(at *Node, message, hint string) {
	*ps = append(*ps, Problem{Pos: at.Pos(), Path: at.Path(), Message: message, Hint: hint, Severity: SeverityWarning})
}

func (ps Problems) filter(keep func(Problem) bool) Problems {
	var out Problems
	for _, p := range ps {
		if keep(p) {
			out = append(out, p)
		}
	}
	return out
}

// sorted orders problems by place and drops exact repetitions.
func (ps Problems) Sorted() Problems {
	out := slices.Clone(ps)
	slices.SortStableFunc(out, func(a, b Problem) int {
		return cmp.Or(
			cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Column, b.Pos.Column),
			strings.Compare(a.Path, b.Path), strings.Compare(a.Message, b.Message),
		)
	})
	return slices.Compact(out)
}

// Position is a place in a file; Line and Column count from 1.
type Position struct {
	File         string
	Line, Column int
}

// SplitRemedy parts an error's text into what is wrong and what to do, which stands after its
// first semicolon or in a "did you mean".
func SplitRemedy(text string) (message, hint string) {
	if i := strings.Index(text, ", did you mean"); i >= 0 {
		return text[:i], text[i+2:]
	}
	if before, after, ok := strings.Cut(text, "; "); ok {
		return before, after
	}
	return text, "correct it"
}
