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
	return []finding{{Fact: memory.Fact{Key: "decision", Value: question, Category: memory.Decision, Origin: memory.FromUser, Source: m.Seq, ValidFrom: m.Timestamp}}}
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

// Decisions returns the sentences that settle something, and the agent's yes-or-no questions with
// the user's answers, in order.
func Decisions(list []memory.Message) (out []string) {
	asked := ""
	for i := range list {
		m := &list[i]
		for _, f := range answerFact(asked, m) {
			out = append(out, f.Value)
		}
		asked = nextAsked(asked, m)
		last := 0
		for f := range matches(m, func(r *rule) bool { return r.category == memory.Decision }) {
			if f.number != last && !f.denied {
				last = f.number
				out = append(out, plaintext.Line(f.sentence))
			}
		}
	}
	return out
}

// nextAsked returns the question that the next message may answer.
func nextAsked(asked string, m *memory.Message) string {
	switch m.Role {
	case memory.Agent:
		return lastQuestion(m)
	case memory.User:
		return ""
	}
	return asked
}

// Facts returns what rules find in messages of the user and the agent.
func Facts(list []memory.Message) (out []memory.Fact) {
	for i := range list {
		for _, f := range ruleFacts(&list[i], func(string) bool { return false }) {
			if !f.denied {
				out = append(out, f.Fact)
			}
		}
	}
	return out
}
