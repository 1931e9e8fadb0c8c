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
func (r *interpreter) proposeNamed() []reading {
	if r.in == nil || r.st.Active == nil {
		return nil
	}
	for i := range r.clauses {
		c := &r.clauses[i]
		if c.values != 0 || c.is(actYes) && !r.reserved() || c.is(actQuestion) && !c.is(actCorrect) {
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
		return []reading{{
			Rule: "named", kind: kindAnswer, evidence: e, clauses: only(i) | r.leading(),
			perform: func(r *interpreter) { r.clear(p) },
		}}
	}
	return nil
}

// clear drops a value that is to be different, so that the plan asks for it.
func (r *interpreter) clear(p *config.Param) {
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
func (r *interpreter) wantsChange(c *clause, p *config.Param) float64 {
	if q := r.st.Open; q != nil && q.Kind == askChange {
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
	if c.is(actCorrect) {
		return c.p(actCorrect)
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
func (r *interpreter) mentioned(c *clause) *config.Param {
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

func (r *interpreter) bringsValue(p *config.Param) bool {
	return slices.ContainsFunc(r.msg.Values, func(v Value) bool { return v.Param == p.Name && v.Source != sourceText })
}
