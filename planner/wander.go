package planner

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/slotway/slotway/config"
)

// confident says whether the message asks for an intent: at threshold, and clearly more
// than for any other (rule 19).
func (r *reading) confident() bool {
	return r.def.Intent(r.h.Intent) != nil &&
		(r.h.Exact || r.h.Confidence >= r.def.Classifier.Threshold && !r.close())
}

// brief is up to how many words a message says little: "my item" may be about anything
// that has items. Then twice as much again must lie between the best two intents.
const (
	brief       = 2
	briefFactor = 3
)

// brief says whether a message has so few words that they say little.
func (r *reading) brief() bool { return len(wordsOf(r.h.Text)) <= brief }

// close says whether the best two intents are too near to tell. Only tasks compete:
// answering in passing or a courtesy costs nothing.
func (r *reading) close() bool {
	if len(r.h.Ranking) < 2 {
		return false
	}
	a, b := r.h.Ranking[0], r.h.Ranking[1]
	second := r.def.Intent(b.Intent)
	margin := r.def.Classifier.Ambiguity
	if r.brief() {
		margin *= briefFactor
	}
	return second != nil && !second.System && a.Confidence-b.Confidence < margin
}

// bestTask is the best-ranked intent that is no system one, if it is likely at all.
func (r *reading) bestTask() *config.Intent {
	for _, s := range r.h.Ranking {
		if in := r.def.Intent(s.Intent); in != nil && !in.System {
			if s.Confidence >= r.def.Classifier.Threshold/2 {
				return in
			}
			return nil
		}
	}
	return nil
}

// score is the confidence in an intent, 0 for one that is not ranked.
func (r *reading) score(id string) float64 {
	for _, s := range r.h.Ranking {
		if s.Intent == id {
			return s.Confidence
		}
	}
	return 0
}

// intent starts what was asked for: an answer in passing, a task, or the same task again
// with more values (rules 16, 17, 20).
func (r *reading) intent() bool {
	if !r.confident() || r.fixes {
		return false
	}
	in := r.def.Intent(r.h.Intent)
	switch {
	case in.System:
		if acts[in.ID] == nil || r.filled || r.h.Confidence < sure && !r.h.Exact && r.freeText() {
			return false
		}
		return acts[in.ID](r)
	case r.st.Active != nil && r.st.Active.Intent == in.ID:
		if r.freeText() && !r.h.Exact {
			return false // an address sounds like the task that asks for it
		}
		if r.asked != nil && r.brief() && !r.filled && !r.h.Exact {
			return false // a city that we do not travel to sounds like a trip
		}
		r.st.Active.Failed = ""
		r.filled = true
		if !r.answersAsked() {
			r.again()
		}
		return true
	case r.h.Confidence < sure && !r.h.Exact && (r.filled && !r.spoke || !r.filled && r.freeText()):
		return false // an answer to what is under way that only sounds like another task
	case r.forbids(in):
		r.again() // asked again, and not taken for an answer either
		return true
	}
	r.interrupt(in)
	return true
}

// forbids says whether the open question lets itself not be interrupted by the intent.
func (r *reading) forbids(in *config.Intent) bool {
	if r.asked == nil || r.st.Open == nil {
		return r.planned() && !in.AnswerOnly && r.in.Policy.Digression == config.DigressionBlock
	}
	if !in.AnswerOnly && r.asked.Policy.Digression == config.DigressionBlock {
		return true
	}
	if r.asked.Interruptions == nil {
		return false
	}
	return !slices.Contains(r.asked.Interruptions, in.ID)
}

// interrupt suspends the active frame and starts another.
func (r *reading) interrupt(in *config.Intent) {
	st := r.st
	st.Open, st.Unclear = nil, 0
	alone := st.Active == nil
	if !alone {
		st.suspend(r.def)
		if depth := r.def.Policy.MaxDepth; len(st.Suspended) > depth {
			st.Suspended = append([]*Frame(nil), st.Suspended[len(st.Suspended)-depth:]...)
			r.say("resumable_dropped", nil)
		}
	}
	st.begin(in, r.def)
	st.Active.Alone = alone
	r.in, r.asked, r.begun = in, nil, true
	r.take(in)
}

