// Package enum finds the values of an enumeration, with synonyms and typos.
package enum

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier/extract/internal/lexicon"
	"github.com/slotway/slotway/classifier/extract/internal/numbers"
	"github.com/slotway/slotway/classifier/extract/internal/talk"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// Enum finds the values of one type.
type Enum struct {
	literal map[string]string   // what a whole text means, as written and in lower case
	first   map[string][]Lexeme // by the singular of the first word
	signed  []Lexeme            // the spellings that begin with a sign: "$$", "+1"
	All     []Lexeme
	own     map[string]string // the value that alone has a word; "": several have it
	signs   string            // the characters that tell values apart
	fuzzy   int
	Yes     string // the value that a yes means; "" where the values are no yes and no
	No      string
}

// New compiles the values of a type; nil where it has none.
func New(t *config.Type) *Enum {
	if len(t.Values) == 0 {
		return nil
	}
	e := &Enum{literal: map[string]string{}, first: map[string][]Lexeme{}, own: map[string]string{}, fuzzy: t.Fuzzy, signs: "+#"} // "B+" is no B, even where no value has a sign
	e.Yes, e.No = yesAndNo(t.Values)
	var all []Lexeme
	for _, v := range t.Values {
		for _, spelling := range append([]string{v.Value}, v.Synonyms...) {
			e.literal[spelling] = v.Value
			if low := message.Fold(spelling); e.literal[low] == "" {
				e.literal[low] = v.Value
			}
			for _, typed := range message.Spellings(spelling) {
				if l := spell(typed); len(l.pieces) > 0 {
					l.value = v.Value
					all = append(all, l)
				}
			}
		}
	}
	for _, l := range all {
		e.add(l)
		if short := l.withoutSigns(all); len(short.pieces) < len(l.pieces) {
			e.add(short)
		}
		e.note(l)
	}
	return e
}

func (e *Enum) add(l Lexeme) {
	e.All = append(e.All, l)
	for _, p := range l.pieces {
		if p.sign {
			e.signs += p.text
		}
	}
	first := l.pieces[0]
	if first.sign {
		e.signed = append(e.signed, l)
		return
	}
	key := message.Singular(first.text)
	e.first[key] = append(e.first[key], l)
}

// yesAndNo returns the two values of an enumeration that is a boolean by another name.
func yesAndNo(values []config.EnumValue) (yes, no string) {
	if len(values) != 2 {
		return "", ""
	}
	for _, v := range values {
		switch strings.ToLower(v.Value) {
		case "true", "yes", "y":
			yes = v.Value
		case "false", "no", "n":
			no = v.Value
		}
	}
	if yes == "" || no == "" {
		return "", ""
	}
	return yes, no
}

// bare reports whether a spelling of a yes-or-no value is a plain yes or no, which
// answers whatever was asked and speaks of the param only when that was.
func (e *Enum) bare(s *message.Message, l Lexeme) bool {
	return e.Yes != "" && slices.ContainsFunc(s.Language.Words[l.pieces[0].text], func(t message.Term) bool {
		return (t.Class == "yes" || t.Class == "no") && slices.Equal(t.Words, l.Words())
	})
}

// At returns the longest value spelled at token i, exactly, in another number, or else
// with typos. A typo is none where another recogniser found something, in a frequent word
// of the language, or where two values are as near.
func (e *Enum) At(s *message.Message, i int, asked bool) (value string, n int, exact bool) {
	word := s.Tokens[i].Low
	spelled := e.signed
	if s.Tokens[i].Class != message.Symbol {
		spelled = e.first[message.Singular(word)]
		if typed := lexicon.Plain(word); typed != word {
			spelled = append(slices.Clip(spelled), e.first[message.Singular(typed)]...)
		}
		if v, n := numbers.Count(s, i, 0, 0); n > 0 { // two bedrooms
			spelled = append(slices.Clip(spelled), e.first[strconv.Itoa(int(v))]...)
		}
	}
	literal := false
	for _, l := range spelled {
		if !asked && (e.bare(s, l) || withinRun(s, i, l)) {
			continue
		}
		k := e.spells(s, i, l, 0, asked)
		if k > n || k == n && k > 0 && !literal && l.pieces[0].text == word {
			value, n, literal = l.value, k, l.pieces[0].text == word
		}
	}
	if n > 0 || !e.mayMisspell(s, i, asked) {
		return value, n, true
	}
	value, n = e.misspelt(s, i, asked)
	return value, n, false
}

