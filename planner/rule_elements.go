package planner

import (
	"cmp"
	"slices"

	"github.com/slotway/slotway/config"
)

// placed is an element that a message speaks of.
type placed struct {
	fields map[string]Value
	wanted []string // fields with a value that may belong to this element or to another one
	at     set      // of its values
}

// cues returns the cues of an element: those of all its values.
func (e *placed) cues() Cues {
	var all Cues
	for _, v := range e.fields {
		all |= v.Cues
	}
	return all
}

// stays is 0 for an element that the message takes out, else 1. What is taken out goes first: it makes
// room, and it may be what the rest replaces.
func (e placed) stays() int {
	if e.cues().Any(cueNegated | cueRemove) {
		return 0
	}
	return 1
}

// openList returns the task whose list of objects is under way or known, and the list: that of the
// element which is asked for, else the only one of the active task.
func (r *interpreter) openList() (*frame, *config.Param) {
	f := r.st.Active
	if f == nil || r.in == nil || len(r.def.Elements) == 0 {
		return nil, nil
	}
	if p := f.list(r.def); p != nil {
		return f.Caller, p
	}
	return f, onlyList(r.in)
}

// onlyList returns the only list of objects of an intent, nil if there is none or more than one.
func onlyList(in *config.Intent) *config.Param {
	var found *config.Param
	for p := range in.EachParam {
		if p.Objects == nil {
			continue
		}
		if found != nil {
			return nil
		}
		found = p
	}
	return found
}

// proposeElements reads what a message says about the elements of a list: those of an answer, one
// more, another value for one that is known, one that is taken out.
func (r *interpreter) proposeElements() []reading {
	caller, p := r.openList()
	if p == nil || r.st.Open != nil && r.st.Open.Kind == askIntent || r.freeText() && !r.asksForElement(p) {
		return nil
	}
	var out []reading
	if x, is := r.listEnd(p); is {
		out = append(out, x)
	}
	var from set
	for _, g := range r.groups() {
		from |= g.at
	}
	elements := r.place(p.Objects, from)
	if len(elements) == 0 {
		return out
	}
	slices.SortStableFunc(elements, func(a, b placed) int { return cmp.Compare(a.stays(), b.stays()) })
	said := saidOfList{caller: caller, p: p, replaces: elements[0].stays() < elements[len(elements)-1].stays()}
	changes := make([]func(*interpreter), 0, len(elements))
	x := reading{Rule: "elements", kind: kindAnswer, evidence: 1}
	for i := range elements {
		if change := r.changeFor(said, &elements[i], i == 0); change != nil {
			changes = append(changes, change)
			x.values |= elements[i].at
		}
	}
	if len(changes) == 0 {
		return out
	}
	x.clauses = r.answeringClauses(x.values)
	x.perform = func(r *interpreter) {
		ls := caller.listOf(p)
		full := ls.Full
		for _, change := range changes {
			change(r)
		}
		ls.Full = full && len(caller.elements(p))+len(ls.Waiting) >= p.Objects.Min
		r.filled = true
		r.again()
		r.closeChange()
	}
	return append(out, x)
}

// saidOfList is the list that a message speaks of.
type saidOfList struct {
	caller   *frame
	p        *config.Param
	replaces bool // the message takes an element out and names another one
}

// changeFor returns what an element of the message does to the list, nil if that is not clear.
func (r *interpreter) changeFor(said saidOfList, e *placed, first bool) func(*interpreter) {
	caller, p := said.caller, said.p
	known := caller.elements(p)
	key, hasKey := e.fields[p.Objects.Key().Name]
	cues := e.cues()
	inElement := r.st.Active != caller
	empty := inElement && len(r.st.Active.Params) == 0
	corrects := !said.replaces && (cues.Has(cueCorrect) || first && r.disagrees())
	if !hasKey {
		switch {
		case inElement && !empty, len(known) == 0:
			return nil // it is for the element that is asked for: proposeValues
		case empty && corrects, !inElement && len(known) == 1:
			return changeElement(p, len(known)-1, e) // "make it three": the last one, or the only one
		}
		return nil
	}
	same := elementsWith(known, key)
	switch {
	case cues.Any(cueNegated | cueRemove):
		if len(same) == 1 {
			return removeElement(p, key)
		}
		return nil
	case inElement && !empty && r.asked != nil && r.isKey(p, r.st.Active, key): // "three pizzas", asked how many
		return fillElement(e)
	case corrects && len(same) == 1 && (empty || !inElement) && len(e.fields) > 1:
		return changeElement(p, same[0], e)
	case corrects && inElement && !empty:
		return nil // the value of the element that is asked for is corrected: proposeValues
	case corrects && len(same) == 0 && len(known) == 1 && !inElement:
		return changeElement(p, 0, e)
	case corrects && !(empty && len(known) == 0):
		return nil
	case empty && first:
		return fillElement(e)
	case empty, said.replaces, r.addsElement(e, len(same) > 0, inElement):
		return addElement(p, e)
	}
	return nil
}

