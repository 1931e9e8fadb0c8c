package script

import (
	"unicode"
	"unicode/utf8"
)

// first is below every unspaced letter, so that most texts cost one comparison a letter.
const first = 0x0E00

// unspaced are the blocks whose letters are written without spaces, in order. Blocks rather
// than scripts: the long vowel mark of kana belongs to no script.
var unspaced = []struct{ from, to rune }{
	{0x0E00, 0x0EFF},   // Thai, Lao
	{0x1000, 0x109F},   // Myanmar
	{0x1780, 0x17FF},   // Khmer
	{0x3005, 0x3007},   // 々 〆 〇
	{0x3041, 0x30FF},   // kana
	{0x31F0, 0x31FF},   // small kana
	{0x3400, 0x4DBF},   // Han
	{0x4E00, 0x9FFF},   //
	{0xA9E0, 0xA9FF},   // Myanmar
	{0xAA60, 0xAA7F},   //
	{0xF900, 0xFAFF},   // Han
	{0xFF66, 0xFF9F},   // narrow kana
	{0x20000, 0x323AF}, // Han
}

// Unspaced reports whether r is a letter or a mark of a script without spaces.
func Unspaced(r rune) bool { return r >= first && inBlocks(r) }

func inBlocks(r rune) bool {
	for _, b := range unspaced {
		if r <= b.to {
			return r >= b.from && (unicode.IsLetter(r) || unicode.IsMark(r) || r == 0x3007)
		}
	}
	return false
}

// Unit is the length in bytes of the unit that text begins with, which is an unspaced letter:
// the letter with the vowels and marks that are written around it.
func Unit(text string) int {
	r, n := utf8.DecodeRuneInString(text)
	end := n
	open := leads(r) // the letter itself is yet to come
	for end < len(text) {
		next, size := utf8.DecodeRuneInString(text[end:])
		switch {
		case open && Unspaced(next):
		case stacks(r) && Unspaced(next):
		case unicode.IsMark(next) || follows(next):
		default:
			return end
		}
		open = leads(next)
		r = next
		end += size
	}
	return end
}

// leads reports whether r is a vowel that is written before its letter.
func leads(r rune) bool { return r >= 0x0E40 && r <= 0x0E44 || r >= 0x0EC0 && r <= 0x0EC4 }

// follows reports whether r is a vowel that is written behind its letter, or repeats it.
func follows(r rune) bool {
	switch r {
	case 0x0E30, 0x0E32, 0x0E33, 0x0E45, 0x0E46, 0x0EB0, 0x0EB2, 0x0EB3, 0x0EC6:
		return true
	}
	return false
}

// stacks reports whether the next letter stands below r.
func stacks(r rune) bool { return r == 0x17D2 || r == 0x1039 }

// Units counts the units that text begins with.
func Units(text string) (n int) {
	for len(text) > 0 {
		if r, _ := utf8.DecodeRuneInString(text); !Unspaced(r) {
			return n
		}
		text = text[Unit(text):]
		n++
	}
	return n
}
