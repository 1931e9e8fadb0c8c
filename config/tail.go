package config

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Tail is the short form of a value: the digits after the letters that all values of a type start
// with, "1002" for M-1002.
type Tail struct {
	Prefix string         // the part of a value before its tail
	Form   *regexp.Regexp // anchored at both ends
}

// longestTail limits the digits of a tail.
const longestTail = 20

// tailOf finds the tail of patterns such as M-\d{4}: letters and dashes, then a limited number of
// digits. nil: they have none, or their prefixes differ.
func tailOf(patterns []*regexp.Regexp, normalize []Normalizer, example string) *Tail {
	prefix, least, most := "", 0, 0
	for _, p := range patterns {
		tree, err := syntax.Parse(p.String(), syntax.Perl)
		if err != nil {
			continue // cannot fail: the pattern was compiled
		}
		if value := capture(tree); value != nil {
			tree = value
		}
		h := tailReader{example: example}
		if !h.read(tree) || h.prefix.Len() == 0 || h.most == 0 {
			continue
		}
		head := cased(h.prefix.String(), h.anyCase, normalize, example)
		switch {
		case prefix == "":
			prefix, least, most = head, h.least, h.most
		case prefix != head:
			return nil
		default:
			least, most = min(least, h.least), max(most, h.most)
		}
	}
	if prefix == "" || least == 0 || most > longestTail {
		return nil
	}
	return &Tail{prefix, regexp.MustCompile(`^[0-9]{` + strconv.Itoa(least) + "," + strconv.Itoa(most) + `}$`)}
}

// cased returns a prefix in the case that values of the type have.
func cased(prefix string, anyCase bool, normalize []Normalizer, example string) string {
	switch {
	case len(example) >= len(prefix) && strings.EqualFold(example[:len(prefix)], prefix):
		return example[:len(prefix)]
	case anyCase && slices.ContainsFunc(normalize, func(n Normalizer) bool { return n.Op == "lower" }):
		return strings.ToLower(prefix)
	}
	return prefix
}

// tailReader reads the prefix of a pattern and counts the digits after it.
type tailReader struct {
	example     string
	prefix      strings.Builder
	anyCase     bool
	least, most int
}

// read reports whether a part of a pattern is a prefix or its digits.
func (r *tailReader) read(tree *syntax.Regexp) bool {
	switch tree.Op {
	case syntax.OpConcat:
		return !slices.ContainsFunc(tree.Sub, func(sub *syntax.Regexp) bool { return !r.read(sub) })
	case syntax.OpCapture:
		return r.read(tree.Sub[0])
	case syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpWordBoundary, syntax.OpEmptyMatch:
		return true
	case syntax.OpLiteral:
		return r.literal(tree)
	case syntax.OpQuest:
		return r.optional(tree.Sub[0])
	case syntax.OpCharClass:
		return r.digits(tree, 1, 1)
	case syntax.OpRepeat:
		return tree.Max > 0 && r.digits(tree.Sub[0], tree.Min, tree.Max)
	}
	return false
}

func (r *tailReader) digits(tree *syntax.Regexp, least, most int) bool {
	r.least, r.most = r.least+least, r.most+most
	return tree.Op == syntax.OpCharClass && hasDigit(tree)
}

func (r *tailReader) literal(tree *syntax.Regexp) bool {
	plain := func(c rune) bool {
		return unicode.IsLetter(c) || c == '-' || c == '_' || c == '/' || c == ' ' || c == '#'
	}
	if r.most > 0 || slices.ContainsFunc(tree.Rune, func(c rune) bool { return !plain(c) }) {
		return false
	}
	r.anyCase = r.anyCase || tree.Flags&syntax.FoldCase != 0
	r.prefix.WriteString(string(tree.Rune))
	return true
}

// optional reads an optional part: the example tells whether the prefix has it.
func (r *tailReader) optional(tree *syntax.Regexp) bool {
	if tree.Op == syntax.OpCharClass && hasDigit(tree) {
		r.most++
		return true
	}
	n := r.prefix.Len()
	if tree.Op != syntax.OpLiteral || len(r.example) <= n || !strings.EqualFold(r.example[:n], r.prefix.String()) {
		return false
	}
	if said := string(tree.Rune); len(r.example) < n+len(said) || !strings.EqualFold(r.example[n:n+len(said)], said) {
		return true
	}
	return r.literal(tree)
}
