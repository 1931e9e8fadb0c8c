package planner

import (
	"cmp"
	"slices"

	"github.com/slotway/slotway/classifier/message"
)

// Understanding is the classifier's result for one message, or a structured input in its place.
type Understanding struct {
	Text       string
	Intent     string
	Confidence float64 // in [0,1]
	Exact      bool
	Ranking    []message.Score
	Lead       string           // system intent that opens the message; Intent is that of the rest
	LeadEnd    int              // where the rest begins, in code points
	Clauses    []message.Clause // the message clause by clause, in order
	Values     []message.Value
	Hear       func() []message.Command // reads question and message together, and returns what it weighs; nil: there is no reader
	Wrong      []message.Value          // recognised, but no values; Value.Wrong says why
	Partly     bool                     // Intent is that of part of the message; that of the whole was unclear
	Mended     bool                     // misspelt words were corrected
	Swap       bool                     // two values are the wrong way round
	Structured bool                     // it is a structured input without Text
	Handled    bool                     // the message had its effect before and is not read: it would have another one now
	Unread     []string                 // Structured: params whose value the type cannot read
}

// spans groups overlapping values, in the order of the text. The values of a group compete for one
// span of the message, which is used once (rule 2).
func spans(values []message.Value) [][]message.Value {
	found := make([]message.Value, 0, len(values))
	for _, v := range values {
		if v.Source != sourceText {
			found = append(found, v)
		}
	}
	slices.SortStableFunc(found, func(a, b message.Value) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End)) })
	var groups [][]message.Value
	for from, i, end := 0, 0, 0; i < len(found); i++ {
		end = max(end, found[i].End)
		if i+1 == len(found) || found[i+1].Start >= end {
			groups = append(groups, found[from:i+1:i+1])
			from = i + 1
		}
	}
	return groups
}

// The sources of a value that the rules distinguish.
const (
	sourceText       = "text"
	sourceBare       = "bare"
	sourceOption     = "option"
	sourceStructured = "given" // from a structured input
	// A text that is announced in the message: "new address: 12 Oak Street".
	sourceAnnounced = "announced"
)
