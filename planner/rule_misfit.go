package planner

import (
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// misfits maps the reasons why something is no value to responses.
var misfits = map[string]string{
	"weekday":  "wrong_weekday",
	"order":    "wrong_order",
	"calendar": "wrong_calendar",
	"modifier": "wrong_modifier",
	"amount":   "wrong_amount",
	"people":   "wrong_people",
	"period":   "wrong_period",
	"unknown":  "not_known_value",
	"half":     "",
}

// proposeMisfit says what is wrong with something that looks like a value but is none: a weekday
// that does not match its date, a date that does not exist. It keeps half a date and time for the
// next message (rule 11 of the values).
func (r *interpreter) proposeMisfit() []reading {
	if r.in == nil || r.st.Active == nil {
		return nil
	}
	for _, v := range r.msg.Wrong {
		p := r.in.Param(v.Param)
		id, known := misfits[v.Wrong]
		if p == nil || !known || r.st.cell(p) != nil && r.asked != p {
			continue
		}
		var of set
		for i := range r.clauses {
			if r.clauses[i].meets(v) {
				of |= only(i)
			}
		}
		rule := "misfit"
		if v.Wrong == "unknown" {
			rule = "no such value" // as far as the words go
		}
		return []reading{{
			Rule: rule, kind: kindAnswer, evidence: 0.86, clauses: of | r.leading(),
			perform: func(r *interpreter) { r.misfit(p, v, id) },
		}}
	}
	return nil
}

func (r *interpreter) misfit(p *config.Param, v message.Value, id string) {
	r.spoke = true
	r.take(r.in, r.allValues())
	if r.st.cell(p) != nil {
		return
	}
	if id == "" {
		if r.st.Halves == nil {
			r.st.Halves = map[string]any{}
		}
		r.st.Halves[p.Name] = v.Value
		r.say("half_value", map[string]any{"value": r.def.Show(p, v.Value)})
		r.again()
		return
	}
	if r.asked == p {
		r.st.Active.attempt(p.Name)
		r.st.note(p.Name, noteUnread)
	}
	if r.asked != p || len(p.Reprompt) == 0 || v.Wrong != "unknown" { // the author's own words come first
		r.say(id, map[string]any{"text": v.Text})
	}
	r.again()
}

// KnownValues returns the params that are known, and the half of a date and time whose other half
// is still missing. The classifier reads the next message with them.
func (st *Turn) KnownValues() map[string]any {
	known := st.Params()
	for name, v := range st.Halves {
		if _, ok := known[name]; !ok {
			known[name] = v
		}
	}
	return known
}
