package planner

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// place sorts the values of a message into elements. A part of the message between "and" and commas
// is one element if it has one value of the first field. A value that may belong to two elements
// goes to none: the field is asked for.
func (r *interpreter) place(o *config.Objects, from set) []placed {
	var out []placed
	key := o.Key().Name
	parts := r.partsOf(o, from)
	keys := keysIn(o, parts)
	var doubtful []string
	parts, _ = r.withoutOthers(o, parts)
	for _, part := range parts {
		found, rest := r.placePart(o, part)
		if keys == 1 && len(out)+len(found) == 1 || keys == 0 {
			out = append(out, found...)
			if keys == 0 && len(out) == 0 {
				out = append(out, placed{fields: map[string]message.Value{}})
			}
			if len(out) == 1 {
				rest = r.attach(&out[0], rest)
			}
		} else {
			out = append(out, found...)
		}
		for _, v := range rest {
			doubtful = append(doubtful, v.Param)
		}
	}
	if keys == 1 && len(out) == 1 { // "three, pizza": what stands before the only element is its own, too
		for _, part := range parts {
			if !slices.ContainsFunc(part, func(v message.Value) bool { return v.Param == key }) {
				var rest []string
				for _, v := range r.attach(&out[0], part) {
					rest = append(rest, v.Param)
				}
				doubtful = rest
			}
		}
	}
	for i := range out {
		for _, field := range doubtful {
			if _, has := out[i].fields[field]; !has && keys > 0 {
				out[i].wanted = append(out[i].wanted, field)
			}
		}
	}
	return out
}

// attach gives values to an element that lacks their fields, and returns the others.
func (r *interpreter) attach(e *placed, values []message.Value) (rest []message.Value) {
	for _, v := range values {
		if has, known := e.fields[v.Param]; known && !same(has.Value, v.Value) {
			rest = append(rest, v)
			continue
		}
		e.fields[v.Param] = v
		e.at |= r.positionsOf(v)
	}
	return rest
}

// placePart places the values of one part of a message. With several values of the first field, each
// other value must stand directly before one of them: "2 pizzas 3 colas".
func (r *interpreter) placePart(o *config.Objects, part []message.Value) (found []placed, rest []message.Value) {
	key := o.Key().Name
	n := 0
	for _, v := range part {
		if v.Param == key {
			n++
		}
	}
	var before []message.Value
	for _, v := range part {
		if v.Param != key {
			before = append(before, v)
			continue
		}
		e := placed{fields: map[string]message.Value{key: v}, at: r.positionsOf(v)}
		for _, b := range before {
			if _, has := e.fields[b.Param]; has || n > 1 && strings.TrimSpace(r.between(b.End, v.Start)) != "" {
				rest = append(rest, b)
				continue
			}
			e.fields[b.Param] = b
			e.at |= r.positionsOf(b)
		}
		before = nil
		found = append(found, e)
	}
	if n == 1 {
		return found, append(rest, r.attach(&found[0], before)...)
	}
	return found, append(rest, before...)
}

// positionsOf returns the positions of the values for the same words as a value.
func (r *interpreter) positionsOf(v message.Value) set {
	var at set
	for i, o := range r.msg.Values {
		if o.Source != sourceText && o.Start < v.End && v.Start < o.End {
			at |= only(i)
		}
	}
	return at
}

// partsOf returns the values of the fields, in the parts of the message that "and", commas and the
// ends of sentences separate.
func (r *interpreter) partsOf(o *config.Objects, from set) [][]message.Value {
	var parts [][]message.Value
	end := 0
	for _, group := range spans(r.valuesOf(from)) {
		v, ok := r.fieldOf(o, group)
		if !ok {
			continue
		}
		if len(parts) == 0 || r.separates(r.between(end, v.Start)) {
			parts = append(parts, nil)
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], v)
		end = v.End
	}
	return parts
}

// fieldOf returns the value of a group that is for a field, false if none is, or several are.
func (r *interpreter) fieldOf(o *config.Objects, group []message.Value) (message.Value, bool) {
	var found []message.Value
	for _, v := range group {
		if o.Field(v.Param) == nil || v.Source == sourceText || v.Source == sourceOption || v.Cues.Any(message.CueAsked|message.CueCondition) ||
			v.Source == sourceBare && (r.asked == nil || r.asked.Name != v.Param) {
			continue
		}
		if i := slices.IndexFunc(found, func(f message.Value) bool { return f.Param == v.Param }); i >= 0 {
			if v.End-v.Start > found[i].End-found[i].Start {
				found[i] = v
			}
			continue
		}
		found = append(found, v)
	}
	if len(found) != 1 {
		return message.Value{}, false
	}
	return found[0], true
}

// separates reports whether the words between two values end an element.
func (r *interpreter) separates(between string) bool {
	if strings.ContainsAny(between, ",;.!?&+\n") {
		return true
	}
	joins := strings.Fields(r.def.And([]string{"", ""}))
	return slices.ContainsFunc(r.wordsOf(between), func(w string) bool { return slices.Contains(joins, w) || w == "and" || w == "plus" })
}
