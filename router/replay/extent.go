package replay

import (
	"strings"

	"github.com/slotway/slotway/config/source"
)

// extent finds the bytes of a value in a file, from the position that the parser reports to its
// end. It knows only the usual forms. rewrite checks the result by reading the changed file again.
func extent(src string, pos source.Position) (start, end int, ok bool) {
	start, ok = offset(src, pos)
	if !ok || start >= len(src) {
		return 0, 0, false
	}
	rest := src[start:]
	switch rest[0] {
	case '{', '[':
		end = bracketEnd(rest)
	case '"', '\'':
		end = quoteEnd(rest)
	case '|', '>', '&', '*', '!':
		return 0, 0, false // a text over several lines, an anchor or a tag: by hand
	default:
		if inBlock(src, start) {
			end = blockEnd(rest, pos.Column)
		} else {
			end = plainEnd(rest, inFlow(src[:start]))
		}
	}
	return start, start + end, end > 0
}

// offset returns the byte offset of a line and column. Both count from 1, columns in code points.
func offset(src string, pos source.Position) (int, bool) {
	at := 0
	for line := 1; line < pos.Line; line++ {
		n := strings.IndexByte(src[at:], '\n')
		if n < 0 {
			return 0, false
		}
		at += n + 1
	}
	column := 1
	for i := range src[at:] {
		if column == pos.Column {
			return at + i, true
		}
		column++
	}
	return 0, false
}

// bracketEnd returns the length of a bracket pair with its contents.
func bracketEnd(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"', '\'':
			if i > 0 && !strings.ContainsRune(" ,[{:\n", rune(s[i-1])) {
				continue // an apostrophe within a word
			}
			n := quoteEnd(s[i:])
			if n == 0 {
				return 0
			}
			i += n - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// quoteEnd returns the length of a quoted text with its quotes.
func quoteEnd(s string) int {
	quote := s[0]
	for i := 1; i < len(s); i++ {
		switch {
		case quote == '"' && s[i] == '\\':
			i++
		case s[i] != quote:
		case quote == '\'' && i+1 < len(s) && s[i+1] == '\'':
			i++
		default:
			return i + 1
		}
	}
	return 0
}

// inBlock reports whether a map or list in block style begins here: a dash, or a key that is the
// first thing on its line.
func inBlock(src string, start int) bool {
	line, _, _ := strings.Cut(src[start:], "\n")
	if strings.HasPrefix(line, "- ") {
		return true
	}
	before := src[strings.LastIndexByte(src[:start], '\n')+1 : start]
	first := strings.TrimLeft(before, " -") == ""
	key, _, isKey := strings.Cut(line+" ", ": ")
	return first && isKey && !strings.ContainsAny(key, "#\"'")
}

// blockEnd returns the length of the lines that are indented at least as far as the first, without
// trailing blank lines and comments.
func blockEnd(s string, column int) int {
	end, at := 0, 0
	for i, line := range strings.SplitAfter(s, "\n") {
		text := strings.TrimSpace(line)
		indent := len(line) - len(strings.TrimLeft(line, " "))
		if i > 0 && text != "" && text[0] != '#' && indent < column-1 {
			break
		}
		at += len(line)
		if text != "" && text[0] != '#' {
			end = at - len(line) + len(strings.TrimRight(line, " \r\n"))
		}
	}
	return end
}

// inFlow reports whether a bracket of the line so far is still open.
func inFlow(before string) bool {
	line := before[strings.LastIndexByte(before, '\n')+1:]
	depth := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '"', '\'':
			if n := quoteEnd(line[i:]); n > 0 {
				i += n - 1
			}
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
	}
	return depth > 0
}

// plainEnd returns the length of an unquoted text on one line.
func plainEnd(s string, flow bool) int {
	line, _, _ := strings.Cut(s, "\n")
	if i := strings.Index(line, " #"); i >= 0 {
		line = line[:i]
	}
	if flow {
		if i := strings.IndexAny(line, ",}]"); i >= 0 {
			line = line[:i]
		}
	}
	return len(strings.TrimRight(line, " \r"))
}
