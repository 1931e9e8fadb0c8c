package summary

import (
	"strings"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/internal/plaintext"
)

// maxQuestion is the longest question, in bytes, that is kept for its answer.
const maxQuestion = maxValue - len(" yes")

var yes, no, openQuestion = phrases("yes"), phrases("no"), phrases("open question")

// answerFact returns the fact that a yes or no makes of the previous question.
func answerFact(question string, m *memory.Message) []finding {
	if question == "" || m.Role != memory.User {
		return nil
	}
	switch said := plaintext.Folded(m.Text); {
	case yes.In(said):
		question += " yes"
	case no.In(said):
		question += " no"
	default:
		return nil
	}
	return []finding{{memory.Fact{Key: "decision", Value: question, Category: memory.Decision, Origin: memory.FromUser, Source: m.Seq, ValidFrom: m.Timestamp}, false}}
}

// lastQuestion returns the last yes-or-no question of the agent's message, or "".
func lastQuestion(m *memory.Message) string {
	last := ""
	for s := range plaintext.Sentences(m.Text) {
		if s = plaintext.Line(s); strings.HasSuffix(s, "?") && len(s) <= maxQuestion && !openQuestion.In(plaintext.Folded(s)) {
			last = s
		}
	}
	return last
}
