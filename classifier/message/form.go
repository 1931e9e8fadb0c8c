package message

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Form is a text in a form for comparing, with the way back to the text as it was sent. What is
// stored of a text is cut from Sent; the way there is by offsets, because a character may have
// another length in its other form.
type Form struct {
	Sent, Text string
	from, to   []int32 // by byte of Text: the bytes of Sent that it stands for; nil: the same ones
}

// Normalise returns the normal form of a text, which unifies ways of writing and keeps the meaning:
// letters that look alike in another width are the usual ones, every dash is '-', quotes are
// straight, spaces ordinary, and invisible characters are gone. A fraction is written out ("2½" is
// "2 1/2"); superscripts stay, because 10² is not 102. Case stays. The form is valid UTF-8 and its
// own normal form.
func Normalise(sent string) Form {
	if plain(sent) {
		return Form{Sent: sent, Text: sent}
	}
	w := former{from: make([]int32, 0, len(sent)+8), to: make([]int32, 0, len(sent)+8)}
	for i := 0; i < len(sent); {
		r, n := utf8.DecodeRuneInString(sent[i:])
		w.write(r, i, i+n)
		i += n
	}
	text := w.text.String()
	if !norm.NFC.IsNormalString(text) {
		text = w.compose(text)
	}
	if text == sent {
		return Form{Sent: sent, Text: sent}
	}
	return Form{Sent: sent, Text: text, from: w.from, to: w.to}
}

// Normal is the text of the normal form.
func Normal(sent string) string {
	if plain(sent) {
		return sent
	}
	return Normalise(sent).Text
}

// Folded returns the normal form of a text in lower case.
func Folded(sent string) Form {
	f := Normalise(sent)
	low := strings.Map(lower, f.Text)
	if len(low) == len(f.Text) && sameLengths(low, f.Text) {
		f.Text = low
		return f
	}
	out := Form{Sent: sent, Text: low}
	for i, r := range f.Text {
		from, to := f.Back(i, i+utf8.RuneLen(r))
		for range utf8.RuneLen(lower(r)) {
			out.from, out.to = append(out.from, int32(from)), append(out.to, int32(to))
		}
	}
	return out
}

// Fold returns a text in the form in which words are compared: its normal form in lower case.
func Fold(text string) string {
	if plain(text) {
		return strings.ToLower(text)
	}
	return strings.Map(lower, Normal(text))
}

// lower is the lower case of a letter; the sigma at the end of a word is as any other.
func lower(r rune) rune {
	if r == 'ς' {
		return 'σ'
	}
	return unicode.ToLower(r)
}

// sameLengths reports whether the letters of two texts stand at the same bytes.
func sameLengths(a, b string) bool {
	for i := range len(a) {
		if utf8.RuneStart(a[i]) != utf8.RuneStart(b[i]) {
			return false
		}
	}
	return true
}

// Back returns where the bytes [start, end) of Text stand in Sent. What is written out there is
// taken whole.
func (f *Form) Back(start, end int) (from, to int) {
	switch {
	case f.from == nil:
		return start, end
	case start >= end:
		return f.place(start), f.place(start)
	}
	return int(f.from[start]), int(f.to[end-1])
}

// place returns where a byte of Text stands in Sent.
func (f *Form) place(at int) int {
	switch {
	case f.from == nil:
		return at
	case at == len(f.from):
		return len(f.Sent)
	}
	return int(f.from[at])
}

// After returns what stands in Sent behind the first n bytes of Text.
func (f *Form) After(n int) string {
	_, cut := f.Back(0, n)
	return f.Sent[cut:]
}

// Before returns what stands in Sent before the last n bytes of Text.
func (f *Form) Before(n int) string { return f.Sent[:f.place(len(f.Text)-n)] }

// Trim takes the characters of a set from both ends of a text, in whatever form they are written,
// and invisible ones.
func Trim(text, set string) string { return TrimLeft(TrimRight(text, set), set) }

// TrimLeft is Trim at the beginning.
func TrimLeft(text, set string) string {
	return strings.TrimLeftFunc(text, func(r rune) bool { return among(r, set) })
}

// TrimRight is Trim at the end.
func TrimRight(text, set string) string {
	return strings.TrimRightFunc(text, func(r rune) bool { return among(r, set) })
}

func among(r rune, set string) bool {
	if r < utf8.RuneSelf {
		return strings.ContainsRune(set, r)
	}
	return strings.Trim(Normal(string(r)), set) == ""
}

// former writes the normal form of a text.
type former struct {
	text     strings.Builder
	from, to []int32
	last     rune // of the text as it was sent
	digit    bool // what was written last is a digit
}

