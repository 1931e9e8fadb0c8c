package llm

import (
	"cmp"
	"reflect"
	"slices"

	"github.com/slotway/slotway/classifier/message"
)

// maxRanking is how many intents a Result ranks.
const maxRanking = 5

// merge lays an intent ("": none) and values over the embedded result, and reports whether
// the values made a difference.
func (r *reading) merge(intent string, values []message.Value) (message.Result, bool) {
	out := r.q.Embedded
	out.Tier = "llm"
	out.Params = slices.Clone(out.Params)
	if intent != "" {
		out.Intent, out.Exact = intent, false
		out.Confidence = max(minConfidence, r.c.agent.Classifier.Threshold)
		out.Ranking = r.ranking(intent, out.Confidence)
	}
	if intent != "" && intent != r.q.Input.Active && !r.answers(values) {
		out.Params = slices.DeleteFunc(out.Params, r.reply)
	}
	added := false
	for _, v := range values {
		if found, told := r.tellApart(&out, v); found {
			added = added || told
			continue
		}
		if !r.fits(&out, v) {
			continue
		}
		out.Params = slices.DeleteFunc(out.Params, func(w message.Value) bool {
			return w.Param == v.Param && w.Source == "text" || r.partOf(w, v)
		})
		out.Params = append(out.Params, v)
		added = true
	}
	slices.SortStableFunc(out.Params, func(a, b message.Value) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End), cmp.Compare(a.Param, b.Param))
	})
	return out, added
}

// ranking puts the intent before the embedded runners-up. They stay so far behind it that the
// planner does not offer a choice: the model was asked to make that choice.
func (r *reading) ranking(intent string, confidence float64) []message.Score {
	limit := max(0, confidence-r.c.agent.Classifier.Ambiguity-0.01)
	out := []message.Score{{Intent: intent, Confidence: confidence}}
	for _, s := range r.q.Embedded.Ranking {
		if s.Intent != intent && len(out) < maxRanking {
			out = append(out, message.Score{Intent: s.Intent, Confidence: min(s.Confidence, limit)})
		}
	}
	return out
}

// answers reports whether one of values is for the open question.
func (r *reading) answers(values []message.Value) bool {
	a := r.q.Input.Asked
	return a != nil && slices.ContainsFunc(values, func(v message.Value) bool { return v.Param == a.Param })
}

// reply reports whether a value is the whole reply to the open question. It is not if the message
// asks for another task: "why do you need it?" is no address.
func (r *reading) reply(v message.Value) bool {
	a := r.q.Input.Asked
	return a != nil && v.Param == a.Param && v.Source == "text"
}

// fits reports whether a value of the model may join those of the embedded classifier. Its param
// must have no value yet, unless it takes several, and its text must not belong to a pattern or a
// choice. Of two readings of free text the shorter one is better.
func (r *reading) fits(out *message.Result, v message.Value) bool {
	p := r.param(out.Intent, v.Param)
	list := p != nil && p.List
	return !slices.ContainsFunc(out.Params, func(w message.Value) bool {
		overlap := v.Start < w.End && w.Start < v.End
		switch {
		case w.Source == "llm":
			return false
		case w.Param == v.Param && w.Source == "text":
			return v.Start == w.Start && v.End == w.End
		case w.Param == v.Param:
			return overlap || !list
		}
		return overlap && firm[w.Source]
	})
}

// firm lists the sources whose finds leave their text to no other value.
var firm = map[string]bool{"pattern": true, "bare": true, "option": true}

// partOf reports whether w is but a part of a longer v: the number in an address.
func (r *reading) partOf(w, v message.Value) bool {
	if a := r.q.Input.Asked; a != nil && a.Param == w.Param {
		return false
	}
	return w.Param != v.Param && (w.Source == "builtin" || w.Source == "enum") &&
		v.Start <= w.Start && w.End <= v.End && w.End-w.Start < v.End-v.Start
}

// tellApart leaves a text that fits several params of one kind to the param that the model names,
// such as the return of two dates. It reports whether the value was found before, and whether other
// params lost the text.
func (r *reading) tellApart(out *message.Result, v message.Value) (found, told bool) {
	at := slices.IndexFunc(out.Params, func(w message.Value) bool {
		return w.Param == v.Param && w.Start == v.Start && w.End == v.End && reflect.DeepEqual(w.Value, v.Value)
	})
	if at < 0 {
		return false, false
	}
	before := len(out.Params)
	if own := out.Params[at]; own.Source == "builtin" || own.Source == "enum" {
		out.Params = slices.DeleteFunc(out.Params, func(w message.Value) bool {
			asked := r.q.Input.Asked != nil && r.q.Input.Asked.Param == w.Param
			return w.Param != own.Param && w.Source == own.Source && w.Start == own.Start && w.End == own.End && !asked
		})
	}
	return true, len(out.Params) < before
}
