package extract

import "unicode/utf8"

// positions turns byte offsets into code points.
type positions struct {
	text  string
	ascii bool
}

func newPositions(text string) positions {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return positions{text: text}
		}
	}
	return positions{text: text, ascii: true}
}

func (p positions) rune(offset int) int {
	if p.ascii {
		return offset
	}
	return utf8.RuneCountInString(p.text[:offset])
}