// mayMisspell reports whether a value may stand at token i with typos.
func (e *Enum) mayMisspell(s *message.Message, i int, asked bool) bool {
	t := &s.Tokens[i]
	if e.fuzzy == 0 && !stretched(t.Low) || s.Exact[i] || t.Class != message.Letters {
		return false
	}
	isName := i > 0 && s.Capital(i) && !s.Shouts()
	return asked || !lexicon.IsPlain(t.Low) && !isName
}

// misspelt returns the longest value that is spelled at token i with typos.
func (e *Enum) misspelt(s *message.Message, i int, asked bool) (value string, n int) {
	for _, l := range e.All {
		if !l.long && !stretched(s.Tokens[i].Low) || !asked && e.bare(s, l) {
			continue
		}
		k := e.spells(s, i, l, e.fuzzy, asked)
		switch {
		case k > n:
			value, n = l.value, k
		case k == n && k > 0 && l.value != value:
			if value, n = nearer(s, i, n, value, l, e); n == 0 {
				return "", 0
			}
		}
	}
	return value, n
}

// nearer chooses between two values that n tokens spell with typos: the one with fewer typos, or
// none.
func nearer(s *message.Message, i, n int, value string, l Lexeme, e *Enum) (string, int) {
	text := message.Fold(s.Text[s.Tokens[i].Start:s.Tokens[i+n-1].End])
	before := e.distanceTo(text, value)
	now := message.Distance(text, l.text(), 9)
	switch {
	case now < before:
		return l.value, n
	case now > before:
		return value, n
	}
	return "", 0
}

// distanceTo is the distance of a text to the nearest spelling of a value.
func (e *Enum) distanceTo(text, value string) int {
	best := 9
	for _, l := range e.All {
		if l.value == value {
			best = min(best, message.Distance(text, l.text(), 9))
		}
	}
	return best
}

// Reordered finds the value whose words all stand in a reply, in another order and with a
// few words between: "the size is wrong" for "wrong size". Two values are none.
func (e *Enum) Reordered(s *message.Message) (value string, from, to int) {
	for _, l := range e.All {
		words := l.Words()
		if len(words) < 2 || len(words) < len(l.pieces) || message.IsUnit(words[0]) {
			continue
		}
		first, last := len(s.Tokens), -1
		for _, want := range words {
			k := slices.IndexFunc(s.Tokens, func(t message.Token) bool { return t.Class != message.Symbol && similar(t.Low, want, 0, true) })
			if k < 0 || s.Taken[k] {
				last = -1
				break
			}
			first, last = min(first, k), max(last, k)
		}
		if last < 0 || last-first > len(words)+2 || deniedWithin(s, first, last) {
			continue
		}
		if value != "" && value != l.value {
			return "", 0, 0
		}
		value, from, to = l.value, first, last+1
	}
	return value, from, to
}

func deniedWithin(s *message.Message, first, last int) bool {
	for k := max(first-2, 0); k <= last; k++ {
		if s.IsTerm(k, "negation") {
			return true
		}
	}
	return false
}

// written reports whether token i is a common word of the language that is not all that was
// said: "a pipe burst" holds no misspelt "burnt", while "wires" alone, as an answer, may be one.
func written(s *message.Message, i int) bool {
	if s.Knows == nil || !s.Knows(s.Tokens[i].Low) {
		return false
	}
	from, to := talk.Core(s, "opening", "")
	return to-from != 1 || from != i
}

// shortest is the least length of a word with forgiven typos in an answer; elsewhere it needs one
// letter more.
const shortest = 4

