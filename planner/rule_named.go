package planner

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/config"
)

// changeWords are what people say of a param that is to be different. "Correct" is not
// among them: "that is correct" is a yes.
var changeWords = wordSet("change wrong different fix incorrect edit update modify another mistake mistyped typo misspelled")

// changeReach is how many words a change word and the name of a param may be apart:
// "change it to a different address", "the address is all wrong".
const changeReach = 3

// proposeNamed takes "change the address", said of what is under way without a new value: the
// param is cleared and asked for again (rule 12). "I made a mistake" asks what is wrong.
func (r *hearing) proposeNamed() []Reading {
	if r.in == nil || r.st.Active == nil {
		return nil
	}
	for i := range r.clauses {
		c := &r.clauses[i]
		if c.values != 0 || c.is(ActYes) && !r.reserved() || c.is(ActQuestion) && !c.is(ActCorrect) {
			continue
		}
		p := r.mentioned(c)
		if p == nil || r.bringsValue(p) {
			continue
		}
		e := r.wantsChange(c, p)
		if e == 0 {
			continue
		}
		return []Reading{{
			Rule: "named", kind: kindAnswer, evidence: e, clauses: only(i) | r.leading(),
			perform: func(r *hearing) { r.clear(p) },
		}}
	}
	return nil
}

// forgetWords ask for a value to be forgotten.
var forgetWords = wordSet("forget remove delete clear erase drop")

// proposeForget takes "forget that order number" with nothing under way: the session forgets it.
func (r *hearing) proposeForget() []Reading {
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
			return []Reading{{
				Rule: "forget", kind: kindMeta, evidence: 0.95, clauses: only(i) | r.leading(),
				perform: func(r *hearing) {
					delete(r.st.Session, name)
					r.say("forgotten", map[string]any{"label": p.Label})
				},
			}}
		}
	}
	return nil
}

var forgetFillers = wordSet("that this the my please about you have saved can could")

// allIn says whether every word is one of some.
func allIn(words []string, a, b map[string]bool, c []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !a[w] && !b[w] && !slices.Contains(c, w) })
}

// clear drops a value that is to be different, so that the plan asks for it.
func (r *hearing) clear(p *config.Param) {
	if r.fixed(p) {
		r.again()
		return
	}
	r.st.setCell(p, nil)
	delete(r.st.Active.Attempts, p.Name)
	r.st.undo(r.in, p.Name)
	r.st.Open, r.spoke = nil, true
}

// wantsChange is the evidence that a clause is about a param being different.
func (r *hearing) wantsChange(c *clause, p *config.Param) float64 {
	if q := r.st.Open; q != nil && q.Kind == AskChange {
		return 0.9
	}
	for i, w := range c.words {
		if !changeWords[w] {
			continue
		}
		near := c.words[max(0, i-changeReach):min(len(c.words), i+changeReach+1)]
		if slices.ContainsFunc(near, func(n string) bool {
			return slices.Contains(labelWords(p), n) || slices.Contains(partWords[p.Label], n)
		}) {
			return 0.97
		}
	}
	if c.is(ActCorrect) {
		return c.p(ActCorrect)
	}
	return 0
}

// partWords are the parts that people name of what is asked for whole.
var partWords = map[string][]string{
	"address": {"street", "city", "zip", "postcode", "apartment"},
	"name":    {"surname", "spelling"},
}

// labelWords are the words that a param goes by.
func labelWords(p *config.Param) []string {
	words := wordsOf(p.Label + " " + strings.ReplaceAll(p.Name, "_", " "))
	return slices.DeleteFunc(words, func(w string) bool { return len(w) <= 2 })
}

// mentioned finds the one known param of the task that a clause names: by its label, by a word
// that only its label has, or by a part of it.
func (r *hearing) mentioned(c *clause) *config.Param {
	var found *config.Param
	best := 0
	for _, p := range r.in.AllParams() {
		if r.st.cell(p) == nil {
			continue
		}
		hits := 0
		for _, w := range append(labelWords(p), partWords[p.Label]...) {
			if slices.Contains(c.words, w) {
				hits++
			}
		}
		switch {
		case hits > best:
			found, best = p, hits
		case hits == best:
			found = nil // two are meant equally: neither
		}
	}
	return found
}

func (r *hearing) bringsValue(p *config.Param) bool {
	return slices.ContainsFunc(r.h.Values, func(v Value) bool { return v.Param == p.Name && v.Source != sourceText })
}
