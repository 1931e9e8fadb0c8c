package planner

import (
	"slices"
)

// forgetWords ask to forget a value.
var forgetWords = wordSet("forget_words")

// proposeForget reads "forget that order number" with no task under way: the session forgets the
// value.
func (r *interpreter) proposeForget() []reading {
	if r.st.Active != nil || r.st.Open != nil {
		return nil
	}
	for i := range r.clauses {
		c := &r.clauses[i]
		if len(c.words) == 0 || !slices.ContainsFunc(c.words[:min(3, len(c.words))], func(w string) bool { return forgetWords[w] }) {
			continue
		}
		for name := range r.st.Session {
			p := r.def.Params[name]
			if p == nil || !slices.ContainsFunc(labelWords(p), func(w string) bool { return slices.Contains(c.words, w) }) || !allIn(c.words, forgetWords, forgetFillers, labelWords(p)) {
				continue
			}
			return []reading{{
				Rule: "forget", kind: kindMeta, evidence: 0.95, clauses: only(i) | r.leading(),
				perform: func(r *interpreter) {
					delete(r.st.Session, name)
					delete(r.st.Recent, name)
					if r.st.Ended != nil {
						delete(r.st.Ended.Params, name)
					}
					if r.st.Offered != nil && r.st.Offered.Param == name {
						r.st.Offered = nil
					}
					r.say("forgotten", map[string]any{"label": p.Label})
				},
			}}
		}
	}
	return nil
}

var forgetFillers = wordSet("forget_fillers")

// allIn reports whether every word is in a set.
func allIn(words []string, a, b map[string]bool, c []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !a[w] && !b[w] && !slices.Contains(c, w) })
}
