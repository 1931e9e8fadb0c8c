package channel

import (
	"strings"
	"unicode"
	"unicode/utf16"
)

// split cuts a text into parts of at most limit UTF-16 units. It cuts at the end of a paragraph, a
// line, a sentence or a word if it can. The result has at least one part.
func split(text string, limit int) []string {
	var parts []string
	for units(text) > limit {
		head := prefix(text, limit)
		if next := text[len(head)]; next == ' ' || next == '\n' {
			head = text[:len(head)+1] // a sentence may end here; the space itself is not sent
		}
		if at := lastBreak(head); at > 0 {
			head = head[:at]
		}
		parts = append(parts, strings.TrimRightFunc(head, unicode.IsSpace))
		text = strings.TrimLeftFunc(text[len(head):], unicode.IsSpace)
	}
	if text != "" || parts == nil {
		parts = append(parts, text)
	}
	return parts
}

// breaks are the ends of paragraphs, lines, sentences and words, the best place to cut first.
var breaks = []string{"\n\n", "\n", ". ", "! ", "? ", " "}

// lastBreak returns the best place to cut in the second half of a text; 0: there is none.
func lastBreak(text string) int {
	for _, b := range breaks {
		if at := strings.LastIndex(text, b) + len(b); at > len(b) && at >= len(text)/2 {
			return at
		}
	}
	return 0
}

// prefix returns the longest prefix of at most limit UTF-16 units that does not cut a character.
func prefix(text string, limit int) string {
	n := 0
	for i, r := range text {
		if n += utf16.RuneLen(r); n > limit && i > 0 {
			return text[:i]
		}
	}
	return text
}

func units(text string) int {
	n := 0
	for _, r := range text {
		n += utf16.RuneLen(r)
	}
	return n
}

// Shorten cuts a title to limit UTF-16 units, the most that a platform shows.
func Shorten(title string, limit int) string {
	if units(title) <= limit {
		return title
	}
	return prefix(title, limit-1) + "…"
}
