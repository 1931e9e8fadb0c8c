package planner

import (
	"cmp"
	"slices"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// placed is an element that a message speaks of.
type placed struct {
	fields map[string]message.Value
	wanted []string // fields with a value that may belong to this element or to another one
	at     set      // of its values
}

// cues returns the cues of an element: those of all its values.
func (e *placed) cues() message.Cues {
	var all message.Cues
	for _, v := range e.fields {
		all |= v.Cues
	}
	return all
}

// stays is 0 for an element that the message takes out, else 1. What is taken out goes first: it makes
// room, and it may be what the rest replaces.
func (e placed) stays() int {
	if e.cues().Any(message.CueNegated | message.CueRemove) {
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
		first := i == 0 || elements[i-1].stays() < elements[i].stays()
		if change := r.changeFor(said, &elements[i], first); change != nil {
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
		r.tellOthers(p.Objects, from)
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
	corrects := !said.replaces && (cues.Has(message.CueCorrect) || first && r.disagrees())
	if !hasKey {
		switch {
		case inElement && !empty, len(known) == 0:
			return nil // it is for the element that is asked for: proposeValues
		case empty && (corrects || r.ofThem(e)), !inElement && len(known) == 1:
			return changeElement(p, len(known)-1, e) // "make it three": the last one, or the only one
		}
		return nil
	}
	same := elementsWith(known, key)
	switch {
	case cues.Any(message.CueNegated|message.CueRemove) && !(r.noBefore(key) && (len(e.fields) > 1 || !r.confirming())), len(same) > 0 && len(e.fields) == 1 && r.stopped(key):
		if len(same) == 1 {
			return removeElement(p, key, !said.replaces)
		}
		return nil
	case inElement && !empty && r.asked != nil && r.isKey(p, r.st.Active, key): // "three pizzas", asked how many
		return fillElement(e)
	case corrects && len(same) == 1 && (empty || !inElement) && len(e.fields) > 1:
		return changeElement(p, same[0], e)
	case len(same) > 0 && r.spokenOf(key):
		if len(same) == 1 && len(e.fields) > 1 {
			return changeElement(p, same[0], e) // "the helmet for two days"
		}
		return nil
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

// definite are the words before something that was spoken of.
var definite = wordSet("definite")

// spokenOf reports whether a value is spoken of as one that is known: "the cola" is no other cola.
func (r *interpreter) spokenOf(v message.Value) bool {
	before := r.wordsOf(r.between(0, v.Start))
	return len(before) > 0 && definite[before[len(before)-1]] && !r.adds(v)
}

// noBefore reports whether a no to something else stands before a value: "no the cola" is about the
// cola, "no cola" takes it out.
func (r *interpreter) noBefore(v message.Value) bool {
	before := r.wordsOf(r.between(0, v.Start))
	n := len(before)
	return n > 1 && before[n-2] == "no" && definite[before[n-1]]
}

// stopping are verbs that end a task, or take an element out of its list.
var stopping = wordSet("stopping")

// stopped reports whether a verb that stops stands right before a value: "cancel the cola".
func (r *interpreter) stopped(v message.Value) bool {
	before := r.wordsOf(r.between(0, v.Start))
	if n := len(before); n > 1 && (definite[before[n-1]] || before[n-1] == "my") {
		before = before[:n-1]
	}
	return len(before) > 0 && stopping[before[len(before)-1]]
}

// ofThem reports whether words behind the value of an element say that it is for one that is known:
// "two of them".
func (r *interpreter) ofThem(e *placed) bool {
	for _, v := range e.fields {
		behind := r.wordsOf(r.between(v.End, r.size))
		if len(behind) > 1 && behind[0] == "of" && them[behind[1]] {
			return true
		}
	}
	return false
}

// them are the words for elements that were spoken of.
var them = wordSet("them")

// isKey reports whether a value is that of the first field of an element under way.
func (r *interpreter) isKey(p *config.Param, f *frame, key message.Value) bool {
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
func elementsWith(list []any, key message.Value) []int {
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
		if _, hasKey := e.fields[p.Objects.Key().Name]; !hasKey || e.cues().Any(message.CueNegated|message.CueRemove) {
			continue
		}
		addElement(p, &e)(r)
		r.used |= e.at
	}
	if r.used.meets(from) {
		r.tellOthers(p.Objects, from)
	}
}

// endWords are the words that say that a list is complete.
var endWords = wordSet("end_words")

// pointsAtEnd are the words before "it" that make it an end: "that's it".
var pointsAtEnd = wordSet("points_at_end")

// ends are those of them that say so alone.
var ends = wordSet("ends")

// listEnd reads "no, that's all" in answer to the question for one more element.
func (r *interpreter) listEnd(p *config.Param) (reading, bool) {
	names := slices.ContainsFunc(r.msg.Values, func(v message.Value) bool { return v.Source != sourceText })
	if !r.asksForElement(p) || names || len(r.words) == 0 {
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
func (r *interpreter) unclear(v message.Value) bool {
	p := r.st.Active.list(r.def)
	if p == nil || p.Objects.Field(v.Param) == nil || v.Source == sourceText || r.st.Open == nil || r.st.Open.Kind != askParam {
		return false
	}
	key := p.Objects.Key().Name
	switch {
	case r.asksForElement(p):
		return slices.ContainsFunc(r.msg.Values, func(v message.Value) bool { return v.Param == key && v.Source != sourceText })
	case v.Param != key:
		return r.asked != nil && r.asked.Name != key && r.namesOther(p)
	case v.Cues.Any(message.CueNegated | message.CueRemove):
		return true
	}
	return r.asked != nil && r.asked.Name != v.Param && !r.isKey(p, r.st.Active, v) && !v.Cues.Has(message.CueCorrect) && !r.disagrees()
}

// namesOther reports whether a message names another element than the one that is asked for: its
// values are not for that one.
func (r *interpreter) namesOther(p *config.Param) bool {
	key := p.Objects.Key().Name
	return !r.disagrees() && slices.ContainsFunc(r.msg.Values, func(v message.Value) bool {
		return v.Param == key && v.Source != sourceText && !v.Cues.Has(message.CueCorrect) && !r.isKey(p, r.st.Active, v)
	})
}
