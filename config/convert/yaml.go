package convert

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/edit"
)

// doc is a map of YAML whose keys keep their order. Keys with an empty value are left out.
type doc []entry

// entry is a key with its value: a text, a bool, a number, names, verbatim, lines, a list of texts, examples or
// docs, a doc, or any JSON value. What a person must decide and notes stand above it.
type entry struct {
	key   string
	value any
	open  []Open
	note  string
}

// The forms that a list or a text may have.
type (
	names    []string // in one line
	verbatim string   // in single quotes
	block    []string // lines of one text
	wordings []string // a text, or a list of several
	whole    struct{ value any }
)

// document writes docs as YAML.
type document struct {
	b   strings.Builder
	err error
}

// comment writes a comment, wrapped.
func (d *document) comment(indent, text string) {
	line := "#"
	for word := range strings.FieldsSeq(text) {
		if len(indent)+len(line)+1+len(word) > 100 && line != "#" {
			d.b.WriteString(indent + line + "\n")
			line = "#"
		}
		line += " " + word
	}
	d.b.WriteString(indent + line + "\n")
}

func (d *document) above(indent string, list []Open, note string) {
	if note != "" {
		d.comment(indent, note)
	}
	for _, o := range list {
		d.comment(indent, "TODO "+o.Text+" ("+o.At.String()+")")
	}
}

// write writes the keys of a map. first is what stands before the first of them: a dash in a list.
func (d *document) write(indent, first string, m doc) {
	for _, e := range m {
		if isEmpty(e.value) {
			continue
		}
		lead := indent
		if first != "" {
			lead, first = first, ""
		} else {
			d.above(indent, e.open, e.note)
		}
		d.b.WriteString(lead + edit.Scalar(e.key) + ":")
		d.value(indent+"  ", e.value)
	}
}

// isEmpty reports whether a value says nothing.
func isEmpty(value any) bool {
	switch v := value.(type) {
	case nil:
		return true
	case whole:
		return v.value == nil
	case doc:
		for _, e := range v {
			if !isEmpty(e.value) {
				return false
			}
		}
		return true
	}
	v := reflect.ValueOf(value)
	return v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0
}

// value writes what stands behind a key; indent is that of the lines below it.
func (d *document) value(indent string, value any) {
	switch v := value.(type) {
	case string:
		d.b.WriteString(" " + edit.Scalar(v) + "\n")
	case verbatim:
		d.b.WriteString(" '" + strings.ReplaceAll(string(v), "'", "''") + "'\n")
	case names:
		quoted := make([]string, len(v))
		for i, name := range v {
			quoted[i] = edit.Scalar(name)
		}
		d.b.WriteString(" [" + strings.Join(quoted, ", ") + "]\n")
	case block:
		d.b.WriteString(" |\n")
		for _, line := range v {
			d.b.WriteString(indent + line + "\n")
		}
	case wordings:
		if len(v) == 1 {
			d.value(indent, v[0])
			return
		}
		d.items(indent, v)
	case []string:
		d.items(indent, v)
	case []verbatim:
		d.b.WriteString("\n")
		for _, text := range v {
			d.b.WriteString(indent + "-")
			d.value(indent, text)
		}
	case []config.Example:
		var texts []string
		for _, e := range v {
			if text, err := edit.Marked(e); err == nil { // Finish has left out the others
				texts = append(texts, text)
			}
		}
		d.items(indent, texts)
	case doc:
		d.b.WriteString("\n")
		d.write(indent, "", v)
	case []listed:
		d.b.WriteString("\n")
		for i, element := range v {
			if element.gap && i > 0 {
				d.b.WriteString("\n")
			}
			d.above(indent, element.open, "")
			if element.plain != "" {
				d.b.WriteString(indent + "- " + edit.Scalar(element.plain) + "\n")
				continue
			}
			d.write(indent+"  ", indent+"- ", element.doc)
		}
	case whole:
		d.value(indent, v.value)
	default:
		data, err := json.Marshal(value)
		if err != nil && d.err == nil {
			d.err = err
		}
		d.b.WriteString(" " + string(data) + "\n")
	}
}

// listed is an element of a list, with what a person must decide about it.
type listed struct {
	doc
	plain string // in place of a map
	gap   bool   // an empty line stands before it
	open  []Open
}

func (d *document) items(indent string, list []string) {
	d.b.WriteString("\n")
	for _, text := range list {
		d.b.WriteString(indent + "- " + edit.Scalar(text) + "\n")
	}
}

// list makes the elements of a list.
func list[T any](elements []T, of func(T) listed) (out []listed) {
	for _, element := range elements {
		out = append(out, of(element))
	}
	return out
}

// args makes a map of arguments; false and 0 are values, too.
func args(list []Arg) (out doc) {
	for _, a := range list {
		out = append(out, entry{key: a.Name, value: whole{a.Value}})
	}
	return out
}
