package summary

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier/message"
)

// token is a word of a text.
type token struct {
	word  string // folded, without apostrophes
	upper bool   // begins with a capital letter
	first bool   // begins a sentence
	digit bool   // contains a digit
}

// tokenize makes the words of a text. A word is tokens that touch, with what joins them: an
// apostrophe, a hyphen, a point or comma within a number.
func tokenize(text string) []token {
	cut := message.Tokenize(text, nil)
	out := make([]token, 0, len(cut))
	first, behind := true, 0
	for i := 0; i < len(cut); {
		end := message.RunEnd(cut, i, func(k int) bool { return cut[i].InWord() && (cut[k].InWord() || joins(cut, k)) })
		first = first || strings.Contains(text[behind:cut[i].Start], "\n")
		behind = cut[end-1].End
		if said := text[cut[i].Start:behind]; cut[i].InWord() {
			out = append(out, newToken(said, first))
			first = false
		} else {
			first = first || strings.Contains(".!?", said)
		}
		i = end
	}
	return out
}

// joins reports whether a sign that touches what stands before it goes on a word.
func joins(cut []message.Token, k int) bool {
	if !strings.Contains("'’-.,_", cut[k].Text) || k+1 == len(cut) || cut[k+1].Start > cut[k].End || !cut[k+1].InWord() {
		return false
	}
	next, _ := utf8.DecodeRuneInString(cut[k+1].Text)
	return !strings.Contains(".,", cut[k].Text) || unicode.IsDigit(next)
}

func newToken(said string, first bool) token {
	r, _ := utf8.DecodeRuneInString(said)
	return token{word: message.Bare(message.Fold(said)), upper: unicode.IsUpper(r), first: first, digit: strings.ContainsFunc(said, unicode.IsDigit)}
}

// words counts the words of a text, separated by spaces.
func words(text string) int { return len(strings.Fields(text)) }