// write writes the character that stands at the bytes [from, to).
func (w *former) write(r rune, from, to int) {
	last := w.last
	w.last = r
	switch {
	case r < utf8.RuneSelf, superscript(r), r == joiner && unicode.IsLetter(last):
		if r < utf8.RuneSelf {
			r = common(r)
		}
		w.put(r, from, to)
		return
	case r == utf8.RuneError:
		w.put(r, from, to)
		return
	}
	if usual := common(r); usual != r {
		if usual >= 0 {
			w.put(usual, from, to)
		}
		return
	}
	whole := norm.NFKC.String(string(r))
	if strings.ContainsRune(whole, fractionSlash) && w.digit && r != fractionSlash {
		w.put(' ', from, to)
	}
	for _, part := range whole {
		if part == fractionSlash {
			part = '/'
		}
		if part = common(part); part >= 0 {
			w.put(part, from, to)
		}
	}
}

const fractionSlash = '\u2044'

func (w *former) put(r rune, from, to int) {
	w.digit = unicode.IsDigit(r)
	for range utf8.RuneLen(r) {
		w.from, w.to = append(w.from, int32(from)), append(w.to, int32(to))
	}
	w.text.WriteRune(r)
}

// compose puts letters and their marks together. What becomes one letter stands for all of it.
func (w *former) compose(text string) string {
	var out strings.Builder
	var from, to []int32
	var it norm.Iter
	for it.InitString(norm.NFC, text); !it.Done(); {
		begin := it.Pos()
		part := it.Next()
		end := it.Pos()
		out.Write(part)
		if string(part) == text[begin:end] {
			from, to = append(from, w.from[begin:end]...), append(to, w.to[begin:end]...)
			continue
		}
		for range part {
			from, to = append(from, w.from[begin]), append(to, w.to[end-1])
		}
	}
	w.from, w.to = from, to
	return out.String()
}

// joiner joins several emoji into one sign and is dropped there. Within a word it is kept: some
// scripts need it, and "y\u200des" is no yes.
const joiner = '\u200D'

// plain reports whether Normalise changes nothing: printable ASCII and line ends.
func plain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c != '\n' && (c < ' ' || c >= utf8.RuneSelf-1) {
			return false
		}
	}
	return true
}

// common maps a character to the one that is written in its place; -1 drops it.
func common(r rune) rune {
	switch {
	case r == '\n':
		return r
	case r < utf8.RuneSelf:
		if r < ' ' || r == 0x7F {
			return ' '
		}
		return r
	case unicode.Is(unseen, r):
		return -1
	case unicode.Is(unicode.Pd, r) || unicode.Is(dashes, r):
		return '-'
	case unicode.Is(singleQuotes, r):
		return '\''
	case unicode.Is(doubleQuotes, r):
		return '"'
	case unicode.Is(unicode.Z, r) || unicode.Is(unicode.Cc, r):
		return ' '
	}
	return r
}

// superscript reports whether a character is another one that is raised or lowered: it means
// something else then, as the ² of 10² and the º of 5º do.
func superscript(r rune) bool {
	return unicode.Is(raised, r) || r >= 0x2070 && r <= 0x209C || r >= 0x02B0 && r <= 0x02B8 || r >= 0x1D2C && r <= 0x1D6A
}

// Unseen reports whether a character has no shape.
func Unseen(r rune) bool { return r >= utf8.RuneSelf && unicode.Is(unseen, r) }

var raised = runes('ª', '²', '³', '¹', 'º', '℠', '™')

// unseen are code points without a shape: zero-width, directions, marks of byte order. The
// joiner is among them: a family of four becomes four faces.
var unseen = runes(0x00AD, 0x034F, 0x061C, 0x180E, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x202A, 0x202B, 0x202C, 0x202D, 0x202E,
	0x2060, 0x2061, 0x2062, 0x2063, 0x2064, 0x2066, 0x2067, 0x2068, 0x2069, 0x206A, 0x206B, 0x206C, 0x206D, 0x206E, 0x206F, 0xFE0E, 0xFE0F, 0xFEFF, 0xFFF9, 0xFFFA, 0xFFFB)

var (
	dashes       = runes(0x2212, 0x2043, 0x2796, 0x00AF, 0x02D7) // minus, bullet and heavy dash: no dashes to Unicode
	singleQuotes = runes(0x2018, 0x2019, 0x201A, 0x201B, 0x2032, 0x2035, 0x02BC, 0x02B9, 0x02BB, 0x00B4)
	doubleQuotes = runes(0x201C, 0x201D, 0x201E, 0x201F, 0x2033, 0x2036, 0x00AB, 0x00BB)
)

func runes(rs ...rune) *unicode.RangeTable {
	t := &unicode.RangeTable{}
	for _, r := range rs {
		t.R32 = append(t.R32, unicode.Range32{Lo: uint32(r), Hi: uint32(r), Stride: 1})
	}
	return t
}
