package planner

import (
	"slices"

	"github.com/slotway/slotway/classifier/message"
)

// proposeHold reads "one moment", "not sure": the question stays open, and no attempt is counted.
func (r *interpreter) proposeHold() []reading {
	x := reading{Rule: "hold", kind: kindHold}
	for i := range r.clauses {
		c := &r.clauses[i]
		switch {
		case (c.is(message.ActHold) || c.is(message.ActUnknown) && r.confirming()) && !r.givesAsked(c):
			x.evidence = max(x.evidence, c.p(message.ActHold), c.p(message.ActUnknown))
			x.clauses |= only(i)
		case c.p(message.ActYes) >= surely || c.p(message.ActNo) >= surely && x.evidence > 0:
			return nil // "wait, yes"
		case c.courteous() || c.filler() || c.tells() && c.values == 0 || c.any(message.ActNo, message.ActCorrect) && c.values == 0 && !r.carriesText(c):
			x.clauses |= only(i)
			x.around |= only(i)
		}
	}
	if x.evidence < likely || r.st.Active == nil && r.st.Open == nil {
		return nil
	}
	x.perform = func(r *interpreter) {
		r.say("hold", nil)
		r.again()
	}
	return []reading{x}
}

// givesAsked reports whether a clause has a value for the open question.
func (r *interpreter) givesAsked(c *clause) bool {
	return r.asked != nil && slices.ContainsFunc(r.valuesOf(c.values), func(v message.Value) bool {
		return v.Param == r.asked.Name && !v.Cues.Any(message.CueAsked|message.CueNegated)
	})
}

// askedToStop counts, by confirm step, how often the reply asked whether the user wants to stop. A
// stop said again is one.
const askedToStop = "stop:"

// metaAct is an act about the conversation itself, with what it does.
type metaAct struct {
	act    message.Act
	intent string
	do     func(*interpreter)
	may    func(*interpreter) bool // nil: always
}

// metaActs lists the acts about the conversation itself.
var metaActs = []metaAct{
	{message.ActRepeat, "repeat", (*interpreter).repeatOrRetry, (*interpreter).maySpeakAgain},
	{message.ActHelp, "help", (*interpreter).help, nil},
	{message.ActAbout, "help", (*interpreter).about, nil},
	{message.ActSkip, "skip", (*interpreter).skipOrSay, (*interpreter).maySaySkip},
	{message.ActHuman, "human", (*interpreter).human, nil},
	{message.ActResume, "resume", (*interpreter).resume, nil},
	{message.ActReset, "reset", (*interpreter).reset, nil},
	{message.ActCorrect, "correct", (*interpreter).correct, (*interpreter).mayCorrectNothing},
}

// proposeMeta reads messages about the conversation itself: repeat, help, skip, a person, try
// again, start over (rules 4a, 15).
func (r *interpreter) proposeMeta() []reading {
	var out []reading
	for n := range metaActs {
		m := &metaActs[n]
		if m.may != nil && !m.may(r) {
			continue
		}
		x := reading{Rule: m.act.String(), Intent: m.intent, kind: kindMeta, perform: m.do}
		for i := range r.clauses {
			c := &r.clauses[i]
			if p := r.metaIn(c, m); p >= likely {
				x.evidence = max(x.evidence, p)
				x.clauses |= only(i)
			} else if c.courteous() || c.filler() || c.tells() && c.values == 0 {
				x.clauses |= only(i)
			}
		}
		if x.evidence >= likely {
			if m.act == message.ActCorrect {
				x.evidence *= 0.75 // it does not say what is wrong: rules that know more come first
			}
			out = append(out, x)
		}
	}
	return out
}

