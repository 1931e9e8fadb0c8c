package planner

import (
	"slices"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// saysSince reports whether a day only says since when something has been so, and the param does
// not ask that: "puffed up since tuesday" is no date of a visit.
func (r *interpreter) saysSince(p *config.Param, v message.Value) bool {
	before := r.wordsOf(r.between(0, v.Start))
	return v.Source == "builtin" && len(before) > 0 && before[len(before)-1] == "since" &&
		!slices.ContainsFunc(labelWords(p), func(w string) bool { return beginnings[w] })
}

// nearest reduces several params that the same words fit to those that the words around them
// suggest.
func (r *interpreter) nearest(fits []message.Value) []message.Value {
	if len(fits) < 2 {
		return fits
	}
	announced := slices.DeleteFunc(slices.Clone(fits), func(v message.Value) bool { return !v.Cues.Any(message.CueLabel | message.CueRole | message.CueUnit) })
	if len(announced) > 0 {
		return announced
	}
	if instead := slices.DeleteFunc(slices.Clone(fits), func(v message.Value) bool { return !r.standsIn(v) }); len(instead) > 0 {
		return instead
	}
	env := r.st.env(r.in)
	valid := slices.DeleteFunc(slices.Clone(fits), func(v message.Value) bool {
		ok, _ := accepts(r.param(r.in, v.Param), v.Value, env)
		return !ok
	})
	if len(valid) == 0 {
		valid = fits
	}
	return r.newest(valid)
}

// newest reduces several known params to the one that was given last, if the message takes
// something back: "no, the 10th".
func (r *interpreter) newest(fits []message.Value) []message.Value {
	if len(fits) < 2 || r.in == nil || !r.disagrees() {
		return fits
	}
	best, twice := -1, false
	var turn int64
	for i, v := range fits {
		p := r.in.Param(v.Param)
		if p == nil || r.st.cell(p) == nil {
			return fits
		}
		switch told := r.st.cell(p).Turn; {
		case best < 0 || told > turn:
			best, turn, twice = i, told, false
		case told == turn:
			twice = true
		}
	}
	if twice {
		return fits
	}
	return fits[best : best+1]
}

// standsIn reports whether a value is the known one and denied, or replaces one that is: "not
// Boston, Denver".
func (r *interpreter) standsIn(v message.Value) bool {
	p := r.param(r.in, v.Param)
	if p == nil {
		return false
	}
	held := r.st.cell(p)
	if v.Cues.Any(message.CueNegated | message.CueRemove) {
		return holdsValue(held, v.Value)
	}
	return slices.ContainsFunc(r.msg.Values, func(d message.Value) bool {
		return d.Param == v.Param && d.Cues.Any(message.CueNegated|message.CueRemove) && holdsValue(held, d.Value)
	})
}

// beginnings are words of the labels of days on which something began.
var beginnings = wordSet("beginnings")
