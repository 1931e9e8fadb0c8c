// Package talk knows the courtesy around an answer.
package talk

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier/message"
)

// Core returns the tokens [from, to) that remain when courtesy and "my order number is" are dropped
// at both ends: the longest phrase of the class open, or of the openings of any answer, again and
// again. About is "" but for a free text. There an opening may be a part of what is said, so that only
// those of its class are dropped, and only what is announced by a word of about: "my address is" before
// an address, but not "my dog is" before a note.
func Core(s *message.Message, open, about string) (from, to int) {
	to = len(s.Tokens)
	usual, end := "opening", "closing"
	switch {
	case !s.Language.Coded:
		open = usual
	case about != "":
		usual, end = open, "text_closing"
	}
	for from < to {
		if t := s.Tokens[from]; t.Class == message.Symbol && strings.Contains(",.!?;:-–—…\"'“”", t.Text) {
			if s.Glued(from+1) && (t.Text == "-" || elides(s, from)) {
				break // a sign, or a name: 's-Hertogenbosch
			}
			from++
			continue
		}
		n := max(s.LongestOf(from, open, usual), announcement(s, from, about))
		if n == 0 || from+n > to {
			break
		}
		from += n
	}
	for to > from {
		if t := s.Tokens[to-1]; t.Class == message.Symbol && strings.Contains(",.!?;:-–—…\"'“”)", t.Text) {
			if t.Text == ")" {
				break
			}
			to--
			continue
		}
		n := s.Closes(from, to, s.Language.Books[end])
		if n == 0 {
			break
		}
		to -= n
	}
	return from, to
}

// elides reports whether token i is an apostrophe that no other one closes.
func elides(s *message.Message, i int) bool {
	return s.SymbolAt(i, "'’") && !slices.ContainsFunc(s.Tokens[i+1:], func(t message.Token) bool { return strings.Contains("'’", t.Text) })
}

// announcement counts "my order number is", "the zip code is", "order number:".
func announcement(s *message.Message, i int, about string) int {
	if w := s.Low(i); w != "my" && w != "the" && w != "our" {
		return 0
	}
	fits := about == ""
	for n := 1; n <= 5; n++ {
		if fits = fits || s.Low(i+n) != "" && slices.Contains(strings.Split(about, "_"), s.Low(i+n)); !fits {
			continue
		}
		if w := s.Low(i + n); w == "is" || w == "was" || w == "would" && s.Low(i+n+1) == "be" {
			if w == "would" {
				n++
			}
			return n + 1
		}
		if i+n >= len(s.Tokens) || s.Tokens[i+n].Class != message.Letters {
			return 0
		}
	}
	return 0
}

// ProperName reports whether token i is a word with a capital, in a message that is not
// all capitals.
func ProperName(s *message.Message, i int) bool {
	return s.Capital(i) && s.WordAt(i) && !s.In(i, "filler") && !s.Shouts()
}
