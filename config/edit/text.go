package edit

import (
	"strings"
	"unicode"

	"github.com/slotway/slotway/config/source"
)

// text is a file as lines, each with its end.
type text struct{ lines []string }

func newText(data []byte) *text {
	return &text{strings.SplitAfter(string(data), "\n")}
}

func (t *text) String() string { return strings.Join(t.lines, "") }

// eol is the line end of the file.
func (t *text) eol() string {
	if strings.HasSuffix(t.lines[0], "\r\n") {
		return "\r\n"
	}
	return "\n"
}

// line returns a line by its number, without its end; "" beyond the file.
func (t *text) line(number int) string {
	if number < 1 || number > len(t.lines) {
		return ""
	}
	return strings.TrimRight(t.lines[number-1], "\r\n")
}

// at returns the character at a place; 0 beyond the file.
func (t *text) at(p source.Position) rune {
	runes := []rune(t.line(p.Line))
	if p.Column < 1 || p.Column > len(runes) {
		return 0
	}
	return runes[p.Column-1]
}

// insert puts lines behind the line of a number.
func (t *text) insert(after int, lines []string) {
	eol := t.eol()
	added := make([]string, 0, len(lines))
	for _, l := range lines {
		added = append(added, l+eol)
	}
	if last := &t.lines[after-1]; !strings.HasSuffix(*last, "\n") { // the file ends without a line end
		*last += eol
	}
	t.lines = append(t.lines[:after:after], append(added, t.lines[after:]...)...)
}

// end returns the last line of what begins in a line and is indented deeper than column, which counts
// from 1. Blank lines and comments behind it do not belong to it.
func (t *text) end(line, column int) int {
	last := line
	for number := line + 1; number <= len(t.lines); number++ {
		l := t.line(number)
		trimmed := strings.TrimLeft(l, " ")
		if trimmed == "" || strings.HasPrefix(trimmed, "#") {
			continue
		}
		if len(l)-len(trimmed) < column {
			break
		}
		last = number
	}
	return last
}

func spaces(n int) string { return strings.Repeat(" ", n) }

// indentOf returns the indentation of a line.
func (t *text) indentOf(number int) string {
	l := t.line(number)
	return l[:len(l)-len(strings.TrimLeft(l, " "))]
}

// flowEnd finds the place behind the last item of a list in [ ] that begins at p: the line, and the
// offset in it in bytes. comma says whether a comma stands there already, empty that there is no item.
func (t *text) flowEnd(p source.Position) (line, offset int, comma, empty, ok bool) {
	s := &flow{}
	first := len(string([]rune(t.line(p.Line))[:p.Column-1]))
	line, offset, empty = p.Line, first+1, true
	for number := p.Line; number <= len(t.lines); number++ {
		l := t.line(number)
		from := 0
		if number == p.Line {
			from = first
		}
		s.before = ' '
		for i, r := range l[from:] {
			what := s.next(r)
			switch {
			case what == flowClosed:
				return line, offset, comma, empty, true
			case what == flowComment:
			case what == flowToken || what == flowComma:
				line, offset, comma, empty = number, from+i+len(string(r)), what == flowComma, false
			}
			if what == flowComment {
				break
			}
		}
	}
	return 0, 0, false, false, false
}

// flow reads a list in [ ] character by character.
type flow struct {
	depth  int
	quote  rune // within quotes of this kind; 0: not
	escape bool // behind a backslash
	inside bool // within a scalar without quotes
	before rune
}

// What a character of a list in [ ] is.
const (
	flowSpace   = iota
	flowToken   // part of an item
	flowComma   // between two items of the outermost list
	flowComment // the rest of the line is a comment
	flowClosed  // the end of the outermost list
)

func (s *flow) next(r rune) int {
	before := s.before
	s.before = r
	if s.quote != 0 {
		switch {
		case s.escape:
			s.escape = false
		case r == '\\' && s.quote == '"':
			s.escape = true
		case r == s.quote: // '' within '...' closes and opens again
			s.quote = 0
		}
		return flowToken
	}
	switch {
	case unicode.IsSpace(r):
		return flowSpace
	case r == '#' && unicode.IsSpace(before):
		return flowComment
	case (r == '"' || r == '\'') && (!s.inside || before == '\''):
		s.quote, s.inside = r, true
	case r == '[' || r == '{':
		s.depth++
		s.inside = false
		if s.depth == 1 {
			return flowSpace
		}
	case r == ']' || r == '}':
		s.depth--
		if s.depth == 0 {
			return flowClosed
		}
	case r == ',':
		s.inside = false
		if s.depth == 1 {
			return flowComma
		}
	default:
		s.inside = true
	}
	return flowToken
}
