package planner

import (
	"slices"

	"github.com/slotway/slotway/classifier/message"
)

// proposeQuestion reads a question in place of an answer if no task answers it. The reply is the
// help of the open question, or says that the agent knows no more. The open question is repeated,
// and no attempt is counted.
func (r *interpreter) proposeQuestion() []reading {
	q := r.st.Open
	if q == nil || r.st.Active == nil {
		return nil
	}
	x := reading{Rule: "question", kind: kindAside}
	for i := range r.clauses {
		c := &r.clauses[i]
		if c.is(message.ActQuestion) && !c.is(message.ActYes) {
			x.evidence = max(x.evidence, c.p(message.ActQuestion)*0.75)
			x.clauses |= only(i)
		} else if c.courteous() || c.filler() || c.tells() && c.values == 0 {
			x.clauses |= only(i)
			x.around |= only(i)
		}
	}
	if x.evidence == 0 {
		return nil
	}
	x.perform = func(r *interpreter) {
		if r.confirmHelp() == "" && r.asked != nil && r.asked.Help != nil && r.asksAbout(x.clauses) {
			r.help()
			r.againOrKeep()
			return
		}
		r.sayNoMore()
	}
	return []reading{x}
}

// asksAbout reports whether a question is about the open question: it names its param, or nothing
// at all.
func (r *interpreter) asksAbout(of set) bool {
	return slices.ContainsFunc(of.members(), func(i int) bool {
		c := &r.clauses[i]
		return c.is(message.ActQuestion) && (slices.ContainsFunc(labelWords(r.asked), func(w string) bool { return slices.Contains(c.words, w) }) ||
			len(c.words) <= 7 && c.hasAny(pointers) && (len(c.Ranking) == 0 || c.Ranking[0].Confidence < r.def.Classifier.Threshold))
	})
}

// pointers are words for what was just said.
var pointers = wordSet("pointers")

// confirmHelp returns the answer of the confirm step to a question.
func (r *interpreter) confirmHelp() string {
	q := r.lastOpen
	if q == nil || q.Kind != askConfirm || r.in == nil {
		return ""
	}
	if step := findStep(r.in.Plan, q.Step); step != nil && step.Help != nil {
		return step.Help.Render(r.st.env(r.in))
	}
	return ""
}

// againOrKeep repeats the open question. A question of the dialogue itself is repeated in its own
// words.
func (r *interpreter) againOrKeep() {
	q := r.st.Open
	switch {
	case q == nil || r.planned():
		r.again()
	case q.Kind == askChoice || q.Kind == askIntent:
		r.st.Open = nil
		r.st.Agenda = append(r.st.Agenda, Choose{
			position: position{agenda: true}, Param: q.Param, Options: q.Options, kind: q.Kind, behind: q.Behind, said: q.Said, brought: q.Brought,
			Prompt: render(r.st, "choose", map[string]any{"options": labels(q.Options)}),
		})
	case q.Kind == askHandoff && r.st.Active != nil:
		r.st.Open = nil // the plan comes to it again
	}
}
