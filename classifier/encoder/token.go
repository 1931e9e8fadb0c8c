package encoder

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// tokeniser cuts texts into pieces of words, as the model's own does: control characters
// go, accents go, letters become small, punctuation and Han stand alone. It belongs to one
// goroutine.
type tokeniser struct {
	parts  []rune // of one character
	word   []byte
	from   []extent // by byte of the word: the character that it comes from
	pieces []Piece
}

// Piece is a piece of a word, and where it stands in its text.
type Piece struct {
	ID         uint16
	Inside     bool // it continues the word that the piece before it belongs to
	Start, End int  // bytes of the text
}

// extent is a character's place in a text, in bytes.
type extent struct{ start, end int }

// maxText is how many bytes of a text count: no more pieces than a model has positions come
// from them but in a hostile text.
const maxText = 16 << 10

// split fills t.pieces with the pieces of text, at most room of them with the two markers.
func (t *tokeniser) split(v *vocabulary, text string, room int) {
	t.pieces, t.word, t.from = append(t.pieces[:0], Piece{ID: Open}), t.word[:0], t.from[:0]
	text = text[:min(len(text), maxText)]
	for at := 0; at < len(text) && len(t.pieces) < room; {
		if c := text[at]; c < utf8.RuneSelf {
			t.take(v, rune(c), extent{at, at + 1})
			at++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[at:])
		t.parts = t.parts[:0]
		t.spread(text[at:at+size], r)
		for _, part := range t.parts {
			t.take(v, part, extent{at, at + size})
		}
		at += size
	}
	t.flush(v)
	if len(t.pieces) > room-1 {
		t.pieces = t.pieces[:room-1]
	}
	t.pieces = append(t.pieces, Piece{ID: Close})
}

// take reads a character that has no accent, or an accent.
func (t *tokeniser) take(v *vocabulary, r rune, from extent) {
	switch kindOf(r) {
	case kindNothing:
	case kindSpace:
		t.flush(v)
	case kindAlone:
		t.flush(v)
		t.word = utf8.AppendRune(t.word, r)
		t.follow(from)
		t.flush(v)
	case kindLetter:
		t.letter(r)
		t.follow(from)
	}
}

// follow notes where the last bytes of the word come from. A word that grows no longer still ends
// with the last character.
func (t *tokeniser) follow(from extent) {
	for len(t.from) < len(t.word) {
		t.from = append(t.from, from)
	}
	t.from[len(t.from)-1].end = from.end
}

// letter lengthens a word, unless it is too long to be known already.
func (t *tokeniser) letter(r rune) {
	switch {
	case len(t.word) > utf8.UTFMax*maxWordRunes:
	case r < utf8.RuneSelf:
		t.word = append(t.word, lowASCII(byte(r)))
	default:
		t.word = utf8.AppendRune(t.word, unicode.ToLower(r))
	}
}

// flush ends a word.
func (t *tokeniser) flush(v *vocabulary) {
	if len(t.word) == 0 {
		return
	}
	before := len(t.pieces)
	t.pieces = v.appendWord(t.pieces, t.word)
	for i := before; i < len(t.pieces); i++ {
		p := &t.pieces[i]
		p.Start, p.End = t.from[p.Start].start, t.from[p.End-1].end
	}
	t.word, t.from = t.word[:0], t.from[:0]
}

// spread appends a character to what is read, separated from its accents. That they stay in
// the order in which they stand makes no difference: they go.
func (t *tokeniser) spread(text string, r rune) {
	const first, last, vowels, ends = 0xac00, 0xd7a3, 21, 28 // the syllables of Hangul, which come of a formula
	if r >= first && r <= last {
		n := r - first
		t.parts = append(t.parts, 0x1100+n/(vowels*ends), 0x1161+n%(vowels*ends)/ends)
		if end := n % ends; end > 0 {
			t.parts = append(t.parts, 0x11a7+end)
		}
		return
	}
	apart := norm.NFD.PropertiesString(text).Decomposition()
	if len(apart) == 0 {
		t.parts = append(t.parts, r)
		return
	}
	for len(apart) > 0 {
		r, size := utf8.DecodeRune(apart)
		t.parts, apart = append(t.parts, r), apart[size:]
	}
}

func lowASCII(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// kind says what a character does to a word.
type kind uint8

const (
	kindLetter  kind = iota // is part of it
	kindNothing             // is left out
	kindSpace               // ends it
	kindAlone               // is one
)

// asciiKinds spares ordinary text the tables of Unicode.
var asciiKinds = func() (kinds [utf8.RuneSelf]kind) {
	for r := range kinds {
		kinds[r] = unicodeKind(rune(r))
	}
	return kinds
}()

func kindOf(r rune) kind {
	if r < utf8.RuneSelf {
		return asciiKinds[r]
	}
	return unicodeKind(r)
}

func unicodeKind(r rune) kind {
	switch {
	case r == '\t' || r == '\n' || r == '\r':
		return kindSpace
	case r == 0 || r == utf8.RuneError || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs, unicode.Mn):
		return kindNothing
	case unicode.IsSpace(r) || unicode.Is(unicode.Z, r):
		return kindSpace
	case asciiPunctuation(r) || unicode.Is(unicode.P, r) || unicode.Is(han, r):
		return kindAlone
	}
	return kindLetter
}

// asciiPunctuation reports C's ispunct, which includes the symbols.
func asciiPunctuation(r rune) bool {
	return r > ' ' && r < 0x7f && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
}

// han are the blocks that the model's tokeniser takes for Chinese characters.
var han = &unicode.RangeTable{
	R16: []unicode.Range16{{Lo: 0x3400, Hi: 0x4dbf, Stride: 1}, {Lo: 0x4e00, Hi: 0x9fff, Stride: 1}, {Lo: 0xf900, Hi: 0xfaff, Stride: 1}},
	R32: []unicode.Range32{
		{Lo: 0x20000, Hi: 0x2a6df, Stride: 1},
		{Lo: 0x2a700, Hi: 0x2b73f, Stride: 1},
		{Lo: 0x2b740, Hi: 0x2b81f, Stride: 1},
		{Lo: 0x2b920, Hi: 0x2ceaf, Stride: 1},
		{Lo: 0x2f800, Hi: 0x2fa1f, Stride: 1},
	},
}
