package planner

import (
	"slices"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/phrase"
)

// proposeMore reads one more of the same: "yes, and O-2 too". A task has one subject, so each
// further one becomes a task of its own, behind the one under way.
func (r *interpreter) proposeMore() []reading {
	if r.in == nil || r.st.Active == nil || !slices.ContainsFunc(r.msg.Values, r.adds) {
		return nil
	}
	var out []reading
	for _, g := range r.groups() {
		for _, v := range g.values {
			p := r.in.Param(v.Param)
			if p == nil || p.List || v.Source == sourceText || !r.isSubject(r.in, p) || !r.adds(v) {
				continue
			}
			c := r.st.cell(p)
			if c == nil || same(c.Value, v.Value) || r.asked == p {
				continue
			}
			of := r.clausesWith(g.at)
			out = append(out, reading{
				Rule: "more", kind: kindMore, evidence: 0.93, clauses: of, values: g.at,
				perform: func(r *interpreter) {
					in := r.in
					if in == nil {
						return
					}
					r.queueMore(in, p, []any{v.Value})
					r.say("also", map[string]any{"value": v.Value})
					r.again()
				},
			})
			break
		}
	}
	return out
}

// adds reports whether a value is added to another.
func (r *interpreter) adds(v message.Value) bool {
	if v.Cues.Has(message.CueCorrect) {
		return false
	}
	if v.Cues.Has(message.CueAdd) {
		return true
	}
	for i := range r.clauses {
		if c := &r.clauses[i]; c.meets(v) && c.is(message.ActAdd) {
			return true
		}
	}
	return false
}

// isSubject reports whether a param is the subject of a task, its first required one. Two values of
// the subject are two tasks; two values of any other param are one too many.
func (r *interpreter) isSubject(in *config.Intent, p *config.Param) bool {
	if in == nil || in.Internal { // a part of a task is no task of its own
		return false
	}
	if len(in.Required) > 0 && in.Required[0].Name == p.Name || len(in.OneOf) > 0 && len(in.OneOf[0]) > 0 && in.OneOf[0][0].Name == p.Name {
		return len(p.Type.Patterns) > 0 || p.Type.Bare != nil
	}
	return false
}

// queueMore queues a task of an intent for each value of its subject, with the other values of the
// task under way.
func (r *interpreter) queueMore(in *config.Intent, p *config.Param, values []any) {
	for _, value := range values {
		f := &frame{ID: r.st.frameID(in.ID), Intent: in.ID, Version: r.def.Hash, Queued: true, Params: map[string]*paramCell{}}
		f.Params[p.Name] = &paramCell{Value: value, Turn: r.st.Number, At: r.st.Now, Source: "pattern"}
		r.enqueue(f)
	}
	r.spoke = true
}

// several handles several values for one param: it does the task for each subject, in the order
// said, and asks for one value of any other param.
func (r *interpreter) several(in *config.Intent, p *config.Param, found []message.Value) {
	var distinct []message.Value
	for _, v := range found {
		if !containsValue(distinct, v.Value) {
			distinct = append(distinct, v)
		}
	}
	alternatives := false
	for _, v := range distinct {
		alternatives = alternatives || v.Cues.Has(message.CueCondition)
	}
	if alternatives || in == nil || r.st.Active == nil || !r.isSubject(in, p) {
		r.which(in, p, distinct, alternatives)
		return
	}
	var more []any
	names := []string{phrase.Display(distinct[0].Value)}
	for _, v := range distinct[1:] {
		more = append(more, v.Value)
		names = append(names, phrase.Display(v.Value))
	}
	r.oneByOne(names)
	r.queueMore(in, p, more)
	r.fill(in, p, distinct[0])
}

func containsValue(list []message.Value, value any) bool {
	for _, v := range list {
		if same(v.Value, value) {
			return true
		}
	}
	return false
}
