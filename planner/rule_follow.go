package planner

import (
	"slices"
	"strings"
	"time"

	"github.com/slotway/slotway/config"
)

// followFor is for how many turns a finished task is spoken of.
const followFor = 4

// proposeFollow takes "and O-2?" and "the other one too" after a task as the same about another
// value. What writes asks for its yes as ever.
func (r *interpreter) proposeFollow() []reading {
	e, in := r.lately()
	if e == nil || r.st.Active != nil || r.st.Open != nil && r.st.Open.Kind != askIntent {
		return nil
	}
	if x, ok := r.otherOffered(in); ok {
		return []reading{x}
	}
	var values set
	for i, v := range r.msg.Values {
		p := in.Param(v.Param)
		if p != nil && v.Source != sourceText && (v.Source != sourceBare || r.isSubject(in, p)) {
			values |= only(i)
		}
	}
	if values == 0 {
		return r.followOther(in)
	}
	of := r.clausesWith(values)
	read := !r.def.Writes(in)
	for i := range r.clauses {
		c := &r.clauses[i]
		if of.has(i) && !followUp(c) && !(read && valueAlone(r, c)) && !(c.is(actCorrect) || r.disagrees() && r.st.Number == e.Turn+1) {
			return nil
		}
	}
	evidence := 0.8
	if c := &r.clauses[0]; len(r.clauses) == 1 && followUp(c) && valueAlone(r, c) {
		evidence = 0.9 // "and paper?"
	}
	return []reading{{
		Rule: "follow", Intent: in.ID, kind: kindTask, evidence: evidence, clauses: of | r.context(of), values: values,
		perform: func(r *interpreter) {
			r.st.Open = nil
			r.interrupt(in, values)
			r.carry(e, in)
		},
	}}
}

// followOther reads "and another parcel?": the same again, and what it is about is asked for.
func (r *interpreter) followOther(in *config.Intent) []reading {
	for i := range r.clauses {
		c := &r.clauses[i]
		if len(c.words) > 8 || !followUp(c) && !c.is(actAdd) && !c.is(actChoose) {
			continue
		}
		if !slices.ContainsFunc(c.words, func(w string) bool { return otherWords[w] }) {
			continue
		}
		return []reading{{
			Rule: "follow", Intent: in.ID, kind: kindTask, evidence: 0.75, clauses: only(i) | r.context(only(i)),
			perform: func(r *interpreter) {
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
func (r *interpreter) carry(e *endedTask, in *config.Intent) {
	for name, c := range e.Params {
		p := in.Param(name)
		if p == nil || r.st.cell(p) != nil || r.isSubject(in, p) || !memberOf(in.Required, p) && !memberOf(in.Optional, p) {
			continue
		}
		kept := *c
		kept.Turn, kept.At = r.st.Number, r.st.Now
		r.st.setCell(p, &kept)
	}
}

// followUp says whether a clause asks for the same about something else.
func followUp(c *clause) bool {
	if c.any(actAdd, actSame) || c.Join == "and" || c.Join == "also" || c.Join == "then" {
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
func valueAlone(r *interpreter, c *clause) bool {
	covered := 0
	for _, v := range r.valuesOf(c.values) {
		covered = max(covered, len(wordsOf(v.Text)))
	}
	return len(c.words) <= covered+1
}

// otherOffered reads "the other one too": of what was offered before, what was not chosen; or
// what of it the message names.
func (r *interpreter) otherOffered(in *config.Intent) (reading, bool) {
	o := r.st.Offered
	if o == nil || in.Param(o.Param) == nil || r.st.Number-o.Turn > followFor+2 {
		return reading{}, false
	}
	left := slices.DeleteFunc(slices.Clone(o.Options), func(x Option) bool { return slices.ContainsFunc(o.Taken, func(v any) bool { return same(v, x.Value) }) })
	q := &openQuestion{Kind: askChoice, Param: o.Param, Options: left}
	for i := range r.clauses {
		c := &r.clauses[i]
		if !c.is(actAdd) && !c.is(actChoose) && !followUp(c) {
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
		return reading{
			Rule: "follow", Intent: in.ID, kind: kindTask, evidence: 0.85, clauses: only(i) | r.context(only(i)),
			perform: func(r *interpreter) {
				o.Taken = append(o.Taken, v.Value)
				r.interrupt(in, 0)
				r.fill(in, in.Param(o.Param), v)
			},
		}, true
	}
	return reading{}, false
}

// Offered is what was offered last, and what of it was taken.
type offeredChoice struct {
	Param   string   `json:"param"`
	Options []Option `json:"options"`
	Taken   []any    `json:"taken,omitempty"`
	Turn    int64    `json:"turn"`
}

// offered keeps what a choice offered.
func (st *Turn) offered(q *openQuestion) {
	if q.Param != "" && len(q.Options) <= mostMembers {
		st.Offered = &offeredChoice{Param: q.Param, Options: q.Options, Turn: st.Number}
	}
}

// mostRecent bounds what is remembered of finished tasks.
const mostRecent = 32

// unknownFor is how long it is said that nobody knows whether the same was done already.
const unknownFor = 24 * time.Hour
