package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"sort"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// Limits of a YAML file. Aliases count each time they are used, so that a file that refers to
// itself a billion times is refused like any other large one.
const (
	maxYAMLBytes = 8 << 20
	maxYAMLNodes = 500_000
	maxYAMLDepth = 100
)

// Parse reads one YAML document strictly: repeated keys and a second document are problems. name is
// the file's name in problems. The Node is nil only if the text is no YAML; an empty file is a Node
// of KindNull.
func Parse(name string, data []byte) (*Node, Problems) {
	docs, problems := ParseAll(name, data)
	if len(docs) == 0 {
		if problems != nil {
			return nil, problems
		}
		return &Node{kind: KindNull, pos: Position{File: name, Line: 1, Column: 1}}, nil
	}
	if len(docs) > 1 {
		problems.Add(docs[1], "a second document starts here", "remove the --- or put it in a file of its own")
	}
	return docs[0], problems
}

// ParseAll is Parse for a file of several documents, separated by "---". After a syntax error it
// returns the documents before it.
func ParseAll(name string, data []byte) ([]*Node, Problems) {
	if p := badBytes(name, data); p != nil {
		return nil, Problems{*p}
	}
	var docs []*Node
	tree := yamlTree{file: name, lines: bytes.Split(data, []byte("\n")), left: maxYAMLNodes}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	for {
		var doc yaml.Node
		err := decodeYAML(decoder, &doc)
		if errors.Is(err, io.EOF) {
			return docs, tree.problems
		}
		if err != nil {
			return docs, append(tree.problems, syntaxProblem(name, data, err))
		}
		root := &doc
		if doc.Kind == yaml.DocumentNode && len(doc.Content) > 0 {
			root = doc.Content[0]
		}
		docs = append(docs, tree.node(root, place{}, 0))
		if tree.full {
			return docs, tree.problems
		}
	}
}

// decodeYAML turns a panic of the parser, which hostile bytes have caused before
// (CVE-2022-28948), into an error.
func decodeYAML(decoder *yaml.Decoder, into *yaml.Node) (err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("yaml: the text cannot be parsed")
		}
	}()
	return decoder.Decode(into)
}

func badBytes(name string, data []byte) *Problem {
	p := Problem{Code: NotYAML, Pos: Position{File: name, Line: 1, Column: 1}, Severity: SeverityError}
	switch {
	case len(data) > maxYAMLBytes:
		p.Message = fmt.Sprintf("the file has %d bytes, at most %d are allowed", len(data), maxYAMLBytes)
		p.Hint = "split it"
	case bytes.IndexByte(data, 0) >= 0 || !utf8.Valid(data):
		p.Message, p.Hint = "the file is not UTF-8 text", "save it as UTF-8"
		p.Pos.Line, p.Pos.Column = notText(data)
	default:
		return nil
	}
	return &p
}

// notText returns the place of the first NUL byte or byte outside UTF-8.
func notText(data []byte) (line, column int) {
	line, column = 1, 1
	for len(data) > 0 {
		r, n := utf8.DecodeRune(data)
		switch {
		case r == 0, r == utf8.RuneError && n == 1:
			return line, column
		case r == '\n':
			line, column = line+1, 0
		}
		column, data = column+1, data[n:]
	}
	return line, column
}

// syntaxHints are remedies for parts of the parser's messages.
var syntaxHints = []struct{ part, hint string }{
	{"mapping values are not allowed", `indent the line as the one above it, or put text that holds ": " in quotes`},
	{"cannot start any token", "indent with spaces, not tabs, and quote text that starts with @, %, ` or a tab"},
	{"tab character", "indent with spaces, not tabs"},
	{"unknown anchor", "declare it with & above, or quote text that starts with *"},
	{"did not find expected alphabetic", "quote text that starts with * or &"},
	{"unexpected end of stream", "close the quote"},
	{"flow", "close the bracket, and quote text that holds { } [ ] , or ?"},
	{"expected ',' or", "close the bracket, and quote text that holds { } [ ] , or ?"},
	{"expected '-' indicator", "indent the line as those above it"},
	{"did not find expected key", "indent the line as those above it, and quote text that holds a quote, a colon or a bracket"},
	{"could not find expected ':'", `write "key: value", and quote text that spans lines`},
}

var syntaxLine = regexp.MustCompile(`^line (\d+): `)

// faultOf returns what the parser says of a text, without its line; "" if it takes the text.
func faultOf(data []byte) string {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	for {
		var doc yaml.Node
		err := decodeYAML(decoder, &doc)
		switch {
		case errors.Is(err, io.EOF):
			return ""
		case err != nil:
			return syntaxLine.ReplaceAllString(strings.TrimPrefix(err.Error(), "yaml: "), "")
		}
	}
}

// brokenLine returns the line from which on the parser has a fault. Its own line is often that of the block
// or the quote that does not end well.
func brokenLine(data []byte, fault string) int {
	lines := bytes.SplitAfter(data, []byte("\n"))
	ends := make([]int, len(lines))
	for i, at := 0, 0; i < len(lines); i++ {
		at += len(lines[i])
		ends[i] = at
	}
	return 1 + sort.Search(len(ends)-1, func(i int) bool { return faultOf(data[:ends[i]]) == fault })
}

func syntaxProblem(name string, data []byte, err error) Problem {
	text := syntaxLine.ReplaceAllString(strings.TrimPrefix(err.Error(), "yaml: "), "")
	p := Problem{Code: NotYAML, Pos: Position{File: name, Line: brokenLine(data, text), Column: 1}, Severity: SeverityError, Hint: "check the indentation and the quotes around here"}
	for _, h := range syntaxHints {
		if strings.Contains(text, h.part) {
			p.Hint = h.hint
			break
		}
	}
	p.Message = "not valid YAML: " + text
	return p
}

