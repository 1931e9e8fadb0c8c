package main

import (
	"strings"

	"golang.org/x/text/width"
)

// wrap breaks the lines of text between words, so that none is wider than columns; below one column
// nothing is broken. The parts of a line begin as far in as the line does. A word that is too wide
// for a line, such as an address, stays whole.
func wrap(text string, columns int) string {
	if columns < 1 {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = wrapLine(line, columns)
	}
	return strings.Join(lines, "\n")
}

func wrapLine(line string, columns int) string {
	if columnsOf(line) <= columns {
		return line
	}
	indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
	var out strings.Builder
	at := 0 // columns of the current line; 0: it is not begun
	for word := range strings.FieldsSeq(line) {
		wide := columnsOf(word)
		switch {
		case at == 0:
			out.WriteString(indent)
			at = len(indent)
		case at+1+wide > columns:
			out.WriteString("\n" + indent)
			at = len(indent)
		default:
			out.WriteString(" ")
			at++
		}
		out.WriteString(word)
		at += wide
	}
	return out.String()
}

// columnsOf is how many columns of a terminal a text takes.
func columnsOf(text string) int {
	n := 0
	for _, r := range text {
		n++
		if k := width.LookupRune(r).Kind(); k == width.EastAsianWide || k == width.EastAsianFullwidth {
			n++
		}
	}
	return n
}
