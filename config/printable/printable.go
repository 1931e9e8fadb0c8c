// Package printable makes text from others safe to show on terminals and in logs. Such text may
// hold escape sequences that move the cursor, set the window's title or make the terminal answer,
// and controls that reverse the direction of letters, so that a reader sees something else than the
// text says. [Text] and [Writer] replace each such character with \u and four hexadecimal digits.
// JSON and YAML spell the character in a quoted string the same way, so a program that reads
// through a Writer gets the same meaning.
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

// harmless reports whether a character may be shown as it is: no control except line feed and tab,
// no change of direction, and nothing that some readers take for a line break.
func harmless(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return true
	case r < utf8.RuneSelf:
		return r >= ' ' && r != '\x7f'
	}
	return r > lastC1 && r != lineSeparator && r != paragraphSeparator && !unicode.Is(unicode.Bidi_Control, r)
}

// Text returns a text that a terminal can only display. Bytes outside UTF-8, which some terminals
// take for controls, become U+FFFD.
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

// suspect includes U+FFFD, which may stand for a byte outside UTF-8.
func suspect(r rune) bool { return r == utf8.RuneError || !harmless(r) }

const hex = "0123456789abcdef"

// show writes a character as \uXXXX; all harmful ones are in the basic plane.
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

// Writer passes what is written to it through Text to another writer. It is safe for concurrent
// use; writes do not overlap.
type Writer struct {
	to   io.Writer
	show func(string) string

	mu   sync.Mutex // guards rest, and serialises writes
	rest []byte     // the start of an incomplete character
}

// NewWriter returns a Writer that writes to w.
func NewWriter(w io.Writer) *Writer { return &Writer{to: w, show: Text} }

// NewScreen is NewWriter for a program that draws on a terminal: it passes the program's own escape
// sequences and carriage returns. Characters that no such program sends become U+FFFD, which takes
// as much room on the line. The program passes the text that it draws through Text.
func NewScreen(w io.Writer) *Writer { return &Writer{to: w, show: drawn} }

func drawn(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= firstC1 && !harmless(r) {
			return utf8.RuneError
		}
		return r
	}, s)
}

// Unwrap returns the underlying writer.
func (w *Writer) Unwrap() io.Writer { return w.to }

// Write implements io.Writer. It returns the number of bytes of p, not of those written.
func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.rest) == 0 && (plain(p) || bytes.IndexFunc(p, suspect) < 0) { // nearly always
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

// plain reports whether text is harmless ASCII. It is several times as fast as to decode runes.
func plain(text []byte) bool {
	for _, c := range text {
		if c < ' ' && c != '\n' && c != '\t' || c >= '\x7f' {
			return false
		}
	}
	return true
}

// unfinished counts the bytes at the end of text that start a character without ending it.
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
