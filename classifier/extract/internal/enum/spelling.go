package enum

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier/extract/internal/lexicon"
	"github.com/slotway/slotway/classifier/extract/internal/numbers"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// A value is spelled by its words and by the signs at them: A+ is not A-, C++ is neither C nor C#.
// The marks between two words are none of it: "wi-fi" is "wi fi".

// Lexeme is one spelling of an enumerated value.
type Lexeme struct {
	pieces []piece
	value  string
	long   bool // a word of it is long enough for a typo
}

// piece is a word in lower case, or the signs that touch a word.
type piece struct {
	text string
	sign bool
}

// spell cuts a spelling into its pieces. One without words is its signs.
func spell(spelling string) (l Lexeme) {
	tokens := message.Tokenize(spelling, nil)
	whole := &message.Message{Text: spelling, Tokens: tokens, Taken: make([]bool, len(tokens))}
	wordless := !slices.ContainsFunc(tokens, func(t message.Token) bool { return t.Class != message.Symbol })
	for i := 0; i < len(tokens); {
		if tokens[i].Class != message.Symbol {
			l.pieces = append(l.pieces, piece{text: tokens[i].Low})
			l.long = l.long || utf8.RuneCountInString(tokens[i].Low) >= shortest
			i++
			continue
		}
		signs, n := signsAt(whole, i)
		touches := whole.Glued(i) || whole.Glued(i+n)
		if n > 0 && (wordless || touches && !isPicture(whole, i) && !joins(whole, i, n)) {
			l.pieces = append(l.pieces, piece{signs, true})
		}
		i += max(n, 1)
	}
	return l
}

// withoutSigns drops the signs of a spelling that nothing needs: no value has the same words, and
// they are none that name another thing.
func (l *Lexeme) withoutSigns(all []Lexeme) Lexeme {
	words := l.Words()
	needed := func(o Lexeme) bool { return o.value != l.value && slices.Equal(o.Words(), words) }
	if len(words) == 0 || slices.ContainsFunc(all, needed) {
		return *l
	}
	short := *l
	short.pieces = slices.DeleteFunc(slices.Clone(l.pieces), func(p piece) bool { return p.sign && !strings.ContainsAny(p.text, namingSigns) })
	return short
}

// namingSigns name another thing wherever they stand: Basic+ is not Basic, C# is not C.
const namingSigns = "+-#"

// Words returns the words of a spelling.
func (l *Lexeme) Words() []string {
	var words []string
	for _, p := range l.pieces {
		if !p.sign {
			words = append(words, p.text)
		}
	}
	return words
}

// text is the spelling, as it is compared with others.
func (l *Lexeme) text() string {
	var b strings.Builder
	for k, p := range l.pieces {
		if k > 0 && !p.sign && !l.pieces[k-1].sign {
			b.WriteByte(' ')
		}
		b.WriteString(p.text)
	}
	return b.String()
}

// signsAt reads the signs from token i on that touch each other, dashes as hyphens; or pictures.
func signsAt(s *message.Message, i int) (signs string, n int) {
	var b strings.Builder
	picture := isPicture(s, i)
	for s.Low(i+n) != "" && s.Tokens[i+n].Class == message.Symbol && (n == 0 || s.Glued(i+n)) && isPicture(s, i+n) == picture {
		r, _ := utf8.DecodeRuneInString(s.Tokens[i+n].Text)
		if !picture && !config.IsSign(r) {
			break
		}
		if unicode.Is(unicode.Pd, r) || r == '−' {
			r = '-'
		}
		b.WriteRune(r)
		n++
	}
	return b.String(), n
}

// isPicture reports whether token i is an emoji, a star or the like.
func isPicture(s *message.Message, i int) bool {
	w := s.Low(i)
	r, _ := utf8.DecodeRuneInString(w)
	return w != "" && unicode.Is(unicode.So, r)
}

// joins reports whether n signs at token i touch a word on both sides.
func joins(s *message.Message, i, n int) bool {
	return s.Glued(i) && s.Tokens[i-1].Class != message.Symbol && s.Glued(i+n) && s.Tokens[i+n].Class != message.Symbol
}

// spells returns how many tokens at i spell l with at most edits typos a word, or 0. Marks between
// words do not matter; a sign that the spelling does not have makes the words another value.
func (e *Enum) spells(s *message.Message, i int, l Lexeme, edits int, asked bool) int {
	if e.signBefore(s, i) || l.pieces[0].sign && s.Glued(i) && s.Tokens[i-1].Class == message.Symbol {
		return 0
	}
	n := 0
	for k, want := range l.pieces {
		if want.sign {
			has := signsBehind(s, i+n, k > 0, want.text)
			if has == 0 && (asked || k == 0 || !lexicon.IsPlain(l.pieces[k-1].text)) { // "that is a plus" is no A+
				has = saidSigns(s, i+n, want.text)
			}
			if has == 0 {
				return 0
			}
			n += has
			continue
		}
		if k > 0 && e.unread(s, i+n) {
			return 0
		}
		if k > 0 && i+n < len(s.Tokens) && s.Tokens[i+n].Class == message.Symbol && !message.IsUnit(want.text) {
			n++
		}
		step := e.spellsWord(s, i+n, l, want.text, edits, asked)
		if step == 0 {
			return 0
		}
		n += step
	}
	if e.unread(s, i+n) {
		return 0
	}
	return n
}

