package clauses

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier/message"
)

// token is a word, a number or a code, and what stands behind it.
type token struct {
	start, end int // bytes
	class      class
	after      rune // the mark behind it: the strongest of several; 0: none
	lines      int  // line ends behind it
	digit      bool // has a digit
	quoted     bool // stands in quotation marks
	capital    bool // begins with a capital letter
	item       bool // numbers an item of a list: "2."
	key        string
}

// longestWord is the longest word that has a class, in bytes.
const longestWord = 24

// read joins the tokens of a text to words and codes: marks between two letters or figures belong
// to them, as in O-1.5, ana@example.com, 8:30, don't, 1,000.
func read(text string, tokens []message.Token, out []token) []token {
	q := quotes(text)
	end := 0
	for i := 0; i < len(tokens); {
		t := &tokens[i]
		if len(out) > 0 {
			out[len(out)-1].lines += strings.Count(text[end:t.Start], "\n")
		}
		r, _ := utf8.DecodeRuneInString(t.Text)
		from := i
		if i++; !wordy(r) {
			end = t.End
			if len(out) > 0 {
				note(&out[len(out)-1], text, t.Start, r)
			}
			continue
		}
		for i < len(tokens) && tokens[i].Start == tokens[i-1].End && goesOn(text, tokens[from].Start, &tokens[i]) {
			i++
		}
		end = tokens[i-1].End
		word := token{start: t.Start, end: end, quoted: q.holds(t.Start), capital: unicode.IsUpper(r)}
		classify(&word, text)
		out = append(out, word)
	}
	return out
}

// goesOn reports whether a token belongs to the word that begins at a byte and ends before it.
func goesOn(text string, start int, t *message.Token) bool {
	r, _ := utf8.DecodeRuneInString(t.Text)
	if wordy(r) {
		return true
	}
	last, _ := utf8.DecodeLastRuneInString(text[:t.Start])
	next, _ := utf8.DecodeRuneInString(text[t.End:])
	return binds(last, r, next) || r == '?' && wordy(next) && strings.IndexByte(text[start:t.Start], '/') >= 0 // a URL goes on
}

// note enters what stands behind a token.
func note(t *token, text string, i int, r rune) {
	switch r {
	case '-', '–', '—', '−':
		if !spaced(text, i, utf8.RuneLen(r)) {
			return
		}
		r = '-'
	case '…':
		r = '.'
	case '？':
		r = '?'
	case '！':
		r = '!'
	case '。':
		r = '.'
	case '；':
		r = ';'
	case '：':
		r = ':'
	case '，', '、':
		r = ','
	case '(', ')', '[', ']':
		r = ','
	case '.', '?', '!', ';', ',', ':':
	default:
		return
	}
	if strength(r) > strength(t.after) {
		t.after = r
	}
}

// strength orders marks: the strongest of a run counts.
func strength(r rune) int { return strings.IndexRune(":-,;.!?", r) + 1 }

// spaced reports whether a mark has space or an end at both sides.
func spaced(text string, i, n int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	after, _ := utf8.DecodeRuneInString(text[i+n:])
	return (i == 0 || unicode.IsSpace(before) || before == '-') && (i+n == len(text) || unicode.IsSpace(after) || after == '-')
}

// wordy reports whether r belongs to words. Signs and emoji are words: 👍 says something.
func wordy(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("$#@&%+_=*/<>~^|\\", r)
	}
	return r != '\uFFFD' && (unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r) || unicode.IsSymbol(r))
}

// binds reports whether a mark between two others is inside a word.
func binds(last, mark, next rune) bool {
	if !wordy(last) || !wordy(next) {
		return message.Unseen(mark)
	}
	switch mark {
	case '\'', '’', '‘', '-', '.', '‐', '‑':
		return true
	case ':', ',':
		return unicode.IsDigit(last) && unicode.IsDigit(next)
	}
	return message.Unseen(mark)
}

// classify looks a token up in the word lists, in lower case and without apostrophes.
func classify(t *token, text string) {
	var buf [longestWord]byte
	word := buf[:0]
	apostrophe := false
	for i := t.start; i < t.end; i++ {
		c := text[i]
		switch {
		case c >= 'A' && c <= 'Z':
			c += 'a' - 'A'
		case c == '\'':
			apostrophe = true
			continue
		case c >= '0' && c <= '9':
			t.digit = true
		case strings.HasPrefix(text[i:], "’"):
			apostrophe = true
			i += len("’") - 1
			continue
		}
		if len(word) < longestWord {
			word = append(word, c)
		}
	}
	if e, ok := lexicon[string(word)]; ok && len(word) < longestWord {
		t.class, t.key = e.class, e.word
	}
	if t.class&isShort != 0 && !apostrophe && oftenOther[t.key] {
		t.class &^= isShort
	}
}

// oftenOther are the contractions that are words of their own without an apostrophe.
var oftenOther = lists.Set("other without apostrophe")

// entry is a word of the lists; word is kept so that a token's key costs nothing.
type entry struct {
	word  string
	class class
}

var lexicon = func() map[string]entry {
	all := make(map[string]entry, len(classes))
	for w, c := range classes {
		all[w] = entry{w, c}
	}
	for _, sets := range []map[string]map[string]bool{notAfter, notBefore} {
		for _, set := range sets {
			for w := range set {
				all[w] = entry{w, classes[w]}
			}
		}
	}
	return all
}()
