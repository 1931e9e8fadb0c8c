package planner

import (
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/shapes"
)

// sameAs returns the value that "the same" means: that of the param of the same type which this
// task filled last ("same place" for the return of a car), else the value of the last time.
func (r *interpreter) sameAs(p *config.Param, c *clause) (any, bool) {
	before, known := r.st.Recent[p.Name]
	if known && c.hasAny(formerly) {
		return before, true
	}
	var newest *paramCell
	for o := range r.in.EachParam {
		if cell := r.st.cell(o); o != p && cell != nil && sameForm(o, p) && (newest == nil || cell.Turn > newest.Turn) {
			newest = cell
		}
	}
	if newest != nil {
		return newest.Value, true
	}
	return before, known
}

// sameForm reports whether two params take values of one kind. Texts are of one kind if they have
// the same recognisable shape.
func sameForm(a, b *config.Param) bool {
	if a.Type.Name != b.Type.Name {
		return false
	}
	shape := shapeOf(a)
	return a.Type.Builtin != "text" || shape == shapeOf(b) && (shape == shapes.Name || shape == shapes.Address)
}

// formerly are words for the last time.
var formerly = wordSet("formerly")

// proposeSame answers a question with the value of the last time: "the same as before".
func (r *interpreter) proposeSame() []reading {
	if r.asked == nil || r.st.Open.Kind != askParam {
		return nil
	}
	for i := range r.clauses {
		c := &r.clauses[i]
		if !c.is(message.ActSame) {
			continue
		}
		p := r.asked
		before, known := r.sameAs(p, c)
		x := reading{Rule: "same", kind: kindAnswer, evidence: c.p(message.ActSame), clauses: only(i) | r.leading()}
		x.perform = func(r *interpreter) {
			if known {
				r.fill(r.in, p, message.Value{Param: p.Name, Value: before, Source: "context"})
			} else {
				r.say("nothing_before", map[string]any{"label": p.Label})
			}
			r.again()
		}
		return []reading{x}
	}
	return nil
}
