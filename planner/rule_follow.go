package planner

import (
	"slices"
	"strings"
	"time"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// followFor is for how many turns follow-ups refer to a finished task.
const followFor = 4

// proposeFollow reads "and O-2?" and "the other one too" after a task as the same task for another
// value. Alone, only a read's subject is one, an id: any other word does not ask for the task again. A
// write is confirmed as always.
func (r *interpreter) proposeFollow() []reading {
	e, in := r.lately()
	if e == nil || r.st.Active != nil || r.st.Open != nil && r.st.Open.Kind != askIntent {
		return nil
	}
	if x, ok := r.otherOffered(in); ok {
		return []reading{x}
	}
	values := r.valuesAgain(in)
	if values == 0 {
		return r.followOther(in)
	}
	of := r.clausesWith(values)
	read := !r.def.Writes(in)
	for i := range r.clauses {
		c := &r.clauses[i]
		if of.has(i) && !followUp(c) && !(read && r.subjectAlone(in, c)) && !(c.is(message.ActCorrect) || r.disagrees() && r.st.Number == e.Turn+1) {
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

// valuesAgain returns the positions of the values with which a finished task can be done again.
func (r *interpreter) valuesAgain(in *config.Intent) set {
	var values set
	for i, v := range r.msg.Values {
		p := in.Param(v.Param)
		if p != nil && v.Source != sourceText && (v.Source != sourceBare || r.isSubject(in, p)) {
			values |= only(i)
		}
	}
	return values
}

// followOther reads "and another parcel?": the same task again. It asks for the new subject.
func (r *interpreter) followOther(in *config.Intent) []reading {
	for i := range r.clauses {
		c := &r.clauses[i]
		if len(c.words) > 8 || !followUp(c) && !c.is(message.ActAdd) && !c.is(message.ActChoose) {
			continue
		}
		if !slices.ContainsFunc(c.words, func(w string) bool { return otherWords[w] }) {
			continue
		}
		return []reading{{
			Rule: "follow", Intent: in.ID, kind: kindTask, evidence: 0.75, clauses: only(i) | r.context(only(i)),
			perform: func(r *interpreter) {
				for p := range in.EachParam {
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

// carry copies the values that the new task needs from the finished one, except for its subject.
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

// followUp reports whether a clause asks for the same about something else.
func followUp(c *clause) bool {
	if c.any(message.ActAdd, message.ActSame) || c.Join == "and" || c.Join == "also" || c.Join == "then" {
		return len(c.words) <= 8
	}
	words := c.words
	for len(words) > 1 && followFillers[words[0]] {
		words = words[1:]
	}
	said := strings.Join(words, " ")
	return slices.ContainsFunc(followHeads, func(h string) bool { return strings.HasPrefix(said, h+" ") })
}

var followHeads = phrases("follow")

// followFillers may stand before what follows.
var followFillers = wordSet("follow_fillers")

// valueAlone reports whether a clause is nothing but its values.
func valueAlone(r *interpreter, c *clause) bool { return len(c.words) <= valueWords(r, c)+1 }

// valueWords returns how many words the longest value of a clause has.
func valueWords(r *interpreter, c *clause) int {
	covered := 0
	for _, v := range r.valuesOf(c.values) {
		covered = max(covered, len(wordsOf(v.Text)))
	}
	return covered
}

// subjectAlone reports whether a clause is nothing but the subject of a task.
func (r *interpreter) subjectAlone(in *config.Intent, c *clause) bool {
	other := func(v message.Value) bool {
		p := in.Param(v.Param)
		return p == nil || !r.isSubject(in, p)
	}
	return valueAlone(r, c) && !slices.ContainsFunc(r.valuesOf(c.values), other)
}

// otherOffered reads "the other one too": an option of the last offer that was not chosen, or one
// that the message names.
func (r *interpreter) otherOffered(in *config.Intent) (reading, bool) {
	o := r.st.Offered
	if o == nil || in.Param(o.Param) == nil || r.st.Number-o.Turn > followFor+2 {
		return reading{}, false
	}
	left := slices.DeleteFunc(slices.Clone(o.Options), func(x Option) bool { return slices.ContainsFunc(o.Taken, func(v any) bool { return same(v, x.Value) }) })
	q := &openQuestion{Kind: askChoice, Param: o.Param, Options: left}
	for i := range r.clauses {
		c := &r.clauses[i]
		if !c.is(message.ActAdd) && !c.is(message.ActChoose) && !followUp(c) {
			continue
		}
		picked, _ := r.sharing(q, c)
		if slices.Contains(c.words, "other") && len(left) == 1 {
			picked = left
		}
		if len(picked) != 1 {
			continue
		}
		v := message.Value{Param: o.Param, Value: picked[0].Value, Text: picked[0].Label, Source: sourceOption}
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

// offeredChoice holds the options of the last choice, and the chosen ones.
type offeredChoice struct {
	Param   string   `json:"param"`
	Options []Option `json:"options"`
	Taken   []any    `json:"taken,omitempty"`
	Turn    int64    `json:"turn"`
}

// offered stores the options of a choice.
func (st *Turn) offered(q *openQuestion) {
	if q.Param != "" && len(q.Options) <= mostMembers {
		st.Offered = &offeredChoice{Param: q.Param, Options: q.Options, Turn: st.Number}
	}
}

// mostRecent limits how many values of finished tasks are remembered.
const mostRecent = 32

// unknownFor is how long a repeated task mentions that the outcome of the first one is unknown.
const unknownFor = 24 * time.Hour
