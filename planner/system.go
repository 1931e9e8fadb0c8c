package planner

import (
	"slices"
)

// sure is the confidence from which a system intent is taken without an exact match.
// Below it, a longer message is more likely about something else.
const sure = 0.8

// acts has one row for each system intent.
var acts = map[string]func(*reading) bool{
	"affirm":  (*reading).affirm,
	"deny":    (*reading).deny,
	"cancel":  (*reading).cancel,
	"reset":   (*reading).reset,
	"help":    (*reading).help,
	"repeat":  (*reading).repeat,
	"skip":    (*reading).skip,
	"human":   (*reading).human,
	"correct": (*reading).correct,
	"resume":  (*reading).resume,
	"greet":   func(r *reading) bool { return r.courtesy("greet") },
	"goodbye": func(r *reading) bool { return r.courtesy("goodbye") },
	"thanks":  func(r *reading) bool { return r.courtesy("thanks") },
}

// system does what a system intent says (rules 4a, 15).
func (r *reading) system() bool {
	act := acts[r.h.Intent]
	if act == nil || r.h.Lead != "" || !(r.h.Exact || r.h.Confidence >= sure && !r.answersAsked()) {
		return false
	}
	if r.st.lapsed && r.st.Active != nil && (r.h.Intent == "affirm" || r.h.Intent == "deny") {
		r.spoke = true // too late: the task asks again
		return true
	}
	if !firm[r.h.Intent] && !r.h.Exact && r.changesConfirmed() {
		return false // "no, I mean O-2" is a correction, whatever it sounds like
	}
	return act(r)
}

// firm are the system intents that a new value in the message does not outweigh.
var firm = map[string]bool{"cancel": true, "reset": true, "human": true}

// answersAsked says whether a typed value for the open question was found.
func (r *reading) answersAsked() bool {
	for _, v := range r.h.Values {
		if r.asked != nil && v.Param == r.asked.Name && v.Source != sourceText {
			return true
		}
	}
	return false
}

// lead deals with the head of "yes, and where is O-2?", "never mind, cancel O-1", "no,
// make it O-2". The rest of the message is left to the rules behind.
func (r *reading) lead() bool {
	switch r.h.Lead {
	case "affirm":
		return r.yesAnd()
	case "greet", "thanks":
		return r.h.Intent == "affirm" && r.h.Exact && r.affirm() // "thanks, yes please"
	case "deny", "correct":
		if r.st.Active == nil && r.st.Open == nil {
			return false // there is nothing that it could deny: the rest is the message
		}
		if r.rewords() {
			return true
		}
		// What is wrong is said in the rest; without values or an intent there, it is a
		// plain no.
		if len(r.h.Values) == 0 && !r.confident() {
			return acts[r.h.Lead](r)
		}
		if q := r.st.Open; q != nil && q.Kind == AskConfirm && !r.changesConfirmed() {
			r.deny()
		}
	case "cancel":
		if in := r.def.Intent(r.h.Intent); !r.confident() || in.System && (in.ID == "cancel" || !firm[in.ID]) {
			return r.cancel() // what follows asks for nothing
		}
		r.dropActive()
	case "skip":
		if r.st.Open != nil {
			r.skip()
		}
	}
	return false
}

// yesAnd reads what follows a yes to a confirmation (rule 14). Where that makes no yes of it,
// the question is put again.
func (r *reading) yesAnd() bool {
	q := r.st.Open
	if q == nil || q.Kind != AskConfirm {
		return false
	}
	in := r.def.Intent(r.h.Intent)
	switch {
	case !r.reserved() && r.confident() && !in.System && in.ID != r.in.ID && (in.AnswerOnly || r.h.Exact || r.h.Confidence >= sure):
		r.accept(q)
		r.queue(in, r.h.Values) // the call comes first, then the question
		return true
	case r.changesConfirmed():
		return false
	case r.confident() && firm[in.ID] && in.ID != "cancel":
		return false // a colleague, or a fresh start, is wanted before anything is done
	case r.confident() && in.AnswerOnly && r.reserved():
		return false // "yes, but what does it cost": the answer, then the question again
	case r.confident() && in.ID == "cancel" && !r.echoes(q), !r.saysMore(q):
		r.st.Active.attempt(q.Step) // yes and no at once: asked again
		r.st.Open, r.spoke = nil, true
		return true
	}
	r.accept(q)
	r.spoke = true
	return in == nil || in.System || !r.h.Exact // "yes, thanks" and "yes, send it there" are a yes
}

