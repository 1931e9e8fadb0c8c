package convert

import (
	"bytes"
	"reflect"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/edit"
	"github.com/slotway/slotway/config/reference"
)

// doc is a map of YAML whose keys keep their order. Keys with an empty value are left out.
type doc []entry

// entry is a key with its value: a doc, a list of docs or of other values, or whatever JSON has. What a person
// must decide and a note stand above it, as comments.
type entry struct {
	key   string
	value any
	open  []Open
	note  string
}

// listed is an element of a list, with what a person must decide about it.
type listed struct {
	value any
	open  []Open
}

// The forms that a value may have.
type (
	names    []string            // in one line
	wordings []string            // a text, or a list of several
	whole    struct{ value any } // false and 0 are values, too
)

// text writes a doc.
func (d doc) text() (string, error) {
	n, err := node(d)
	if n == nil || err != nil {
		return "", err
	}
	var out bytes.Buffer
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	if err := enc.Encode(n); err != nil {
		return "", err
	}
	return out.String(), nil
}

// node returns a value as YAML has it; nil for one that says nothing.
func node(value any) (*yaml.Node, error) {
	switch v := value.(type) {
	case doc:
		return v.node()
	case []listed:
		n := &yaml.Node{Kind: yaml.SequenceNode}
		for _, element := range v {
			item, err := node(element.value)
			if err != nil {
				return nil, err
			}
			item.HeadComment = comment(element.open, "")
			n.Content = append(n.Content, item)
		}
		return orNone(n), nil
	case names:
		n, err := node([]string(v))
		if n != nil {
			n.Style = yaml.FlowStyle
		}
		return n, err
	case wordings:
		if len(v) == 1 {
			return node(v[0])
		}
		return node([]string(v))
	case []config.Example:
		var texts []string
		for _, e := range v {
			if text, err := edit.Marked(e); err == nil { // Finish has left out the others
				texts = append(texts, text)
			}
		}
		return node(texts)
	case whole:
		if v.value == nil {
			return nil, nil
		}
		n := &yaml.Node{}
		return n, n.Encode(v.value)
	}
	if v := reflect.ValueOf(value); !v.IsValid() || v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0 {
		return nil, nil
	}
	return node(whole{value})
}

func (d doc) node() (*yaml.Node, error) {
	n := &yaml.Node{Kind: yaml.MappingNode}
	for _, e := range d {
		value, err := node(e.value)
		if err != nil {
			return nil, err
		}
		if value != nil {
			key := &yaml.Node{HeadComment: comment(e.open, e.note)}
			key.SetString(e.key)
			n.Content = append(n.Content, key, value)
		}
	}
	return orNone(n), nil
}

func orNone(n *yaml.Node) *yaml.Node {
	if len(n.Content) == 0 {
		return nil
	}
	return n
}

// comment returns what stands above a part, in lines of a readable length.
func comment(list []Open, note string) string {
	var lines []string
	if note != "" {
		lines = append(lines, wrap(note))
	}
	for _, o := range list {
		lines = append(lines, wrap("TODO "+o.Text+" ("+o.At.String()+")"))
	}
	return strings.Join(lines, "\n")
}

// wrap writes a text as comments; a file in it may have any name.
func wrap(text string) string { return reference.Wrap(OneLine(text), "# ", 99) }

// list makes the elements of a list.
func list[T any](elements []T, of func(T) listed) (out []listed) {
	for _, element := range elements {
		out = append(out, of(element))
	}
	return out
}

// named makes the entries of a map.
func named[T any](elements []T, of func(T) entry) (out doc) {
	for _, element := range elements {
		out = append(out, of(element))
	}
	return out
}

// args makes a map of arguments.
func args(list []Arg) doc {
	return named(list, func(a Arg) entry { return entry{key: a.Name, value: whole{a.Value}} })
}
