package planner

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/slotway/slotway/config"
)

// Ended is the task that was finished last, for what is said after it: "and O-2?", "did it
// work?", "undo that".
type Ended struct {
	Intent  string           `json:"intent"`
	Turn    int64            `json:"turn"` // of its end
	At      time.Time        `json:"at"`
	Outcome string           `json:"outcome"`
	Params  map[string]*Cell `json:"params,omitempty"`
}

// The outcomes of a task. They are stored: append, never rename.
const (
	outcomeDone    = "done"    // carried out, a write among it
	outcomeTold    = "told"    // carried out, and nothing was written
	outcomeFailed  = "failed"  // a call failed for certain
	outcomeUnknown = "unknown" // a write of which nobody knows
)

// followFor is for how many turns a finished task is spoken of.
const followFor = 4

// lately is the task that was finished a few turns ago, or nil.
func (r *hearing) lately() (*Ended, *config.Intent) {
	e := r.st.Ended
	if e == nil || r.st.Turn-e.Turn > followFor || r.def.Intent(e.Intent) == nil {
		return nil, nil
	}
	return e, r.def.Intent(e.Intent)
}

// proposeFollow takes "and O-2?" and "the other one too" after a task as the same about another
// value. What writes asks for its yes as ever.
func (r *hearing) proposeFollow() []Reading {
	e, in := r.lately()
	if e == nil || r.st.Active != nil || r.st.Open != nil && r.st.Open.Kind != AskIntent {
		return nil
	}
	if x, ok := r.otherOffered(in); ok {
		return []Reading{x}
	}
	var values set
	for i, v := range r.h.Values {
		p := in.Param(v.Param)
		if p != nil && v.Source != sourceText && (v.Source != sourceBare || r.isSubject(in, p)) {
			values |= only(i)
		}
	}
	if values == 0 {
		return r.followOther(in)
	}
	of := r.clausesWith(values)
	read := !writes(r.def, in.Plan)
	for i := range r.clauses {
		c := &r.clauses[i]
		if of.has(i) && !followUp(c) && !(read && valueAlone(r, c)) && !(c.is(ActCorrect) || r.disagrees() && r.st.Turn == e.Turn+1) {
			return nil
		}
	}
	return []Reading{{
		Rule: "follow", Intent: in.ID, kind: kindTask, evidence: 0.8, clauses: of | r.context(of), values: values,
		perform: func(r *hearing) {
			r.st.Open = nil
			r.interrupt(in, values)
			r.carry(e, in)
		},
	}}
}

// followOther reads "and another parcel?": the same again, and what it is about is asked for.
func (r *hearing) followOther(in *config.Intent) []Reading {
	for i := range r.clauses {
		c := &r.clauses[i]
		if len(c.words) > 8 || !followUp(c) && !c.is(ActAdd) && !c.is(ActChoose) {
			continue
		}
		if !slices.ContainsFunc(c.words, func(w string) bool { return otherWords[w] }) {
			continue
		}
		return []Reading{{
			Rule: "follow", Intent: in.ID, kind: kindTask, evidence: 0.75, clauses: only(i) | r.context(only(i)),
			perform: func(r *hearing) {
				for _, p := range in.AllParams() {
					if r.isSubject(in, p) {
						r.st.setCellOf(p, nil)
					}
				}
				r.interrupt(in, 0)
			},
		}}
	}
	return nil
}

// carry takes over what the finished task knew and the new one needs, but for what it is about.
func (r *hearing) carry(e *Ended, in *config.Intent) {
	for name, c := range e.Params {
		p := in.Param(name)
		if p == nil || r.st.cell(p) != nil || r.isSubject(in, p) || !memberOf(in.Required, p) && !memberOf(in.Optional, p) {
			continue
		}
		kept := *c
		kept.Turn, kept.At = r.st.Turn, r.st.Now
		r.st.setCell(p, &kept)
	}
}

// followUp says whether a clause asks for the same about something else.
func followUp(c *clause) bool {
	if c.is(ActAdd) || c.Join == "and" || c.Join == "also" {
		return len(c.words) <= 8
	}
	words := c.words
	for len(words) > 1 && (words[0] == "ok" || words[0] == "okay" || words[0] == "well" || words[0] == "so" || words[0] == "hmm") {
		words = words[1:]
	}
	said := strings.Join(words, " ")
	return slices.ContainsFunc(followHeads, func(h string) bool { return strings.HasPrefix(said, h+" ") })
}