// echoes says whether what follows the yes is about the confirmed task itself: "yes,
// cancel it" to the question whether an order should be cancelled.
func (r *reading) echoes(q *Question) bool {
	known := wordsOf(r.in.ID + " " + r.in.Description)
	if step := findStep(r.in.Plan, q.Step); step != nil {
		known = append(known, wordsOf(step.Text.Source)...)
	}
	for _, e := range r.in.Examples {
		known = append(known, wordsOf(e.Text)...)
	}
	said := []rune(r.h.Text)
	for _, w := range wordsOf(string(said[min(r.h.LeadEnd, len(said)):])) {
		if len(w) > 3 && slices.Contains(known, w) {
			return true
		}
	}
	return false
}

// affirm is a yes.
func (r *reading) affirm() bool {
	q := r.st.Open
	if r.st.settled {
		r.spoke = true
		return true
	}
	if q == nil {
		if r.st.Active != nil && r.st.Active.Failed != "" {
			return r.resume() // yes, try again
		}
		return false
	}
	switch q.Kind {
	case AskConfirm:
		if !r.saysYes(q) {
			return false // it only sounds like a yes: asked again
		}
		r.accept(q)
	case AskHandoff:
		return r.human()
	case AskResumeOne:
		r.st.Open = nil
		r.pick(q.Options[0].Value)
	case AskCorrect:
		r.replace(q)
	case AskIntent:
		if len(q.Options) > 1 {
			return false // yes to which?
		}
		r.st.Open, r.picked = nil, true
		r.pick(q.Options[0].Value)
	case AskChange:
		r.st.Open = nil // yes after all: the confirmation is asked anew
	default:
		return false
	}
	r.spoke = true
	return true
}

// deny is a no.
func (r *reading) deny() bool {
	q := r.st.Open
	if r.st.settled {
		r.spoke = true
		return true
	}
	if q == nil {
		return false
	}
	switch q.Kind {
	case AskConfirm:
		r.decline(q)
	case AskHandoff, AskChange:
		r.drop("cancelled")
	case AskResumeOne:
		r.st.Open, r.st.Suspended = nil, nil
		r.say("cancelled", nil)
	case AskCorrect:
		r.st.Open = nil // the old value stands, and the plan goes on
	case AskIntent:
		if r.picksOption() {
			return false // "not the former" is a choice
		}
		r.st.Open = nil
		r.say("rephrase", nil)
	case AskParam:
		return r.asked != nil && r.asked.Type.Builtin != "boolean" && r.asked.Skippable && r.skip()
	default:
		return false
	}
	r.spoke = true
	return true
}

// cancelOther takes "cancel O-2 instead" for the task that it names, when it is likely
// one, and not for the end of the task under way.
func (r *reading) cancelOther() bool {
	if r.h.Intent != "cancel" || r.h.Exact || !r.changesConfirmed() {
		return false
	}
	if in := r.bestTask(); in != nil && r.score(in.ID) >= r.def.Classifier.Threshold {
		r.h.Intent, r.h.Exact = in.ID, true
	}
	return false
}

// cancel ends the active task and offers the one it interrupted (rule 15). Said when
// nothing is under way, it may be short for a task: "cancel it".
func (r *reading) cancel() bool {
	if q := r.st.Open; q != nil && q.Kind == AskResumeOne {
		return r.deny() // what was put aside is not taken up again
	}
	if r.st.Active == nil && r.st.Open == nil {
		if in := r.bestTask(); in != nil {
			r.h.Intent, r.h.Exact = in.ID, true
			return false
		}
		if len(r.st.Suspended) == 0 {
			r.take(nil) // an order number said along with it is kept
			r.say("nothing_to_cancel", nil)
			return true
		}
	}
	r.drop("cancelled")
	return true
}

