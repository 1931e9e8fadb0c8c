package source

import (
	"fmt"
	"regexp"
	"strconv"

	"github.com/slotway/slotway/config/naming"
)

// Kind is the kind of a YAML node.
type Kind string

// The kinds of node, in the words of problems.
const (
	KindNull Kind = "nothing"
	KindBool Kind = "true or false"
	KindNum  Kind = "a number"
	KindText Kind = "text"
	KindList Kind = "a list"
	KindMap  Kind = "a map"
)

// Node is one value of a YAML file with its place. Aliases and merges are resolved. All methods
// accept a nil Node, which is nothing at an unknown place.
type Node struct {
	kind    Kind
	text    string // of a scalar, as written
	plain   bool   // a scalar without quotes
	pos     Position
	parent  *Node
	key     string // under which the parent, a map, holds it
	index   int    // in the parent, a list
	items   []*Node
	entries []Entry
	lookup  map[string]*Node
}

// Entry is one key of a map with its value.
type Entry struct {
	Key   string
	Pos   Position // of the key
	Value *Node
}

// Kind returns the node's kind.
func (n *Node) Kind() Kind {
	if n == nil {
		return KindNull
	}
	return n.kind
}

// Pos returns the place where the value starts.
func (n *Node) Pos() Position {
	if n == nil {
		return Position{}
	}
	return n.pos
}

// Path returns the path from the top of the file to the node, such as intents[1].plan; "" for the
// top.
func (n *Node) Path() string {
	switch {
	case n == nil || n.parent == nil:
		return ""
	case n.parent.kind == KindList:
		return fmt.Sprintf("%s[%d]", n.parent.Path(), n.index)
	}
	if p := n.parent.Path(); p != "" {
		return p + "." + n.key
	}
	return n.key
}

// Text returns a scalar as written in the file, "" for any other node. A number that is no JSON
// number, such as 00123, is text.
func (n *Node) Text() string {
	if n == nil {
		return ""
	}
	return n.text
}

// Bare reports whether the node is a scalar without quotes.
func (n *Node) Bare() bool { return n != nil && n.plain }

// Items returns the elements of a list; nil for any other node.
func (n *Node) Items() []*Node {
	if n == nil {
		return nil
	}
	return n.items
}

// Entries returns the entries of a map in file order; nil for any other node. A repeated key
// appears once, with its first value.
func (n *Node) Entries() []Entry {
	if n == nil {
		return nil
	}
	return n.entries
}

// Get returns the value of a key of a map; nil if there is none.
func (n *Node) Get(key string) *Node {
	if n == nil {
		return nil
	}
	return n.lookup[key]
}

// Has reports whether a map holds the key, even with an empty value.
func (n *Node) Has(key string) bool { return n.Get(key) != nil }

// Keys returns the keys of a map in file order.
func (n *Node) Keys() []string {
	var keys []string
	for _, e := range n.Entries() {
		keys = append(keys, e.Key)
	}
	return keys
}

// Number returns the value of a number node.
func (n *Node) Number() (float64, bool) {
	if n.Kind() != KindNum {
		return 0, false
	}
	f, err := strconv.ParseFloat(n.text, 64)
	return f, err == nil
}

// Bool returns the value of a boolean node.
func (n *Node) Bool() (value, ok bool) {
	if n.Kind() != KindBool {
		return false, false
	}
	return n.text == "true", true
}

// Value returns the node as a fresh JSON-normal value.
func (n *Node) Value() any {
	switch n.Kind() {
	case KindBool:
		b, _ := n.Bool()
		return b
	case KindNum:
		f, _ := n.Number()
		return f
	case KindText:
		return n.text
	case KindList:
		out := make([]any, len(n.items))
		for i, item := range n.items {
			out[i] = item.Value()
		}
		return out
	case KindMap:
		out := make(map[string]any, len(n.entries))
		for _, e := range n.entries {
			out[e.Key] = e.Value.Value()
		}
		return out
	}
	return nil
}

// UnknownKeys reports every key of a map that is not allowed, with the nearest allowed one. For a
// node that is neither a map nor empty it reports the kind.
func (n *Node) UnknownKeys(allowed ...string) Problems {
	var ps Problems
	if k := n.Kind(); k != KindMap && k != KindNull {
		ps.Add(n, fmt.Sprintf("is %s, not a map", k), "write keys such as "+naming.JoinOr(allowed))
		return ps
	}
	known := make(map[string]bool, len(allowed))
	for _, key := range allowed {
		known[key] = true
	}
	for _, e := range n.Entries() {
		if !known[e.Key] {
			ps = append(ps, e.Unknown(allowed))
		}
	}
	return ps
}

// Unknown returns the problem of a key that is not allowed, with the nearest allowed one.
func (e Entry) Unknown(allowed []string) Problem {
	return Problem{
		Code: UnknownKey, Pos: e.Pos, Path: e.Value.Path(), Severity: SeverityError,
		Message: fmt.Sprintf("unknown key %q", e.Key), Hint: naming.Suggest(e.Key, allowed),
	}
}

// jsonNumber is the grammar of RFC 8259, section 6: no leading zeros, so that 00123 stays text.
var jsonNumber = regexp.MustCompile(`^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$`)

// maxExact is the limit below which float64 holds every whole number exactly.
const maxExact = 1 << 53

// scalarKind returns the kind of an unquoted scalar. Whole numbers that float64 cannot hold stay
// text.
func scalarKind(text string) Kind {
	switch text {
	case "", "~", "null", "Null", "NULL":
		return KindNull
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return KindBool
	}
	if len(text) > 40 || !jsonNumber.MatchString(text) {
		return KindText
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || (f >= maxExact || f <= -maxExact) {
		return KindText
	}
	return KindNum
}

// TextNode returns a text that comes from no file; origin stands for the file's name.
func TextNode(origin, key, text string) *Node {
	return &Node{kind: KindText, text: text, pos: Position{File: origin}, parent: &Node{kind: KindMap}, key: key}
}

// WithText returns a text node in the node's place.
func (n *Node) WithText(text string) *Node {
	return &Node{kind: KindText, text: text, pos: n.pos, parent: n.parent, key: n.key}
}
