package planner

import (
	"slices"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// A param with list: true of free texts, people or places holds a list whatever was said: "France and
// Spain" are two. At the confirmation "Malta too" adds one and "no Spain" takes one out.

// inItems is the value of a list param: each text of it may name several.
func (r *interpreter) inItems(p *config.Param, v message.Value) any {
	given := listOf(v.Value)
	if v.Source == sourceStructured || v.Source == "context" || !listsText(p) {
		return given
	}
	list := []any{}
	for _, e := range given {
		text, isText := e.(string)
		if !isText {
			list = append(list, e)
			continue
		}
		for _, item := range r.listing(p, text).Items {
			list = append(list, item)
		}
	}
	return list
}

// listOf is a value as a list.
func listOf(v any) []any {
	switch v := v.(type) {
	case []any:
		return v
	case []string:
		list := make([]any, len(v))
		for i, text := range v {
			list[i] = text
		}
		return list
	}
	return []any{v}
}

// listsText reports whether a param takes a list of open texts.
func listsText(p *config.Param) bool {
	kind := p.Type.Builtin
	return p.List && p.Objects == nil && len(p.Type.Patterns) == 0 && (kind == "text" || kind == "person" || kind == "location")
}

// listing cuts a text into the items of a list param. What the author marked as one item is one.
func (r *interpreter) listing(p *config.Param, text string) message.Listing {
	var whole []string
	for _, in := range r.def.Intents {
		for _, e := range in.Examples {
			for _, s := range e.Spans {
				if s.Param == p.Name {
					whole = append(whole, string([]rune(e.Text)[s.Start:s.End]))
				}
			}
		}
	}
	return message.LanguageOf(r.def.Language).Listing(text, whole)
}

// proposeListing reads what is added to a list of texts, or taken out of it, once it is known.
func (r *interpreter) proposeListing() []reading {
	if r.in == nil || r.st.Active == nil {
		return nil
	}
	rest, of := r.rest()
	if rest == "" { // "no Malta"
		of = r.allClauses()
	}
	if of == 0 {
		return nil
	}
	at, from := of.members(), 0
	if at[0] > 0 {
		from = r.clauses[at[0]-1].End
	}
	rest = r.between(from, r.clauses[at[len(at)-1]].End) // with its "also", which no clause has
	if slices.ContainsFunc(of.members(), func(i int) bool { return r.clauses[i].is(message.ActQuestion) }) {
		return nil
	}
	var out []reading
	for p := range r.in.EachParam {
		held, known := valueList(r.st.cell(p))
		if !known || !listsText(p) || p == r.asked {
			continue
		}
		l := r.listing(p, rest)
		out = append(out, r.listChanges(p, held, l, of)...)
	}
	if len(out) != 1 {
		return nil // which list is meant?
	}
	return out
}

func (r *interpreter) listChanges(p *config.Param, held []any, l message.Listing, of set) []reading {
	isHeld := func(item string) func(any) bool {
		return func(e any) bool { text, ok := e.(string); return ok && message.Fold(text) == message.Fold(item) }
	}
	knows := func(item string) bool { return slices.ContainsFunc(held, isHeld(item)) }
	takesOut := len(l.Without) > 0 && !slices.ContainsFunc(l.Without, func(item string) bool { return !knows(item) })
	adds := l.Adds && len(l.Items) > 0 && len(l.Without) == 0
	if !takesOut && !adds || !takesOut && shapeOf(p) == "sentence" {
		return nil
	}
	return []reading{{
		Rule: "listing", kind: kindAnswer, evidence: 0.93, clauses: of | r.leading(), values: r.valuesIn(of),
		perform: func(r *interpreter) {
			for _, item := range l.Without {
				held = slices.DeleteFunc(slices.Clone(held), isHeld(item))
			}
			if len(l.Without) > 0 {
				r.keepOnly(p, held)
			}
			if len(l.Items) > 0 {
				r.fill(r.in, p, message.Value{Param: p.Name, Value: l.Items, Source: sourceText})
			}
			r.again()
			r.closeChange()
		},
	}}
}

// keepOnly leaves these elements of a list, or none.
func (r *interpreter) keepOnly(p *config.Param, rest []any) {
	old := r.st.cell(p)
	r.st.setCell(p, nil)
	if len(rest) > 0 {
		r.st.setCell(p, &paramCell{Value: rest, Turn: r.st.Number, At: r.st.Now, Source: old.Source})
	}
	r.st.undo(r.in, p.Name)
	r.filled = true
}