// drop ends the active task with a word and offers a suspended one.
func (r *reading) drop(response string) {
	r.say(response, nil)
	r.dropActive()
	if len(r.st.Suspended) > 0 {
		r.st.offerResume(r.def)
	}
}

func (r *reading) dropActive() {
	r.st.Active, r.st.Open, r.in, r.asked = nil, nil, nil, nil
	r.spoke = true
}

// reset forgets everything (rule 15). The router clears the session.
func (r *reading) reset() bool {
	old := *r.st
	*r.st = *New()
	r.st.Turn, r.st.Message, r.st.Now, r.st.Version, r.st.Reset = old.Turn, old.Message, old.Now, old.Version, true
	r.st.later(r.def, "reset_done", nil)
	return true
}

// help explains the open question and asks it again; attempts are not counted.
func (r *reading) help() bool {
	if r.asked != nil && r.asked.Help != nil {
		text := r.asked.Help.Render(r.st.env(r.in))
		r.st.Agenda = append(r.st.Agenda, Respond{Place: Place{agenda: true}, Response: "help", Text: text})
	} else {
		r.say("help", nil)
	}
	r.again()
	return true
}

// repeat says the last reply again; the question stays open.
func (r *reading) repeat() bool {
	r.st.Agenda = append(r.st.Agenda, Respond{
		Place: Place{agenda: true}, Response: "repeat",
		Text: render(r.def, r.st, "nothing_to_repeat", nil), Repeat: true,
	})
	return true
}

// skip passes an optional param, or a group of alternatives that the user cannot fill
// (rules 9, 11).
func (r *reading) skip() bool {
	if q := r.st.Open; q != nil && q.Kind == AskHandoff {
		r.st.Open, r.spoke = nil, true // that was the last question there is: it is put again
		return true
	}
	if r.asked == nil {
		r.say("nothing_to_skip", nil)
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
	if memberOf(r.in.Optional, r.asked) || r.asked.Skippable {
		frame.Skipped = append(frame.Skipped, r.asked.Name)
		r.st.Open, r.spoke = nil, true
		return true
	}
	return false
}

// human hands the conversation over, by the plan of the system intent where it has one.
func (r *reading) human() bool {
	r.dropActive()
	if in := r.def.Intent("human"); in != nil && len(in.Plan) > 0 {
		r.st.Suspended = nil
		r.st.begin(in, r.def)
		return true
	}
	r.st.Agenda = append(r.st.Agenda, Handoff{Place: Place{agenda: true}, Text: render(r.def, r.st, "handoff", nil)})
	return true
}

// correct by itself ("that's wrong") asks what should be different.
func (r *reading) correct() bool {
	if r.st.Active != nil && !r.h.Exact {
		if p := r.mentioned(); p != nil && !r.bringsValue(p) {
			r.clear(p)
			return true
		}
	}
	if q := r.st.Open; q != nil && q.Kind == AskConfirm {
		return r.deny()
	}
	if r.st.Active == nil {
		r.say("nothing_to_correct", nil)
		return true
	}
	return false
}

// resume goes on: with a call that failed, or with a suspended task.
func (r *reading) resume() bool {
	switch {
	case r.st.Active != nil && r.st.Active.Failed != "":
		r.st.Active.Failed = ""
	case r.st.Open != nil && r.st.Open.Kind == AskResumeOne:
		r.pick(r.st.Open.Options[0].Value)
	case r.st.Active == nil && len(r.st.Suspended) > 0:
		r.st.resume(r.def)
	case r.st.Active == nil:
		r.say("nothing_to_resume", nil)
	default:
		r.again()
	}
	r.spoke = true
	return true
}

// courtesy answers a greeting or thanks and asks the open question again.
func (r *reading) courtesy(id string) bool {
	r.say(id, nil)
	r.again()
	return true
}
