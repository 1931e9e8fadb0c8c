package planner

import (
	"strconv"

	"github.com/slotway/slotway/config"
)

// A list of objects is asked for element by element. Each element is a frame of its own, whose
// params are the fields; its caller is the task that has the list. See rule_elements.go for what a
// message does with elements.

// listState holds the elements of a list of objects that are not complete, and how far the list is.
type listState struct {
	Waiting []waitingElement `json:"waiting,omitempty"` // said, but not complete or not checked yet, in the order said
	Full    bool             `json:"full,omitempty"`    // the user wants no more
	Tell    bool             `json:"tell,omitempty"`    // the list was changed: the reply names it once nothing waits
	Begun   int              `json:"begun,omitempty"`   // elements begun, for the names of their frames
}

// waitingElement is what was said about an element.
type waitingElement struct {
	Fields map[string]*paramCell `json:"fields,omitempty"`
	Wanted []string              `json:"wanted,omitempty"` // fields of which it is not clear what was said
}

// listOf returns the state of a list, which it makes if there is none.
func (f *frame) listOf(p *config.Param) *listState {
	if f.Lists == nil {
		f.Lists = map[string]*listState{}
	}
	if f.Lists[p.Name] == nil {
		f.Lists[p.Name] = &listState{}
	}
	return f.Lists[p.Name]
}

// elements returns the complete elements of a list.
func (f *frame) elements(p *config.Param) []any {
	list, _ := valueList(f.Params[p.Name])
	return list
}

// listed reports whether a list has all its elements. An optional list that is not asked for has
// what was said.
func (pl *planning) listed(p *config.Param) bool {
	ls, n := pl.frame.Lists[p.Name], len(pl.frame.elements(p))
	if ls != nil && len(ls.Waiting) > 0 {
		return false
	}
	return n >= p.Objects.Min && (ls != nil && ls.Full || p.Objects.Max > 0 && n >= p.Objects.Max)
}

// element begins the next element of a list.
func (pl *planning) element(p *config.Param) Step {
	return Run{position: position{marks: pl.marks}, Intent: p.Objects.Element.ID, list: p.Name}
}

// beginElement begins an element with what was said about it.
func (st *Turn) beginElement(s Run) {
	caller := st.Active
	p := st.def.Intent(caller.Intent).Param(s.list)
	ls := caller.listOf(p)
	ls.Begun++
	ls.Full = ls.Full && len(caller.elements(p)) > 0 // the list was emptied, and is asked for anew
	var said waitingElement
	if len(ls.Waiting) > 0 {
		said, ls.Waiting = ls.Waiting[0], ls.Waiting[1:]
	}
	st.keepSession(caller)
	st.Active = &frame{
		ID: caller.ID + "/" + s.list + "/" + strconv.Itoa(ls.Begun), Intent: s.Intent, Version: st.def.Hash,
		Caller: caller, List: s.list, Doubtful: caller.Doubtful, Wanted: said.Wanted,
	}
	caller.Doubtful = false
	in := p.Objects.Element
	for _, field := range p.Objects.Fields {
		if c := said.Fields[field.Name]; c != nil {
			st.setCell(field, c)
			st.prefilled(in, field, c)
			if st.cell(field) == nil {
				st.Active.attempt(field.Name)
			}
		}
	}
}

// list returns the param whose element a frame is, nil if it is none.
func (f *frame) list(def *config.Agent) *config.Param {
	if f == nil || f.List == "" || f.Caller == nil {
		return nil
	}
	in := def.Intent(f.Caller.Intent)
	if in == nil {
		return nil
	}
	p := in.Param(f.List)
	if p == nil || p.Objects == nil || p.Objects.Element.ID != f.Intent {
		return nil
	}
	return p
}

// finishElement adds a complete element to its list.
func (st *Turn) finishElement(p *config.Param) {
	child := st.Active
	value := map[string]any{}
	for _, field := range p.Objects.Fields {
		if c := child.Params[field.Name]; c != nil {
			value[field.Name] = c.Value
		} else if field.Default != nil && !child.skipped(field.Name) {
			value[field.Name] = field.Default
		}
	}
	st.backToCaller()
	if child.Params[p.Objects.Key().Name] != nil {
		st.setElements(p, append(append([]any(nil), st.Active.elements(p)...), value))
	}
	if ls := st.Active.listOf(p); ls.Tell && len(ls.Waiting) == 0 {
		ls.Tell = false
		st.tellCorrection(p, st.Active.elements(p))
	}
}

// setElements replaces the elements of a list, and drops what was derived from them. Below the least
// number the list is asked for again.
func (st *Turn) setElements(p *config.Param, elements []any) {
	in := st.intent(st.def)
	if len(elements) == 0 {
		st.setCell(p, nil)
	} else {
		st.setCell(p, &paramCell{Value: elements, Turn: st.Number, At: st.Now, Source: "context", Checked: true})
	}
	if ls := st.Active.listOf(p); len(elements) < p.Objects.Min {
		ls.Full = false
	}
	st.undo(in, p.Name)
}

// opening returns the question for an element of which nothing is known: that for the list, or that
// for more. It is nil if the frame is no such element, or another field is asked for.
func (pl *planning) opening(p *config.Param) (question string, is bool) {
	list := pl.frame.list(pl.def)
	if list == nil || len(pl.frame.Params) > 0 || p.Name != list.Objects.Key().Name {
		return "", false
	}
	if len(pl.frame.Caller.elements(list)) > 0 {
		return list.Objects.More.Render(pl.env), true
	}
	if list.Prompt == nil {
		return "", false
	}
	return list.Prompt.Render(pl.env), true
}

// endList ends the list whose next element is asked for.
func (st *Turn) endList(p *config.Param) {
	st.backToCaller()
	st.Active.listOf(p).Full = true
}

// eachWaiting calls visit with the values of elements that are not complete.
func (f *frame) eachWaiting(visit func(param string, value any)) {
	for _, ls := range f.Lists {
		for _, e := range ls.Waiting {
			eachCell(e.Fields, visit)
		}
	}
}