// spellsWord counts the tokens at i that spell a word of l.
func (e *Enum) spellsWord(s *message.Message, i int, l Lexeme, want string, edits int, asked bool) int {
	if i >= len(s.Tokens) || s.Taken[i] {
		return 0
	}
	w := s.Tokens[i].Low
	switch {
	case similar(w, want, 0, asked):
		return 1
	case edits > 0 && similar(w, want, edits, asked) && (w == strings.ReplaceAll(want, "'", "") || !written(s, i)):
		return 1
	case len(l.pieces) > 1 && want[0] >= '0' && want[0] <= '9': // two bedrooms
		if v, n := numbers.Count(s, i, 0, 0); n > 0 && v == float64(message.Atoi(want)) {
			return n
		}
	}
	return 0
}

// signsBehind counts the tokens at i that are the wanted signs.
func signsBehind(s *message.Message, i int, behind bool, want string) int {
	signs, n := signsAt(s, i)
	apart := behind && !s.Glued(i) && i+n < len(s.Tokens) && s.Tokens[i+n].Class != message.Symbol // "O - I think"
	if signs != want || apart {
		return 0
	}
	return n
}

// saidSigns counts the tokens at i that say the wanted signs: "plus plus".
func saidSigns(s *message.Message, i int, want string) int {
	signs, n := "", 0
	for len(signs) < len(want) {
		t, k := s.TermAt(i+n, "sign_word")
		if k == 0 {
			return 0
		}
		if t.Value == "hash" { // a line of the table that begins with # is a remark
			t.Value = "#"
		}
		signs, n = signs+t.Value, n+k
	}
	if signs != want {
		return 0
	}
	return n
}

// unread reports whether something that touches a value from behind makes it another one: a sign, or
// more of a number.
func (e *Enum) unread(s *message.Message, i int) bool {
	if i == 0 || !s.Glued(i) {
		return false
	}
	last := &s.Tokens[i-1]
	if last.Class == message.Digits && (s.Tokens[i].Class == message.Letters || s.SymbolAt(i, ".,:/") && s.Glued(i+1) && s.Tokens[i+1].Class == message.Digits) {
		return true
	}
	signs, n := signsAt(s, i)
	if n == 0 || joins(s, i, n) {
		return false
	}
	short := last.Class == message.Letters && len(last.Text) <= 2
	return strings.ContainsAny(signs, e.signs) || short && signs == "-"
}

// signBefore reports whether something that touches token i from before makes it a part of another
// value.
func (e *Enum) signBefore(s *message.Message, i int) bool {
	if s.Tokens[i].Class != message.Digits || !s.Glued(i) {
		return false
	}
	before := &s.Tokens[i-1]
	if before.Class != message.Symbol {
		return before.Class == message.Letters
	}
	if s.SymbolAt(i-1, ".,:/") {
		return s.Glued(i-1) && s.Tokens[i-2].Class == message.Digits
	}
	signs, n := signsAt(s, i-1)
	return n > 0 && (signs == "-" || strings.ContainsAny(signs, e.signs)) && !joins(s, i-1, n)
}

// Whole returns the value that a text is to the letter, or else but for its case: an offered value
// that was pressed is itself.
func (e *Enum) Whole(text string) (value string, ok bool) {
	text = strings.TrimSpace(text)
	if value, ok = e.literal[text]; !ok {
		value, ok = e.literal[message.Fold(text)]
	}
	return value, ok
}

// Halves returns the values that the tokens [from, to) spell but for a sign: A+ and A- for "a".
func (e *Enum) Halves(s *message.Message, from, to int) (values []string) {
	if from >= to || e.unread(s, to) {
		return nil
	}
	said := make([]string, 0, to-from)
	for i := from; i < to; i++ {
		said = append(said, s.Low(i))
	}
	for _, l := range e.All {
		words := l.Words()
		if len(words) < len(l.pieces) && slices.Equal(words, said) && !slices.Contains(values, l.value) {
			values = append(values, l.value)
		}
	}
	return values
}

// Number returns the value that means a number: "two" for 2, "2" for double.
func (e *Enum) Number(number float64) (value string, ok bool) {
	for _, l := range e.All {
		words := strings.Join(l.Words(), " ")
		if len(l.pieces) != len(l.Words()) {
			continue
		}
		spelled := message.New(words, "", nil)
		if v, n := numbers.Read(spelled, 0); n == len(spelled.Tokens) && v == number {
			if ok && value != l.value {
				return "", false
			}
			value, ok = l.value, true
		}
	}
	return value, ok
}