// yamlTree converts the parser's nodes to ours.
type yamlTree struct {
	file     string
	lines    [][]byte
	left     int
	full     bool
	problems Problems
}

// place is the position of a node in the tree. It is known before the node is built, so that
// problems inside the node have a path.
type place struct {
	parent *Node
	key    string
	index  int
}

func (t *yamlTree) node(y *yaml.Node, at place, depth int) *Node {
	n := &Node{kind: KindNull, parent: at.parent, key: at.key, index: at.index}
	n.pos = Position{File: t.file, Line: max(y.Line, 1), Column: max(y.Column, 1)}
	y = target(y)
	if t.left--; t.left < 0 || depth > maxYAMLDepth {
		t.overflow(n)
		return n
	}
	switch y.Kind {
	case yaml.ScalarNode:
		t.scalar(y, n)
	case yaml.SequenceNode:
		n.kind = KindList
		for i, inner := range y.Content {
			n.items = append(n.items, t.node(inner, place{parent: n, index: i}, depth+1))
			if t.full {
				break
			}
		}
	case yaml.MappingNode:
		n.kind, n.lookup = KindMap, make(map[string]*Node, len(y.Content)/2)
		t.mapping(y, n, depth)
	}
	return n
}

// target follows an alias.
func target(y *yaml.Node) *yaml.Node {
	for y.Kind == yaml.AliasNode && y.Alias != nil {
		y = y.Alias
	}
	return y
}

func (t *yamlTree) overflow(n *Node) {
	if !t.full {
		t.full = true
		t.problems.Add(n, fmt.Sprintf("the file is nested deeper than %d or has more than %d values, counting aliases where they are used", maxYAMLDepth, maxYAMLNodes), "remove anchors that contain each other, or split the file")
	}
}

func (t *yamlTree) scalar(y *yaml.Node, n *Node) {
	n.plain = y.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0
	n.kind, n.text = KindText, y.Value
	if !n.plain || y.Style&yaml.TaggedStyle != 0 {
		return
	}
	if line := t.swallowed(y); line > 0 {
		t.problems = append(t.problems, Problem{
			Code: NotYAML, Pos: Position{File: t.file, Line: line, Column: 1}, Path: n.Path(), Severity: SeverityError,
			Message: "the line reads as the rest of the text above it, because it is indented deeper", Hint: "indent it as the item above; a text over several lines begins with |",
		})
	}
	n.kind = scalarKind(y.Value)
	if n.kind == KindBool {
		n.text = strings.ToLower(y.Value)
	}
}

// swallowed returns the line of an item that a plain text above it has taken in; 0: none.
func (t *yamlTree) swallowed(y *yaml.Node) int {
	for i := y.Line; strings.Contains(y.Value, " - ") && i < len(t.lines); i++ {
		words := strings.Fields(string(t.lines[i]))
		switch {
		case len(words) == 0 || !strings.Contains(y.Value, words[0]):
			return 0
		case len(words) > 1 && words[0] == "-" && strings.Contains(y.Value, " - "+words[1]):
			return i + 1
		}
	}
	return 0
}

func (t *yamlTree) mapping(y *yaml.Node, n *Node, depth int) {
	var merges []*yaml.Node
	for i := 0; i+1 < len(y.Content) && !t.full; i += 2 {
		key, value := y.Content[i], y.Content[i+1]
		if key.Kind == yaml.ScalarNode && key.Value == "<<" && key.Style == 0 {
			merges = append(merges, value)
			continue
		}
		pos := Position{File: t.file, Line: key.Line, Column: key.Column}
		key = target(key)
		if key.Kind != yaml.ScalarNode {
			t.problems = append(t.problems, Problem{Code: NotYAML, Pos: pos, Path: n.Path(), Message: "a key must be text", Hint: "quote text that holds { } [ ] or ?", Severity: SeverityError})
			continue
		}
		if first, ok := n.lookup[key.Value]; ok {
			t.problems = append(t.problems, Problem{
				Code: NotYAML, Pos: pos, Path: first.Path(), Severity: SeverityError,
				Message: fmt.Sprintf("key %q is there already, at line %d", key.Value, first.pos.Line), Hint: "remove or rename one of them",
			})
			continue
		}
		t.entry(n, key.Value, pos, value, depth)
	}
	for _, m := range merges {
		t.merge(n, m, depth)
	}
}

func (t *yamlTree) entry(n *Node, key string, pos Position, value *yaml.Node, depth int) {
	inner := t.node(value, place{parent: n, key: key}, depth+1)
	n.entries = append(n.entries, Entry{Key: key, Pos: pos, Value: inner})
	n.lookup[key] = inner
}

// merge adds the entries that "<<" names (https://yaml.org/type/merge.html): a map or a list of
// maps, whose keys yield to existing ones.
func (t *yamlTree) merge(n *Node, y *yaml.Node, depth int) {
	y = target(y)
	if t.left--; t.left < 0 || depth > maxYAMLDepth {
		t.overflow(n)
	}
	if t.full {
		return
	}
	switch y.Kind {
	case yaml.SequenceNode:
		for _, inner := range y.Content {
			t.merge(n, inner, depth+1)
		}
	case yaml.MappingNode:
		for i := 0; i+1 < len(y.Content); i += 2 {
			key := y.Content[i]
			if key.Value == "<<" {
				t.merge(n, y.Content[i+1], depth+1)
			} else if _, ok := n.lookup[key.Value]; !ok && key.Kind == yaml.ScalarNode {
				t.entry(n, key.Value, Position{File: t.file, Line: key.Line, Column: key.Column}, y.Content[i+1], depth)
			}
		}
	default:
		t.problems.Add(n, "<< merges a map or a list of maps only", "write <<: *name of a map")
	}
}