var followHeads = []string{"and", "what about", "how about", "and what about", "also", "same for", "the same for", "do the same for", "or", "then"}

// valueAlone says whether a clause is nothing but its values.
func valueAlone(r *hearing, c *clause) bool {
	covered := 0
	for _, v := range r.valuesOf(c.values) {
		covered = max(covered, len(wordsOf(v.Text)))
	}
	return len(c.words) <= covered+1
}

// otherOffered reads "the other one too": of what was offered before, what was not chosen; or
// what of it the message names.
func (r *hearing) otherOffered(in *config.Intent) (Reading, bool) {
	o := r.st.Offered
	if o == nil || in.Param(o.Param) == nil || r.st.Turn-o.Turn > followFor+2 {
		return Reading{}, false
	}
	left := slices.DeleteFunc(slices.Clone(o.Options), func(x Option) bool { return slices.ContainsFunc(o.Taken, func(v any) bool { return same(v, x.Value) }) })
	q := &Question{Kind: AskChoice, Param: o.Param, Options: left}
	for i := range r.clauses {
		c := &r.clauses[i]
		if !c.is(ActAdd) && !c.is(ActChoose) && !followUp(c) {
			continue
		}
		picked, _ := r.sharing(q, c)
		if slices.Contains(c.words, "other") && len(left) == 1 {
			picked = left
		}
		if len(picked) != 1 {
			continue
		}
		v := Value{Param: o.Param, Value: picked[0].Value, Text: picked[0].Label, Source: sourceOption}
		return Reading{
			Rule: "follow", Intent: in.ID, kind: kindTask, evidence: 0.85, clauses: only(i) | r.context(only(i)),
			perform: func(r *hearing) {
				o.Taken = append(o.Taken, v.Value)
				r.interrupt(in, 0)
				r.fill(in, in.Param(o.Param), v)
			},
		}, true
	}
	return Reading{}, false
}

// Offered is what was offered last, and what of it was taken.
type Offered struct {
	Param   string   `json:"param"`
	Options []Option `json:"options"`
	Taken   []any    `json:"taken,omitempty"`
	Turn    int64    `json:"turn"`
}

// offered keeps what a choice offered.
func (st *State) offered(q *Question) {
	if q.Param != "" && len(q.Options) <= mostMembers {
		st.Offered = &Offered{Param: q.Param, Options: q.Options, Turn: st.Turn}
	}
}

// proposeOutcome reads "did it work?", "is it done?" after a task.
func (r *hearing) proposeOutcome() []Reading {
	x := Reading{Rule: "outcome", kind: kindAside}
	why := false
	for i := range r.clauses {
		c := &r.clauses[i]
		if c.is(ActOutcome) {
			x.evidence = max(x.evidence, c.p(ActOutcome))
			x.clauses |= only(i)
		} else if asksWhy(c.words) {
			x.evidence, why = 0.9, true
			x.clauses |= only(i)
		} else if c.courteous() || c.filler() {
			x.clauses |= only(i)
		}
	}
	e, _ := r.lately()
	failed := r.st.Active != nil && r.st.Active.Failed != ""
	if x.evidence < likely || r.st.Open != nil && !failed || e == nil && !failed || len(r.h.Values) > 0 {
		return nil
	}
	x.perform = func(r *hearing) {
		switch {
		case failed:
			r.say("tool_failed", nil)
		case why:
			r.repeat()
		case e.Outcome == outcomeUnknown:
			r.say("outcome_unknown", nil)
		case e.Outcome == outcomeFailed:
			r.say("outcome_none", nil)
		case e.Outcome == outcomeDone:
			r.say("outcome_done", nil)
		default:
			r.repeat()
		}
		r.spoke = true
	}
	return []Reading{x}
}

// asksWhy says whether words are a bare "why?", "how come", "why not".
func asksWhy(words []string) bool {
	why := false
	for _, w := range words {
		if !whyWords[w] {
			return false
		}
		why = why || w == "why" || w == "come"
	}
	return why
}

var whyWords = wordSet("why not so how come is that but and ok oh")