// suspend puts the active frame aside, with the session params that it works with: what
// the other task does to them must not change what this one is about.
func (st *State) suspend(def *config.Agent) {
	f := st.Active
	if in := def.Intent(f.Intent); in != nil {
		for _, p := range in.AllParams() {
			if c := st.Session[p.Name]; c != nil && p.Scope == config.ScopeSession {
				if f.Kept == nil {
					f.Kept = map[string]*Cell{}
				}
				kept := *c
				f.Kept[p.Name] = &kept
			}
		}
	}
	st.Suspended = append(st.Suspended, f)
	st.Active = nil
}

// restore gives a frame that goes on its session params back.
func (st *State) restore() {
	maps.Copy(st.Session, st.Active.Kept)
	st.Active.Kept = nil
}

// several starts the first of several tasks and queues the others in the order said
// (rule 18). The values of a part are its own.
func (r *reading) several() bool {
	if len(r.h.Parts) < 2 {
		return false
	}
	for _, p := range r.h.Parts {
		if in := r.def.Intent(p.Intent); in == nil || in.System || r.forbids(in) {
			return false
		}
	}
	parts := r.answersFirst()
	first, later := parts[0], parts[1:]
	said := r.h.Values
	r.h.Intent, r.h.Confidence, r.h.Values = first.Intent, first.Confidence, within(said, first)
	r.asked = nil
	if in := r.def.Intent(first.Intent); r.st.Active != nil && r.st.Active.Intent == in.ID {
		r.st.Active.Failed = ""
		r.take(in)
		r.again()
	} else {
		r.interrupt(in)
	}
	front := r.st.Active
	r.st.Active = nil
	for i := len(later) - 1; i >= 0; i-- {
		r.queue(r.def.Intent(later[i].Intent), within(said, later[i]))
	}
	r.st.Active = front
	r.spoke = true
	return true
}

// answersFirst puts what is answered in passing before the tasks, which may end in a
// question: that must be the last thing said. What belongs to the task under way stays
// in front.
func (r *reading) answersFirst() []Part {
	parts := slices.Clone(r.h.Parts)
	if r.st.Active != nil && r.st.Active.Intent == parts[0].Intent {
		return parts
	}
	slices.SortStableFunc(parts, func(a, b Part) int {
		return cmp.Compare(passing(r.def, b), passing(r.def, a))
	})
	return parts
}

// passing is 1 for a part that is answered in passing, else 0.
func passing(def *config.Agent, p Part) int {
	if in := def.Intent(p.Intent); in != nil && in.AnswerOnly {
		return 1
	}
	return 0
}

// within are the values that stand in a part of the message.
func within(values []Value, p Part) []Value {
	var out []Value
	for _, v := range values {
		if v.Start >= p.Start && v.End <= p.End {
			out = append(out, v)
		}
	}
	return out
}

// queue puts an intent behind the task under way. Its values wait in its frame, whatever
// their scope: they must not change what is being done.
func (r *reading) queue(in *config.Intent, values []Value) {
	st := r.st
	f := &Frame{
		ID: st.frameID(in.ID), Intent: in.ID, Version: r.def.Hash,
		Answer: in.AnswerOnly, Queued: true, Params: map[string]*Cell{},
	}
	for _, group := range spans(values) {
		if v, p := r.choose(in, group); p != nil && in.Param(p.Name) != nil {
			if ok, _ := accepts(p, v.Value, st.env(in)); ok {
				f.Params[p.Name] = &Cell{Value: v.Value, Turn: st.Turn, At: st.Now, Source: v.Source}
			}
		}
	}
	st.Suspended = append(st.Suspended, f)
}

// begin makes a new frame the active one. Session params that the task uses are there
// already; those of param_mapping's context are taken over.
func (st *State) begin(in *config.Intent, def *config.Agent) {
	st.Active = &Frame{ID: st.frameID(in.ID), Intent: in.ID, Version: def.Hash, Answer: in.AnswerOnly}
	for _, p := range in.AllParams() {
		if c := st.cell(p); c != nil {
			st.prefilled(in, p, c)
			continue
		}
		for _, s := range p.ParamMapping {
			if c := st.Session[s.Key]; s.From == "context" && c != nil {
				st.setCell(p, &Cell{Value: c.Value, Turn: st.Turn, At: st.Now, Source: "context"})
				break
			}
		}
	}
}