// isKey reports whether a value is that of the first field of an element under way.
func (r *interpreter) isKey(p *config.Param, f *frame, key Value) bool {
	c := f.Params[p.Objects.Key().Name]
	return c != nil && same(c.Value, key.Value)
}

// addsElement reports whether a message beside the question for an element adds one more. Without a
// word that says so, an element that is known already, or one said in the middle of another, may be
// meant as a correction.
func (r *interpreter) addsElement(e *placed, known, inElement bool) bool {
	if slices.ContainsFunc(e.at.members(), func(i int) bool { return r.adds(r.msg.Values[i]) }) {
		return true
	}
	joined := slices.ContainsFunc(r.clauses, func(c clause) bool { return c.values.meets(e.at) && c.Join != "" })
	return joined || !known && !inElement
}

// elementsWith returns the places of the elements with a value of the first field.
func elementsWith(list []any, key Value) []int {
	var at []int
	for i, e := range list {
		if fields, ok := e.(map[string]any); ok && same(fields[key.Param], key.Value) {
			at = append(at, i)
		}
	}
	return at
}

// takeElements gives a task that begins the elements in its message.
func (r *interpreter) takeElements(in *config.Intent, from set) {
	if len(r.def.Elements) == 0 {
		return
	}
	p := onlyList(in)
	if p == nil {
		return
	}
	for _, e := range r.place(p.Objects, from) {
		if _, hasKey := e.fields[p.Objects.Key().Name]; !hasKey || e.cues().Any(cueNegated|cueRemove) {
			continue
		}
		addElement(p, &e)(r)
		r.used |= e.at
	}
}

// endWords are the words that say that a list is complete.
var endWords = wordSet("no nope thats that's that is its it's it all everything nothing else more done finished enough i'm im will be just i am have want thanks thank you please ok okay for now")

// pointsAtEnd are the words before "it" that make it an end: "that's it".
var pointsAtEnd = wordSet("that that's thats")

// ends are those of them that say so alone.
var ends = wordSet("all everything nothing done finished enough no nope")

// listEnd reads "no, that's all" in answer to the question for one more element.
func (r *interpreter) listEnd(p *config.Param) (reading, bool) {
	if !r.asksForElement(p) || len(r.msg.Values) > 0 || len(r.words) == 0 {
		return reading{}, false
	}
	says := false
	for _, w := range r.words {
		if !endWords[w] {
			return reading{}, false
		}
		says = says || ends[w]
	}
	says = says || pointsAtEnd[r.words[0]] && slices.Contains(r.words, "it")
	x := reading{Rule: "list end", Intent: "deny", kind: kindNo, evidence: 1, perform: func(r *interpreter) { r.completeList(p) }}
	for i := range r.clauses {
		x.clauses |= only(i)
	}
	return x, says
}

// asksForElement reports whether the open question is the one for a new element.
func (r *interpreter) asksForElement(p *config.Param) bool {
	f := r.st.Active
	return f != nil && p != nil && f.list(r.def) == p && r.st.Open != nil && r.st.Open.Kind == askParam && r.asked != nil && r.asked.Name == p.Objects.Key().Name && len(f.Params) == 0
}

// mayEndList reports whether a no to the open question completes a list.
func (r *interpreter) mayEndList() (*config.Param, bool) {
	f := r.st.Active
	p := f.list(r.def)
	return p, r.asksForElement(p) && len(f.Caller.elements(p)) >= p.Objects.Min
}

// completeList ends the list under way. Below its least number it says so, and asks again.
func (r *interpreter) completeList(p *config.Param) {
	if _, may := r.mayEndList(); !may {
		r.st.Active.attempt(r.asked.Name)
		if p.Objects.Min > 1 {
			r.refuseElement(p)
		}
		r.spoke = true
		r.again()
		return
	}
	r.st.endList(p)
	r.in, r.asked = r.st.intent(r.def), nil
	r.spoke, r.filled = true, true
}

// unclear reports whether a value would begin or change the element that is asked for, and nothing
// says which of the two is meant: proposeElements reads the values of the first field.
func (r *interpreter) unclear(v Value) bool {
	p := r.st.Active.list(r.def)
	if p == nil || p.Objects.Field(v.Param) == nil || v.Source == sourceText || r.st.Open == nil || r.st.Open.Kind != askParam {
		return false
	}
	key := p.Objects.Key().Name
	switch {
	case r.asksForElement(p):
		return slices.ContainsFunc(r.msg.Values, func(v Value) bool { return v.Param == key && v.Source != sourceText })
	case v.Param != key:
		return false
	case v.Cues.Any(cueNegated | cueRemove):
		return true
	}
	return r.asked != nil && r.asked.Name != v.Param && !r.isKey(p, r.st.Active, v) && !v.Cues.Has(cueCorrect) && !r.disagrees()
}