// proposeUndo reads "undo that" after a task that wrote: its declared inverse begins, or it is
// said that there is none.
func (r *hearing) proposeUndo() []Reading {
	e, in := r.lately()
	x := Reading{Rule: "undo", kind: kindTask}
	for i := range r.clauses {
		c := &r.clauses[i]
		if c.is(ActUndo) {
			x.evidence = max(x.evidence, c.p(ActUndo))
			x.clauses |= only(i)
		} else if c.courteous() || c.filler() || c.any(ActNo, ActHold, ActCorrect) && c.values == 0 {
			x.clauses |= only(i)
		}
	}
	if x.evidence < likely || e == nil || r.st.Active != nil {
		return nil
	}
	x.perform = func(r *hearing) {
		r.st.Open = nil
		if in.Undo == nil || e.Outcome != outcomeDone {
			r.say("undo_impossible", map[string]any{"title": in.Called()})
			return
		}
		r.interrupt(in.Undo, 0)
		for name, c := range e.Params {
			if p := in.Undo.Param(name); p != nil && r.st.cell(p) == nil {
				kept := *c
				r.st.setCell(p, &kept)
			}
		}
	}
	return []Reading{x}
}

// repeatable says whether all writes of a task may be made twice without harm.
func (r *hearing) repeatable(e *Ended) bool {
	in := r.def.Intent(e.Intent)
	if in == nil {
		return false
	}
	ok := true
	config.Walk(in.Plan, func(s *config.Step) {
		if t := r.def.Tools[s.Tool]; s.Kind == config.StepCall && t != nil && t.Effect == config.EffectWrite {
			ok = ok && t.Idempotent
		}
	})
	return ok
}

// beginAgain begins a task that failed once more, with what it knew.
func (r *hearing) beginAgain(e *Ended) {
	in := r.def.Intent(e.Intent)
	if in == nil {
		r.say("nothing_to_resume", nil)
		return
	}
	r.interrupt(in, 0)
	for name, c := range e.Params {
		if p := in.Param(name); p != nil && r.st.cell(p) == nil {
			kept := *c
			r.st.setCell(p, &kept)
		}
	}
}

// ended notes how a task ended, for what is said after it, and what it knew, for "the same as
// before".
func (st *State) ended(def *config.Agent, f *Frame) {
	if f == nil || f.Answer {
		return
	}
	in := def.Intent(f.Intent)
	e := &Ended{Intent: f.Intent, Turn: st.Turn, At: st.Now, Outcome: f.outcome(), Params: maps.Clone(f.Params)}
	if in != nil {
		for _, p := range in.AllParams() {
			if c := st.Session[p.Name]; c != nil && p.Scope == config.ScopeSession {
				if e.Params == nil {
					e.Params = map[string]*Cell{}
				}
				kept := *c
				e.Params[p.Name] = &kept
			}
		}
	}
	st.Ended = e
	for name, c := range f.Params {
		if st.Recent == nil {
			st.Recent = map[string]any{}
		}
		if len(st.Recent) < mostRecent || st.Recent[name] != nil {
			st.Recent[name] = c.Value
		}
	}
}

// mostRecent bounds what is remembered of finished tasks.
const mostRecent = 32

// outcome is how a frame ended.
func (f *Frame) outcome() string {
	switch {
	case f.Unknown:
		return outcomeUnknown
	case f.wrote():
		return outcomeDone
	case f.Broken:
		return outcomeFailed
	}
	return outcomeTold
}

// wrote says whether the task has made a write.
func (f *Frame) wrote() bool {
	for _, m := range f.Done {
		if m == markWrote {
			return true
		}
	}
	return false
}

// unknownFor is how long it is said that nobody knows whether the same was done already.
const unknownFor = 24 * time.Hour

// tellUnknown says, where the task that begins was asked for before with the same values and
// nobody knows how that went, that nobody knows.
func (r *hearing) tellUnknown(in *config.Intent) {
	e := r.st.Ended
	if e == nil || r.st.settled || !in.Policy.ConfirmWrites || e.Intent != in.ID || e.Outcome != outcomeUnknown || r.st.Now.Sub(e.At) > unknownFor {
		return
	}
	for name, c := range e.Params {
		if p := in.Param(name); p != nil {
			if now := r.st.cell(p); now != nil && !same(now.Value, c.Value) {
				return
			}
		}
	}
	r.say("outcome_unknown", nil)
}

// sessionOf are the session params that a task works with.
func (st *State) sessionOf(in *config.Intent) map[string]*Cell {
	out := map[string]*Cell{}
	for _, p := range in.AllParams() {
		if c := st.Session[p.Name]; c != nil && p.Scope == config.ScopeSession {
			kept := *c
			out[p.Name] = &kept
		}
	}
	return out
}
