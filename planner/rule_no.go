package planner

import (
	"slices"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// proposeNo reads a no to the open question. Text behind a no changes something only if another
// rule can read it as a change; that rule then explains more of the message.
func (r *interpreter) proposeNo() []reading {
	q := r.st.Open
	if q == nil || !r.takesNo(q) || !r.saysNo() {
		return nil
	}
	x := reading{Rule: "no", Intent: "deny", kind: kindNo, perform: (*interpreter).deny}
	for i := range r.clauses {
		c := &r.clauses[i]
		switch no := r.noIn(c); {
		case c.values != 0 && q.Kind != askIntent && r.changesIn(c):
			// it says what is to be in its place: a change, which another rule reads
		case no >= likely:
			x.evidence = max(x.evidence, no)
			x.clauses |= only(i)
		case x.evidence == 0 && c.values == 0 && r.yesIn(c) >= surely:
			return nil // "yes, don't move it": asked again
		case (c.Stock == "affirm" && c.p(message.ActYes) >= surely || c.p(message.ActYes) >= 0.97) && x.evidence > 0:
			return nil // "no, yes": asked again
		case r.goesWithNo(c):
			x.clauses |= only(i)
			x.around |= only(i)
		}
	}
	if x.evidence < likely || len(r.proposeYes()) > 0 {
		return nil // "yes, I don't need it any more"
	}
	return []reading{x}
}

// goesWithNo reports whether a clause may stand beside a no: courtesy, or a reason for it.
func (r *interpreter) goesWithNo(c *clause) bool {
	if r.wantsOther(c) || c.values != 0 || r.carriesText(c) {
		return false
	}
	return c.courteous() || c.filler() || c.tells() || c.any(message.ActCorrect, message.ActHold)
}

// changesIn reports whether a clause has a value that would change the task.
func (r *interpreter) changesIn(c *clause) bool {
	if r.in == nil || r.st.Active == nil {
		return false
	}
	for _, g := range r.groups() {
		if !slices.ContainsFunc(g.values, c.meets) {
			continue
		}
		if v, p := r.choose(r.in, g.values); p != nil && r.in.Param(p.Name) != nil {
			if _, changes := r.worth(p, v); changes {
				return true
			}
		}
	}
	return false
}

// takesNo reports whether a no can answer the open question.
func (r *interpreter) takesNo(q *openQuestion) bool {
	switch q.Kind {
	case askConfirm, askHandoff, askChange, askResumeOne, askCorrect, askIntent:
		return true
	case askParam:
		return r.asked != nil && r.asked.Type.Builtin != "boolean" && r.maySkip()
	}
	return false
}

// saysNo reports whether any clause may be a no. Most messages have none and need no closer look.
func (r *interpreter) saysNo() bool {
	for i := range r.clauses {
		if r.noIn(&r.clauses[i]) >= likely {
			return true
		}
	}
	return false
}

// noIn returns how sure a clause is a no; 0 if that is not likely.
func (r *interpreter) noIn(c *clause) float64 {
	if c.Stock == "deny" {
		return 1
	}
	no := c.p(message.ActNo)
	if q := r.st.Open; q != nil && q.Kind == askParam && r.asked != nil && r.saysNone(r.asked, only(r.at(c))) {
		no = max(no, 0.9)
	}
	if r.st.Open != nil && r.st.Open.Kind == askConfirm && c.is(message.ActCorrect) {
		switch {
		case r.carriesText(c):
			no = 0 // it says what should be in its place
		case slices.ContainsFunc(c.words, func(w string) bool { return changeWords[w] || w == "right" }):
			no = max(no, c.p(message.ActCorrect)*0.8) // "that's wrong"
		}
	}
	if r.deniesVerb(c) {
		no = max(no, 0.9) // "don't block it"
	}
	if no < likely || r.echoes(c) {
		return 0 // "don't keep me waiting, cancel it" is none
	}
	return no
}

// deniesVerb reports whether a clause denies what the open confirmation would do.
func (r *interpreter) deniesVerb(c *clause) bool {
	q := r.st.Open
	return q != nil && q.Kind == askConfirm && r.in != nil && !c.is(message.ActQuestion) && r.denies(c.words, r.in) && slices.Contains(c.words, r.questionVerb(q))
}

// carriesText reports whether a correcting clause has a new value: "make it Winter Journal".
func (r *interpreter) carriesText(c *clause) bool {
	rest, carried := stripLeadIns(c.text)
	return carried && slices.ContainsFunc(r.wordsOf(rest), func(w string) bool { return !choiceFillers[w] && !aroundValue[w] }) && len(r.wordsOf(rest)) < len(c.words) && !isSentence(rest) && len(c.words) > 2
}

// deny carries out a no.
func (r *interpreter) deny() {
	q := r.st.Open
	r.spoke = true
	switch q.Kind {
	case askConfirm:
		r.decline(q)
	case askHandoff, askChange:
		r.stopActive()
	case askResumeOne:
		r.st.Open, r.st.Suspended = nil, nil
		r.say("cancelled", nil)
	case askCorrect:
		r.st.Open = nil // the old value stands, and the plan goes on
	case askIntent:
		r.st.Open = nil
		r.say("rephrase", nil)
	case askParam:
		r.skip()
	}
}

// decline carries out a no to a confirmation: the response of the confirm step ends the task;
// without one it asks what should be different (rule 14). The confirmation is kept for a while, so
// that "actually yes" can ask it again.
func (r *interpreter) decline(q *openQuestion) {
	step := findStep(r.in.Plan, q.Step)
	r.st.way(q.Step, WayDenied)
	r.st.noteAnswer(false)
	if step == nil || step.Denied == "" {
		r.st.Agenda = append(r.st.Agenda, Offer{position: position{agenda: true}, Prompt: render(r.st, "denied", r.st.env(r.in)), kind: askChange})
		r.st.Open = nil
		return
	}
	declined := r.st.declining()
	r.st.laterOwn(step.Denied, nil)
	r.spoke = true
	if !r.st.fail(config.RunDeclined) {
		r.st.Declined = declined
	}
	r.in, r.asked = r.st.intent(r.def), nil
}

// declinedFor is for how many turns a no can be taken back.
const declinedFor = 2
