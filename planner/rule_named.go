package planner

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// changeWords are words about a param that should change. "Correct" is not among them: "that is
// correct" is a yes.
var changeWords = wordSet("change_words")

// changeReach is how many words apart a change word and the name of a param may be: "change it to a
// different address", "the address is all wrong".
const changeReach = 3

// proposeNamed reads "change the address" without a new value: it clears the param and asks for it
// (rule 12). After "I made a mistake" it asks what is wrong.
func (r *interpreter) proposeNamed() []reading {
	if r.in == nil || r.st.Active == nil {
		return nil
	}
	for i := range r.clauses {
		c := &r.clauses[i]
		if c.values != 0 || c.is(message.ActYes) && !r.reserved() || c.any(message.ActQuestion, message.ActNo) && !c.is(message.ActCorrect) {
			continue // "maybe another day" declines; "no, another day" has a clause of its own
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

// clear drops a value, so that the plan asks for it.
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

// wantsChange returns the evidence that a clause wants a param changed.
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
	if c.is(message.ActCorrect) {
		return c.p(message.ActCorrect)
	}
	return 0
}

// partWords are names for parts of a param that is asked for as a whole, by its label.
var partWords = map[string][]string{"address": lexicon.Words("parts_of_address"), "name": lexicon.Words("parts_of_name")}

// labelWords returns the words that name a param.
func labelWords(p *config.Param) []string {
	words := wordsOf(p.Label + " " + strings.ReplaceAll(p.Name, "_", " "))
	return slices.DeleteFunc(words, func(w string) bool { return len(w) <= 2 })
}

// mentioned finds the one known param of the task that a clause names: by its label, by a word that
// only its label has, or by a part of it.
func (r *interpreter) mentioned(c *clause) *config.Param {
	var found *config.Param
	best := 0
	for p := range r.in.EachParam {
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
	return slices.ContainsFunc(r.msg.Values, func(v message.Value) bool { return v.Param == p.Name && v.Source != sourceText })
}
