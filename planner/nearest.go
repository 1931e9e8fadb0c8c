package planner

import (
	"slices"

	"github.com/slotway/slotway/config"
)

// saysSince says whether a day only tells how long something has been so, and the param is not about
// that: "puffed up since tuesday" is no day to come.
func (r *interpreter) saysSince(p *config.Param, v Value) bool {
	before := r.wordsOf(r.between(0, v.Start))
	return v.Source == "builtin" && len(before) > 0 && before[len(before)-1] == "since" &&
		!slices.ContainsFunc(labelWords(p), func(w string) bool { return w == "since" || w == "start" || w == "began" || w == "happened" })
}

// nearest leaves, of params of a task that the same words fit, those that the words around them
// speak for.
func (r *interpreter) nearest(fits []Value) []Value {
	if len(fits) < 2 {
		return fits
	}
	announced := slices.DeleteFunc(slices.Clone(fits), func(v Value) bool { return !v.Cues.Any(cueLabel | cueRole | cueUnit) })
	if len(announced) > 0 {
		return announced
	}
	if instead := slices.DeleteFunc(slices.Clone(fits), func(v Value) bool { return !r.standsIn(v) }); len(instead) > 0 {
		return instead
	}
	env := r.st.env(r.in)
	valid := slices.DeleteFunc(slices.Clone(fits), func(v Value) bool {
		ok, _ := accepts(r.param(r.in, v.Param), v.Value, env)
		return !ok
	})
	if len(valid) == 0 {
		valid = fits
	}
	return r.newest(valid)
}

// newest leaves, of params of the task under way that are all known, the one that was told last,
// where the message takes something back: "no, the 10th".
func (r *interpreter) newest(fits []Value) []Value {
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

// standsIn says whether a value is what its param holds and is denied, or comes in the place of
// one that is: "not Boston, Denver".
func (r *interpreter) standsIn(v Value) bool {
	p := r.param(r.in, v.Param)
	if p == nil {
		return false
	}
	held := r.st.cell(p)
	if v.Cues.Any(cueNegated | cueRemove) {
		return holdsValue(held, v.Value)
	}
	return slices.ContainsFunc(r.msg.Values, func(d Value) bool {
		return d.Param == v.Param && d.Cues.Any(cueNegated|cueRemove) && holdsValue(held, d.Value)
	})
}
