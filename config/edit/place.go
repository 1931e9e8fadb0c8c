package edit

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/slotway/slotway/config/source"
)

// notServedPrefix begins the ids of the groups under `not_served`.
const notServedPrefix = "not_served."

// find returns the map of an intent in an agent's file; nil if the file has none of that id.
func find(root *source.Node, intent string) *source.Node {
	for _, n := range root.Get("intents").Items() {
		if n.Get("id").Text() == intent {
			return n
		}
	}
	if name, ok := strings.CutPrefix(intent, notServedPrefix); ok {
		for i, n := range root.Get("not_served").Items() {
			if n.Get("name").Text() == name || n.Get("name") == nil && strconv.Itoa(i+1) == name {
				return n
			}
		}
		return nil
	}
	return root.Get("system").Get(intent)
}

// add inserts examples, marked, under an intent of the text.
func (t *text) add(n *source.Node, marked []string) error {
	at := n.Get("examples")
	switch {
	case t.at(n.Pos()) == '{' && at == nil:
		return refuse(n.Pos(), "the intent is written in { }", "write its keys on lines of their own")
	case at == nil:
		return t.addKey(n, marked)
	case at.Kind() == source.KindNull:
		return t.addUnderKey(n, marked)
	case at.Kind() != source.KindList || at.Pos().File != n.Pos().File || at.Pos().Line < n.Pos().Line:
		return refuse(at.Pos(), "the examples are no list of this intent's own", "write them under the intent")
	}
	switch t.at(at.Pos()) {
	case '-':
		t.addItems(at, marked)
		return nil
	case '[':
		return t.addFlow(at, marked)
	}
	return refuse(at.Pos(), "the examples are an alias, or have a tag", "write the list itself under the intent")
}

// addItems appends to a list of lines with a dash.
func (t *text) addItems(list *source.Node, marked []string) {
	column := list.Pos().Column
	items := list.Items()
	t.insert(t.end(items[len(items)-1].Pos().Line, column), itemLines(spaces(column-1), marked))
}

func itemLines(indent string, marked []string) []string {
	lines := make([]string, len(marked))
	for i, m := range marked {
		lines[i] = indent + "- " + Scalar(m)
	}
	return lines
}

// addFlow appends to a list in [ ].
func (t *text) addFlow(list *source.Node, marked []string) error {
	line, offset, comma, empty, ok := t.flowEnd(list.Pos())
	if !ok {
		return refuse(list.Pos(), "the end of the list was not found", "write the examples on lines of their own, each with a dash")
	}
	between := " "
	if line != list.Pos().Line { // one item a line, or a few
		between = t.eol() + t.indentOf(line)
	}
	var b strings.Builder
	for i, m := range marked {
		if !comma && !(empty && i == 0) {
			b.WriteString(",")
		}
		if !(empty && i == 0) {
			b.WriteString(between)
		}
		b.WriteString(Scalar(m))
		comma = false
	}
	l := t.lines[line-1]
	t.lines[line-1] = l[:offset] + b.String() + l[offset:]
	return nil
}

// addUnderKey fills a key `examples:` without a value.
func (t *text) addUnderKey(n *source.Node, marked []string) error {
	for _, e := range n.Entries() {
		if e.Key != "examples" {
			continue
		}
		if !strings.HasPrefix(strings.TrimSpace(string([]rune(t.line(e.Pos.Line))[e.Pos.Column-1:])), "examples:") {
			break
		}
		t.insert(e.Pos.Line, itemLines(spaces(e.Pos.Column+1), marked))
		return nil
	}
	return refuse(n.Pos(), "the key examples was not found", "write it on a line of its own")
}

// heads are the keys behind which a new list of examples goes: the last one that there is.
var heads = []string{"id", "name", "title", "description", "examples_from"}

// addKey adds the key `examples` to an intent without one.
func (t *text) addKey(n *source.Node, marked []string) error {
	var after *source.Entry
	for i, e := range n.Entries() {
		for _, head := range heads {
			if e.Key == head && (after == nil || e.Pos.Line > after.Pos.Line) {
				after = &n.Entries()[i]
			}
		}
	}
	if after == nil {
		return refuse(n.Pos(), "the intent has no key id on a line of its own", "write examples: [] under it")
	}
	column := after.Pos.Column
	lines := append([]string{spaces(column-1) + "examples:"}, itemLines(spaces(column+1), marked)...)
	t.insert(t.end(after.Pos.Line, column+1), lines)
	return nil
}

// addGroup adds a group of requests that are not served.
func (t *text) addGroup(root *source.Node, name string, marked []string) error {
	list := root.Get("not_served")
	indent := "  "
	last := len(t.lines)
	switch {
	case list == nil:
		for last > 1 && strings.TrimSpace(t.line(last)) == "" {
			last--
		}
	case list.Kind() == source.KindList && len(list.Items()) > 0 && t.at(list.Pos()) == '-':
		column := list.Pos().Column
		indent = spaces(column - 1)
		last = t.end(list.Items()[len(list.Items())-1].Pos().Line, column)
	default:
		return refuse(list.Pos(), "not_served is no list of lines with a dash", "write each group on lines of its own")
	}
	lines := append([]string{indent + "- name: " + Scalar(name), indent + "  examples:"}, itemLines(indent+"    ", marked)...)
	if list == nil {
		lines = append([]string{"", "not_served:"}, lines...)
	}
	t.insert(last, lines)
	return nil
}

func refuse(at source.Position, what, remedy string) error {
	return fmt.Errorf("%s: %s; %s", at, what, remedy)
}