// Words of at most short letters begin right; from long letters on two typos are forgiven in an
// answer, elsewhere in longer ones.
const (
	short = 5
	long  = 8
)

// similar reports whether word means want: but for its number, or for at most edits
// typos. Short words must be exact: "no" is not "now". Outside of an answer the first
// letter must be right too, since most words of a message mean something else, and so must
// that of a short word; what is a frequent word of the language is no typo of another.
func similar(word, want string, edits int, asked bool) bool {
	if word == want || message.Singular(word) == message.Singular(want) || lexicon.Plain(word) == want || stretched(word) && sameLetters(word, want) {
		return true
	}
	length := utf8.RuneCountInString(want)
	if edits == 0 || length < shortest || (!asked || length <= short) && word[0] != want[0] || !asked && length <= shortest || lexicon.IsPlain(word) {
		return false
	}
	if length > shortest && sameLetters(word, want) {
		return true
	}
	if length < long || !asked && length <= long {
		edits = 1
	}
	return message.Distance(word, want, edits+1) <= edits
}

// stretched reports whether a word repeats a letter three times or more, as in "nooo".
func stretched(word string) bool {
	for i := 2; i < len(word); i++ {
		if word[i] == word[i-1] && word[i] == word[i-2] {
			return true
		}
	}
	return false
}

// sameLetters reports whether two words differ only in how often letters are repeated in a
// row: "laaarge", "peperroni" for pepperoni.
func sameLetters(a, b string) bool {
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		if a[i] != b[j] {
			return false
		}
		for c := a[i]; i < len(a) && a[i] == c; {
			i++
		}
		for c := b[j]; j < len(b) && b[j] == c; {
			j++
		}
	}
	return i == len(a) && j == len(b)
}

// Nearest returns the value of an enumeration that text spells best: in full, with typos,
// or else the only one that shares a word with it.
func (e *Enum) Nearest(s *message.Message) (any, bool) {
	spelled := ""
	for i := 0; i < len(s.Tokens); i++ {
		v, n, _ := e.At(s, i, true)
		if n > 0 && spelled != "" && v != spelled {
			return nil, false
		}
		if n > 0 {
			spelled = v
			i += n - 1
		}
	}
	if spelled != "" {
		return spelled, true
	}
	if value := e.sharing(s); value != "" {
		return value, true
	}
	return nil, false
}

// sharing returns the only value that shares a word or a number with a text which no other value has: "twelve" for
// "12 yard", "the inner" for "inner roads".
func (e *Enum) sharing(s *message.Message) string {
	shared := ""
	for _, w := range wordsAndNumbers(s) {
		switch value := e.own[w]; {
		case value == "" || value == shared:
		case shared != "":
			return ""
		default:
			shared = value
		}
	}
	return shared
}

// note notes the words of a spelling as those of its value, and of no value where another has them too.
func (e *Enum) note(l Lexeme) {
	for _, w := range wordsAndNumbers(message.New(l.text(), "", nil)) {
		if value, known := e.own[w]; known && value != l.value {
			e.own[w] = ""
			continue
		}
		e.own[w] = l.value
	}
}

// wordsAndNumbers returns the words of a message in the singular, but for frequent ones, and the numbers as figures:
// "the" tells nothing apart.
func wordsAndNumbers(s *message.Message) (out []string) {
	for i := 0; i < len(s.Tokens); i++ {
		if number, n := numbers.Read(s, i); n > 0 {
			out = append(out, strconv.FormatFloat(number, 'f', -1, 64))
			i += n - 1
			continue
		}
		if w := s.Low(i); !lexicon.IsPlain(w) {
			out = append(out, message.Singular(w))
		}
	}
	return out
}

// withinRun reports whether a value of one unit would be found inside a run: there any word has it.
func withinRun(s *message.Message, i int, l Lexeme) bool {
	return len(l.pieces) == 1 && message.IsUnit(l.pieces[0].text) && (s.InRun(i) || s.InRun(i+1))
}
