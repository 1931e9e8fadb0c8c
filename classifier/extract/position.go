package extract

import (
	"unicode/utf8"
)

// stride is how many bytes lie between two marks.
const stride = 64

// positions turns byte offsets into code points. It counts once, so that a long message
// with many finds costs no more than its length.
type positions struct {
	text  string
	marks []mark // nil where every byte is a code point
}

// mark is the first code point at or behind a multiple of the stride.
type mark struct{ offset, count int }

func newPositions(text string) positions {
	ascii := true
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			ascii = false
			break
		}
	}
	if ascii {
		return positions{text: text}
	}
	p := positions{text: text, marks: make([]mark, 0, len(text)/stride+1)}
	count := 0
	for i := range text {
		for len(p.marks)*stride <= i {
			p.marks = append(p.marks, mark{i, count})
		}
		count++
	}
	return p
}

func (p positions) rune(offset int) int {
	if p.marks == nil {
		return offset
	}
	k := min(offset/stride, len(p.marks)-1)
	for k > 0 && p.marks[k].offset > offset {
		k--
	}
	m := p.marks[k]
	return m.count + utf8.RuneCountInString(p.text[m.offset:offset])
}
