package config

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
)

// bareOf derives the form of a bare reply from patterns that want words around the value, such as
// order (\d{4,8}): the value alone, if it always has a digit. A nil form means that none can be
// derived; needed says whether the author must then write one. A value without a digit could be any
// word, such as "no".
func bareOf(patterns []*regexp.Regexp, example string) (bare *regexp.Regexp, needed bool) {
	var forms []string
	for _, p := range patterns {
		tree, err := syntax.Parse(p.String(), syntax.Perl)
		if err != nil || p.NumSubexp() == 0 {
			continue // its value is the whole match, and so is a bare reply
		}
		value := capture(tree)
		if value == nil || !hasDigit(value) || hasEdge(value) {
			needed = true
			continue
		}
		forms = append(forms, value.String())
	}
	if len(forms) == 0 {
		takes := func(p *regexp.Regexp) bool { return p.NumSubexp() == 0 || example != "" && p.MatchString(example) }
		return nil, needed && !slices.ContainsFunc(patterns, takes)
	}
	return regexp.MustCompile(`^(?:` + strings.Join(forms, "|") + `)$`), false
}

// capture returns the first group of a pattern.
func capture(tree *syntax.Regexp) *syntax.Regexp {
	if tree.Op == syntax.OpCapture {
		return tree.Sub[0]
	}
	for _, sub := range tree.Sub {
		if found := capture(sub); found != nil {
			return found
		}
	}
	return nil
}

// hasDigit reports whether everything that a pattern matches has a digit.
func hasDigit(tree *syntax.Regexp) bool {
	switch tree.Op {
	case syntax.OpLiteral:
		return slices.ContainsFunc(tree.Rune, func(r rune) bool { return r >= '0' && r <= '9' })
	case syntax.OpCharClass:
		return len(tree.Rune) > 0 && tree.Rune[0] >= '0' && tree.Rune[len(tree.Rune)-1] <= '9'
	case syntax.OpConcat:
		return slices.ContainsFunc(tree.Sub, hasDigit)
	case syntax.OpAlternate:
		return !slices.ContainsFunc(tree.Sub, func(sub *syntax.Regexp) bool { return !hasDigit(sub) })
	case syntax.OpPlus, syntax.OpCapture:
		return hasDigit(tree.Sub[0])
	case syntax.OpRepeat:
		return tree.Min > 0 && hasDigit(tree.Sub[0])
	}
	return false
}

// hasEdge reports whether a pattern tests the characters around its match.
func hasEdge(tree *syntax.Regexp) bool {
	switch tree.Op {
	case syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return true
	}
	return slices.ContainsFunc(tree.Sub, hasEdge)
}
