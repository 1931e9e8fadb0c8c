// Package printable shows text that others wrote: on terminals and in logs. A text may hold
// escape sequences that move the cursor, set the window's title or ask the terminal for an
// answer, and controls that turn the direction of letters around, so that what is read is
// not what is there. [Text] and [Writer] put \u and four hexadecimal digits in the place of
// each. That is also how JSON and YAML spell the character in a quoted string, so what a
// program reads through a Writer means the same as before.
package printable

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

const (
	lineSeparator      = '\u2028'
	paragraphSeparator = '\u2029'
	firstC1, lastC1    = '\u0080', '\u009f'
)

// harmless reports whether a character is shown as it is: no control but a line's end and a
// tab, none that turns directions, none that some readers take for a line's end.
func harmless(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return true
	case r < utf8.RuneSelf:
		return r >= ' ' && r != '\x7f'
	}
	return r > lastC1 && r != lineSeparator && r != paragraphSeparator && !unicode.Is(unicode.Bidi_Control, r)
}

// Text is a text of which a terminal does nothing but show it. Bytes that are no UTF-8, of
// which some terminals make controls, become U+FFFD.
func Text(s string) string {
	at := strings.IndexFunc(s, suspect)
	if at < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + len(s)/8)
	b.WriteString(s[:at])
	for _, r := range s[at:] {
		show(&b, r)
	}
	return b.String()
}

// suspect says yes to U+FFFD too: it may stand for a byte that is no UTF-8.
func suspect(r rune) bool { return r == utf8.RuneError || !harmless(r) }

const hex = "0123456789abcdef"

// show writes a character, all of which are in the first plane where they are harmful.
func show(b *strings.Builder, r rune) {
	if harmless(r) {
		b.WriteRune(r)
		return
	}
	b.WriteString(`\u`)
	for shift := 12; shift >= 0; shift -= 4 {
		b.WriteByte(hex[r>>shift&0xf])
	}
}

// Writer shows what is written to it on another writer, as Text does. It is safe for
// concurrent use; writes do not overlap.
type Writer struct {
	to   io.Writer
	show func(string) string

	mu   sync.Mutex // guards what follows, and serialises writes
	rest []byte     // the beginning of a character whose end has not come yet
}

// NewWriter returns a Writer in front of w.
func NewWriter(w io.Writer) *Writer { return &Writer{to: w, show: Text} }

// NewScreen is NewWriter for a program that draws on a terminal: its own escape sequences
// and returns pass, and the characters that no such program sends become U+FFFD, which takes
// as much room on the line as they would. What it draws goes through Text before.
func NewScreen(w io.Writer) *Writer { return &Writer{to: w, show: drawn} }

func drawn(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= firstC1 && !harmless(r) {
			return utf8.RuneError
		}
		return r
	}, s)
}

// Unwrap is the writer behind.
func (w *Writer) Unwrap() io.Writer { return w.to }

// Write implements io.Writer. What it returns counts the bytes of p, not those written.
func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.rest) == 0 && bytes.IndexFunc(p, suspect) < 0 { // nearly always
		return w.to.Write(p)
	}
	text := append(w.rest, p...)
	whole := len(text) - unfinished(text)
	w.rest = append([]byte(nil), text[whole:]...)
	if whole == 0 {
		return len(p), nil
	}
	if _, err := io.WriteString(w.to, w.show(string(text[:whole]))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// unfinished counts the bytes at the end that begin a character and do not end it.
func unfinished(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if utf8.RuneStart(text[len(text)-n]) {
			if utf8.FullRune(text[len(text)-n:]) {
				return 0
			}
			return n
		}
	}
	return 0
}
