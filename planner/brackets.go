package planner

import "unicode"

// brackets maps opening brackets to closing ones.
var brackets = map[rune]rune{'(': ')', '[': ']', '{': '}'}

// bracketed widens a span of a text by the brackets that belong to it: a pair around it, and one
// whose other half is inside. Clauses leave them out.
func bracketed(text []rune, from, to int) (wideFrom, wideTo int) {
	from, to = min(max(from, 0), len(text)), min(max(to, 0), len(text))
	for from < to {
		left, right := from-1, to
		for left >= 0 && unicode.IsSpace(text[left]) {
			left--
		}
		for right < len(text) && unicode.IsSpace(text[right]) {
			right++
		}
		var closes, after rune // the closing bracket of the one before the span, and the rune behind the span
		if left >= 0 {
			closes = brackets[text[left]]
		}
		if right < len(text) {
			after = text[right]
		}
		missing, extra := unmatched(text[from:to])
		switch {
		case after != 0 && after == missing:
			to = right + 1
		case closes != 0 && closes == extra:
			from = left
		case closes != 0 && closes == after && missing == 0 && extra == 0:
			from, to = left, right+1
		default:
			return from, to
		}
	}
	return from, to
}

// unmatched returns the bracket that would close the last one left open, and the first that
// closes none; 0: there is none.
func unmatched(text []rune) (missing, extra rune) {
	var open []rune
	for _, c := range text {
		if closes, opens := brackets[c]; opens {
			open = append(open, closes)
			continue
		}
		if c != ')' && c != ']' && c != '}' {
			continue
		}
		if n := len(open); n > 0 && open[n-1] == c {
			open = open[:n-1]
		} else if extra == 0 {
			extra = c
		}
	}
	if n := len(open); n > 0 {
		missing = open[n-1]
	}
	return missing, extra
}