// metaIn returns how sure a clause is of an act about the conversation.
func (r *interpreter) metaIn(c *clause, m *metaAct) float64 {
	p := c.p(m.act)
	if m.act == message.ActRepeat && c.filler() && len(r.clauses) > 1 {
		p = 0 // "sorry, cancel it"
	}
	if c.Stock == m.intent && m.act != message.ActAbout {
		p = 1
	}
	if m.intent == "help" && first(c.words) == "who" {
		p *= 0.5 // "who are you" asks after the bot
	}
	if m.intent == "help" && r.asked == nil && len(c.words) > briefHelp && len(c.Ranking) > 0 && c.Ranking[0].Confidence >= r.def.Classifier.Reject {
		p *= 0.6 // "I need help with a parcel" wants the task
	}
	return p
}

// maySaySkip reports whether there is something to skip. There is not at a yes-or-no question.
func (r *interpreter) maySaySkip() bool { return r.asked != nil || r.exactly("skip") }

// briefHelp is the number of words up to which a request for help is about the conversation itself.
const briefHelp = 4

func (r *interpreter) maySpeakAgain() bool { return r.st.Number > 1 || r.exactly("repeat") }

// mayCorrectNothing reports whether a correction without a value makes sense: it asks what is
// wrong. At a confirmation it is a no.
func (r *interpreter) mayCorrectNothing() bool {
	return r.st.Active != nil && r.st.Open != nil && r.st.Open.Kind != askParam || r.st.Active == nil && len(r.msg.Values) == 0 && r.exactly("correct")
}

// exactly reports whether the message is a phrase of a system intent, word for word.
func (r *interpreter) exactly(id string) bool {
	return r.msg.Exact && r.msg.Intent == id || len(r.clauses) == 1 && r.clauses[0].Stock == id
}

// correct by itself ("that's wrong") asks what should be different.
func (r *interpreter) correct() {
	r.spoke = true
	switch q := r.st.Open; {
	case q != nil && q.Kind == askConfirm:
		r.decline(q)
	case r.st.Active == nil:
		r.say("nothing_to_correct", nil)
	default:
		r.again()
	}
}

// repeatOrRetry reads "again": after a failed call it means the call.
func (r *interpreter) repeatOrRetry() {
	if r.st.Active != nil && r.st.Active.Failed != "" {
		r.resume()
		return
	}
	r.repeat()
}

// repeat says the last reply again; the question stays open.
func (r *interpreter) repeat() {
	r.spoke = true
	r.st.Agenda = append(r.st.Agenda, Respond{
		position: position{agenda: true}, Response: "repeat",
		Text: render(r.st, "nothing_to_repeat", nil), Repeat: true,
	})
}

// help explains the open question and asks it again; attempts are not counted.
func (r *interpreter) help() {
	switch e := r.st.Ended; {
	case r.asked == nil && r.st.Active != nil && r.st.Active.Failed != "":
		r.say("tool_failed", nil)
	case r.st.Active == nil && r.st.Open == nil && e != nil && e.Turn == r.st.Number-1 && slices.Contains(r.words, "why"):
		r.repeat() // "why?": the last reply is the answer
	case r.asked != nil && r.asked.Help != nil:
		text := r.asked.Help.Render(r.st.env(r.in))
		r.st.Agenda = append(r.st.Agenda, Respond{position: position{agenda: true}, Response: "help", Text: text})
		r.spoke = true
	case r.st.Open != nil && r.asked != nil:
		r.say("why_ask", map[string]any{"label": r.asked.Label})
	default:
		r.about()
	}
	r.again()
}

// about says what the agent can do.
func (r *interpreter) about() {
	r.say("about", nil)
	r.again()
}

// reset forgets everything (rule 15). The router clears the session.
func (r *interpreter) reset() {
	version, spent := r.st.Version, r.st.Handled
	r.st.State = New()
	r.st.Version, r.st.Handled, r.st.Reset, r.st.Agenda = version, spent, true, nil
	r.in, r.asked = nil, nil
	r.say("reset_done", nil)
}

// maySkip reports whether the open question can be skipped.
func (r *interpreter) maySkip() bool {
	if r.asked == nil {
		return false
	}
	if _, may := r.mayEndList(); may {
		return true
	}
	for i, group := range r.in.OneOf {
		if memberOf(group, r.asked) && !r.st.Active.refused(i) {
			return true
		}
	}
	return r.asked.Skippable
}