// prefilled holds what was known before to the task's own rules (rule 8).
func (st *State) prefilled(in *config.Intent, p *config.Param, c *Cell) {
	if ok, wrong := accepts(p, c.Value, st.env(in)); !ok {
		st.setCell(p, nil)
		st.refused(p, wrong)
	}
}

// clarify offers the best two tasks where they are too close to tell, and where the best
// is neither sure enough to act nor so unlikely that the message is about something else
// (rule 19). A task under way puts its own question again instead.
func (r *reading) clarify() bool {
	if r.st.Open != nil {
		return false
	}
	options := r.eitherOf()
	if len(options) == 0 {
		return false
	}
	r.take(nil) // an order number said along with it is kept
	r.clarifyAgain(options, clarifyResponse(options))
	return true
}

// clarifyResponse words the question for one task or for two.
func clarifyResponse(options []Option) string {
	if len(options) == 1 {
		return "clarify_one"
	}
	return "clarify"
}

// sameOptions says whether the same is offered, in whatever order.
func sameOptions(a, b []Option) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(o Option) bool {
		return !slices.ContainsFunc(b, func(p Option) bool { return p.Value == o.Value })
	})
}

// eitherOf lists what is offered: none, one or two tasks, the best first.
func (r *reading) eitherOf() []Option {
	policy := r.def.Classifier
	if r.h.Confidence < policy.Threshold {
		if r.st.Active != nil {
			return nil
		}
		return r.likely(policy.Reject)
	}
	if best := r.def.Intent(r.h.Intent); best == nil || best.System || !r.close() {
		return nil
	}
	return r.likely(r.h.Ranking[1].Confidence)
}

// likely are the best two tasks, if the first is at least so likely. What the dialogue
// itself understands by a word is not offered: a no to nothing is rather a complaint.
func (r *reading) likely(least float64) []Option {
	var options []Option
	for _, s := range r.h.Ranking {
		in := r.def.Intent(s.Intent)
		if in == nil || in.System || in.ID == r.def.Classifier.Fallback {
			continue
		}
		if len(options) == 0 && s.Confidence < least {
			return nil
		}
		options = append(options, Option{Value: in.ID, Label: title(in)})
		if len(options) == 2 {
			break
		}
	}
	return options
}

// clarifyAgain puts one more round of "A or B?", or offers people after the last one.
func (r *reading) clarifyAgain(options []Option, response string) {
	r.st.Unclear++
	r.st.Open = nil
	if r.st.Unclear > r.def.Policy.ClarifyMax {
		r.st.Unclear = 0
		r.st.Agenda = append(r.st.Agenda, Offer{
			Place:  Place{agenda: true},
			Prompt: render(r.def, r.st, "handoff_offer", nil), kind: AskHandoff,
		})
		return
	}
	prompt := render(r.def, r.st, response, map[string]any{"options": labels(options)})
	r.st.Agenda = append(r.st.Agenda, Choose{Place: Place{agenda: true}, Prompt: prompt, Options: options, kind: AskIntent})
}

// answer deals with questions of the dialogue itself: which intent, which suspended task.
func (r *reading) answer() bool {
	q := r.st.Open
	if q == nil || q.Kind != AskIntent && q.Kind != AskResumeOne {
		return false
	}
	for _, v := range r.h.Values {
		if v.Source == sourceOption {
			r.st.Open, r.picked = nil, true
			r.pick(v.Value)
			return true
		}
	}
	said := strings.ToLower(strings.Trim(r.h.Text, " .!?"))
	for _, o := range q.Options {
		if said == strings.ToLower(o.Label) {
			r.st.Open, r.picked = nil, true
			r.pick(o.Value)
			return true
		}
	}
	return false
}

// picksOption says whether one of the offered choices was found in the message.
func (r *reading) picksOption() bool {
	return slices.ContainsFunc(r.h.Values, func(v Value) bool { return v.Source == sourceOption })
}

// pick goes on with the intent or the suspended frame that was chosen.
func (r *reading) pick(value any) {
	id, _ := value.(string)
	r.st.Open, r.st.Unclear = nil, 0
	for i, f := range r.st.Suspended {
		if f.ID == id {
			r.st.Suspended = append(r.st.Suspended[:i:i], r.st.Suspended[i+1:]...)
			r.st.Suspended = append(r.st.Suspended, f)
			r.st.resume(r.def)
			return
		}
	}
	if in := r.def.Intent(id); in != nil {
		r.interrupt(in)
	}
}
