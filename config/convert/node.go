package convert

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Node is a value of a JSON file, with its place. A nil Node is a value that is not there. What a reader takes
// out of it counts as read; [Node.Rest] lists what remains.
type Node struct {
	At    Place
	raw   string // as the file has it
	value any    // a text, a number, a bool; nil for a list or a map
	items []*Node
	kids  map[string]*Node
	read  bool
}

// JSON reads a file. The error names the file and the line.
func (f *Files) JSON(name string) (*Node, error) {
	data, err := f.Read(name)
	if err != nil {
		return nil, err
	}
	f.docs[name], err = ParseJSON(name, data)
	return f.docs[name], err
}

// ParseJSON reads JSON. The error names the file and the line.
func ParseJSON(name string, data []byte) (*Node, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if err := json.Unmarshal(data, new(json.RawMessage)); err != nil { // it bounds the depth, too
		line := 1
		if syntax := new(json.SyntaxError); errors.As(err, &syntax) {
			line += bytes.Count(data[:syntax.Offset], []byte{'\n'})
		}
		return nil, fmt.Errorf("%s:%d: %w", name, line, err)
	}
	p := &nodes{Decoder: json.NewDecoder(bytes.NewReader(data)), data: data, at: Place{File: name, Line: 1}}
	return p.next(), nil
}

// nodes reads the values of a file that is known to be JSON.
type nodes struct {
	*json.Decoder
	data []byte
	end  int // of what was read
	at   Place
}

func (p *nodes) token() json.Token {
	token, _ := p.Token()
	end := int(p.InputOffset())
	p.at.Line += bytes.Count(p.data[p.end:end], []byte{'\n'})
	p.end = end
	return token
}

func (p *nodes) next() *Node {
	begin := p.end
	token := p.token()
	n := &Node{At: p.at}
	defer func() { n.raw = strings.TrimLeft(string(p.data[begin:p.end]), ":, \t\r\n") }()
	switch token {
	case json.Delim('{'):
		n.kids = map[string]*Node{}
		for p.More() {
			key, _ := p.token().(string)
			n.kids[key] = p.next()
		}
		p.token()
	case json.Delim('['):
		for p.More() {
			n.items = append(n.items, p.next())
		}
		p.token()
	default:
		n.value = token
	}
	return n
}

// Get follows keys; nil if one is missing.
func (n *Node) Get(keys ...string) *Node {
	for _, key := range keys {
		if n == nil {
			return nil
		}
		n = n.kids[key]
	}
	return n
}

// Place returns where the value of a key stands, else the node.
func (n *Node) Place(keys ...string) Place {
	if at := n.Get(keys...); at != nil {
		return at.At
	}
	if n == nil {
		return Place{}
	}
	return n.At
}

// Str returns the text of a key; a number as it is written.
func (n *Node) Str(keys ...string) string {
	n = n.Get(keys...)
	if n == nil || n.value == nil {
		return ""
	}
	n.read = true
	return fmt.Sprint(n.value)
}

// Is reports whether a key is true.
func (n *Node) Is(keys ...string) bool {
	n = n.Get(keys...)
	if n == nil {
		return false
	}
	n.read = true
	return n.value == true
}

// Off reports whether a key says that the node is not used.
func (n *Node) Off(key string) bool {
	n = n.Get(key)
	return n != nil && n.value == false
}

// List returns the elements of a key.
func (n *Node) List(keys ...string) []*Node {
	n = n.Get(keys...)
	if n == nil {
		return nil
	}
	n.read = true
	return n.items
}

// Strs returns the texts of a key: a list of them, or one.
func (n *Node) Strs(keys ...string) (texts []string) {
	list := n.List(keys...)
	if one := n.Get(keys...); len(list) == 0 && one != nil {
		list = []*Node{one}
	}
	for _, item := range list {
		if text := item.Str(); text != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

// Done marks all of the node as read.
func (n *Node) Done() {
	if n == nil {
		return
	}
	n.read = true
	for _, item := range n.items {
		item.Done()
	}
	for _, kid := range n.kids {
		kid.Done()
	}
}

// Rest lists what nobody has read, so that nothing is lost in silence. quiet are the keys that say nothing about
// a dialogue.
func (n *Node) Rest(quiet map[string]bool, report *Report) {
	for _, item := range n.items {
		item.Rest(quiet, report)
	}
	for _, key := range slices.Sorted(maps.Keys(n.kids)) {
		kid := n.kids[key]
		switch {
		case quiet[key] || !kid.says(quiet):
		case kid.touched():
			kid.Rest(quiet, report)
		default:
			var text bytes.Buffer
			_ = json.Compact(&text, []byte(kid.raw)) // it was JSON
			outcome := Left
			if strings.ContainsAny(kid.raw[:1], "{[t") { // steps, conditions, messages, what is switched on
				outcome = Lost
			}
			report.Add(kid.At, outcome, strings.ReplaceAll(key, "%", "%%")+" has no counterpart: %s", shorten(text.String()))
		}
	}
}

// touched reports whether a part of the node was read.
func (n *Node) touched() bool {
	if n.read || slices.ContainsFunc(n.items, (*Node).touched) {
		return true
	}
	for _, kid := range n.kids {
		if kid.touched() {
			return true
		}
	}
	return false
}

// says reports whether a node states anything: it is neither empty nor switched off.
func (n *Node) says(quiet map[string]bool) bool {
	if n.Off("isActive") || n.Off("active") || n.Off("enableCodeHookInvocation") {
		return false
	}
	for key, kid := range n.kids {
		if !quiet[key] && kid.says(quiet) {
			return true
		}
	}
	zero := n.value == nil || n.value == "" || n.value == false || n.value == 0.0
	return !zero || slices.ContainsFunc(n.items, func(item *Node) bool { return item.says(quiet) })
}