// skip skips an optional param, or a group of alternatives that the user cannot fill (rules 9, 11).
func (r *interpreter) skip() bool {
	if r.asked == nil {
		return false
	}
	if list, may := r.mayEndList(); may {
		r.completeList(list)
		r.st.Open = nil
		return true
	}
	frame := r.st.Active
	for i, group := range r.in.OneOf {
		if memberOf(group, r.asked) && !frame.refused(i) {
			frame.Refused = append(frame.Refused, i)
			r.st.Open, r.spoke = nil, true
			return true
		}
	}
	if r.asked.Skippable {
		frame.Skipped = append(frame.Skipped, r.asked.Name)
		r.st.Open, r.spoke = nil, true
		return true
	}
	return false
}

// skipOrSay skips, or says why it cannot.
func (r *interpreter) skipOrSay() {
	q := r.st.Open
	switch {
	case q != nil && q.Kind == askHandoff:
		r.st.Open, r.spoke = nil, true // that was the last question there is: it is put again
	case r.asked == nil:
		r.say("nothing_to_skip", nil)
	case r.skip():
	default:
		r.unread()
		r.spoke = true
	}
}

// proposeExcuse reads a reply without a value: "I don't know", "I won't tell", "I just told you". A
// question that can be skipped is skipped; any other is explained and asked again.
func (r *interpreter) proposeExcuse() []reading {
	if r.asked == nil || r.st.Open == nil {
		return nil
	}
	var out []reading
	for _, a := range []message.Act{message.ActUnknown, message.ActRefuse, message.ActTold} {
		x := reading{Rule: a.String(), Intent: "skip", kind: kindHold}
		for i := range r.clauses {
			c := &r.clauses[i]
			if c.is(a) {
				x.evidence = max(x.evidence, c.p(a))
				x.clauses |= only(i)
			} else if c.courteous() || c.filler() || c.tells() && c.values == 0 || c.is(message.ActNo) {
				x.clauses |= only(i)
			}
		}
		if x.evidence < likely {
			continue
		}
		x.perform = func(r *interpreter) {
			if a != message.ActTold && r.skip() {
				return
			}
			if a == message.ActTold {
				r.say("full_text", map[string]any{"label": r.asked.Label})
				r.again()
				return
			}
			r.st.Active.attempt(r.asked.Name)
			r.help()
		}
		out = append(out, x)
	}
	return out
}

// human hands the conversation over, with the plan of the system intent if it has one.
func (r *interpreter) human() {
	r.dropActive()
	if in := r.def.Intent("human"); in != nil && len(in.Plan) > 0 {
		r.st.Suspended = nil
		r.st.begin(in)
		return
	}
	r.st.Agenda = append(r.st.Agenda, Handoff{position: position{agenda: true}, Text: render(r.st, "handoff", nil)})
}

// resume goes on with a failed call or a suspended task.
func (r *interpreter) resume() {
	r.spoke = true
	switch {
	case r.st.Active != nil && r.st.Active.Failed != "":
		r.st.Active.Failed = ""
	case r.st.Open != nil && r.st.Open.Kind == askResumeOne:
		r.pick(r.st.Open.Options[0].Value, 0)
	case r.st.Active == nil && len(r.st.Suspended) > 0:
		r.st.resume()
	case r.st.Active == nil && r.st.Ended != nil && r.st.Ended.Outcome == outcomeUnknown && !r.repeatable(r.st.Ended):
		r.say("outcome_unknown", nil)
	case r.st.Active == nil && r.st.Ended != nil && r.st.Ended.Outcome == outcomeUnknown:
		r.beginAgain(r.st.Ended)
	case r.st.Active == nil && r.st.Ended != nil && r.st.Ended.Outcome == outcomeFailed:
		r.beginAgain(r.st.Ended)
	case r.st.Active == nil:
		r.say("nothing_to_resume", nil)
	default:
		r.again()
	}
}
