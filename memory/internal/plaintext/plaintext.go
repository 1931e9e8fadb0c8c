// Package plaintext holds what the tiers share for the text of messages.
package plaintext

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier/message"
)

// Line makes one line of a text, without control characters. A quoted message cannot begin a line
// of its own then.
func Line(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}

// Sentences yields the sentences of a text, which end at a mark before a space, at the marks of
// scripts without spaces, and at line ends. Each includes the white space after it: together they
// are the text.
func Sentences(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for text != "" {
			n := sentenceEnd(text)
			if !yield(text[:n]) {
				return
			}
			text = text[n:]
		}
	}
}

const marks = ".!?…。！？"

func sentenceEnd(text string) int {
	seen := 0
	for i, r := range text {
		if i < seen || r != '\n' && !strings.ContainsRune(marks, r) {
			continue
		}
		rest := text[i+utf8.RuneLen(r):]
		if r != '\n' { // closing marks, quotes and brackets belong to the sentence
			rest = strings.TrimLeft(rest, marks+`"')]”’»`)
		}
		after := strings.TrimLeftFunc(rest, unicode.IsSpace)
		if after == "" || len(after) < len(rest) || r == '\n' || r > unicode.MaxLatin1 {
			return len(text) - len(after)
		}
		seen = len(text) - len(rest)
	}
	return len(text)
}

// Words returns the words of a text in lower case, each between single spaces: a phrase in the same
// form is found in it as whole words only.
func Words(text string) string {
	return " " + strings.Join(cut(text, message.InWord), " ") + " "
}

// cut returns the parts of a folded text that are made of some characters.
func cut(text string, of func(rune) bool) []string {
	return strings.FieldsFunc(message.Fold(text), func(r rune) bool { return !of(r) })
}

// Source checks what a model wrote against the texts that it was shown.
type Source struct {
	texts []string // as Words returns them
	words map[string]bool
}

// NewSource returns the source of some texts.
func NewSource(texts []string) *Source {
	s := &Source{words: map[string]bool{}}
	for _, text := range texts {
		text = Words(text)
		s.texts = append(s.texts, text)
		for w := range strings.FieldsSeq(text) {
			s.words[w] = true
		}
	}
	return s
}

// Find returns the last text in which a phrase occurs as whole words, or -1.
func (s *Source) Find(phrase string) int {
	phrase = Words(phrase)
	if strings.TrimSpace(phrase) == "" {
		return -1
	}
	for i := len(s.texts) - 1; i >= 0; i-- {
		if strings.Contains(s.texts[i], phrase) {
			return i
		}
	}
	return -1
}

// HasNumbers reports whether every word of a sentence that has a digit occurs in the texts.
func (s *Source) HasNumbers(sentence string) bool {
	for w := range strings.FieldsSeq(Words(sentence)) {
		if strings.ContainsFunc(w, unicode.IsDigit) && !s.words[w] {
			return false
		}
	}
	return true
}
