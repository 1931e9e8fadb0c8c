package message

import (
	"sort"
	"unicode/utf8"
)

// Places turns byte offsets of a text into code points, and back. It counts once, so that a long
// message with many finds costs no more than its length.
type Places struct {
	text  string
	marks []int // the byte of every stride-th code point; nil where every byte is a code point
}

// stride is how many code points lie between two marks.
const stride = 64

// PlacesOf counts the code points of a text.
func PlacesOf(text string) Places {
	p := Places{text: text}
	if isASCII(text) {
		return p
	}
	p.marks = make([]int, 0, len(text)/stride+1)
	points := 0
	for i := range text {
		if points%stride == 0 {
			p.marks = append(p.marks, i)
		}
		points++
	}
	return p
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Point returns the number of code points before a byte.
func (p *Places) Point(at int) int {
	at = min(max(at, 0), len(p.text))
	if p.marks == nil {
		return at
	}
	k := sort.SearchInts(p.marks, at+1) - 1
	return k*stride + utf8.RuneCountInString(p.text[p.marks[k]:at])
}

// Byte returns where a code point begins; the end of the text for one behind it.
func (p *Places) Byte(point int) int {
	point = max(point, 0)
	if p.marks == nil {
		return min(point, len(p.text))
	}
	k := min(point/stride, len(p.marks)-1)
	at := p.marks[k]
	for n := point - k*stride; n > 0 && at < len(p.text); n-- {
		_, size := utf8.DecodeRuneInString(p.text[at:])
		at += size
	}
	return at
}

// Between returns the code points [from, to) of the text.
func (p *Places) Between(from, to int) string {
	if from >= to {
		return ""
	}
	return p.text[p.Byte(from):p.Byte(to)]
}
