package numbers

import (
	"math"
	"strconv"
	"strings"

	"github.com/slotway/slotway/classifier/message"
)

// role is what a word does in a number.
type role uint8

const (
	noRole       role = iota
	unitRole          // zero to nineteen
	tenRole           // twenty to ninety
	scoreRole         // a ten that up to nineteen may follow: soixante-dix
	hundredRole       // hundreds in one word: doscientos
	scaleRole         // multiplies what stands before it; alone it is one of it
	multipleRole      // multiplies what stands before it, and is no number alone: dozen, millions
	wholeRole         // a number in one word: dreihundertvier
)

// roles are those of the classes of words.
var roles = map[string]role{"unit": unitRole, "ten": tenRole, "score": scoreRole, "hundreds": hundredRole, "scale": scaleRole, "multiple": multipleRole}

// numeral is a word of a number, of n tokens.
type numeral struct {
	value float64
	role  role
	n     int
}

func (w numeral) multiplies() bool { return w.role == scaleRole || w.role == multipleRole }

// numeralAt reads the longest number word at token i.
func numeralAt(s *message.Message, i int) (w numeral) {
	if !s.WordAt(i) {
		return w
	}
	for k := range s.Terms[i] {
		t := &s.Terms[i][k]
		if r := roles[t.Class]; r != noRole {
			if n := s.SpellsTerm(i, t.Words); n > w.n {
				w = numeral{t.Num, r, n}
			}
		}
	}
	if w.n == 0 && s.Language.Compound && !s.IsTerm(i, "article") {
		if v, ok := s.Language.Compounded(s.Low(i)); ok {
			return numeral{v, wholeRole, 1}
		}
	}
	return w
}

// composer adds up a number from its words. Each fits into what the one before leaves open: behind
// "zwanzig" up to nine may follow, behind "quatre-vingt" up to nineteen. A scale multiplies what
// stands before it as far as that is smaller: three hundred, two, dozen is 324.
type composer struct {
	parts [12]part
	depth int
	room  float64 // what is added next must be smaller
}

// part is a summand with the scale that made it and the token behind it.
type part struct {
	value, scale float64
	end          int
}

func (c *composer) push(value, scale float64, end int) bool {
	if c.depth == len(c.parts) {
		return false
	}
	c.parts[c.depth] = part{value, scale, end}
	c.depth++
	return true
}

// add takes a word that ends before a token; false where it does not fit.
func (c *composer) add(w numeral, end int) bool {
	if w.multiplies() {
		return c.times(w.value, end, w.role == multipleRole)
	}
	if w.value >= c.room || w.value == 0 && c.depth > 0 || !c.push(w.value, 1, end) {
		return false
	}
	c.room = 0
	switch w.role {
	case tenRole:
		c.room = 10
	case scoreRole:
		c.room = 20
	case hundredRole:
		c.room = 100
	}
	return true
}

// times multiplies by a scale. It is refused where an equal scale stands before, as in "two hundred
// three hundred"; the words of the second number are dropped.
func (c *composer) times(scale float64, end int, multiple bool) bool {
	sum, k := 0.0, c.depth
	for k > 0 && c.parts[k-1].scale < scale {
		k--
		sum += c.parts[k].value
	}
	switch {
	case k == c.depth && k > 0 && multiple: // hundred dozen
		c.parts[k-1].value *= scale
		c.parts[k-1].end = end
		return true
	case k == c.depth && k > 0 && scale >= c.room:
		return false
	case k < c.depth && k > 0 && c.parts[k-1].scale <= scale:
		c.depth = k
		return false
	case k == c.depth: // a thousand, mille cent
		sum = 1
	case sum == 0:
		return false
	}
	c.depth, c.room = k, scale
	return c.push(sum*scale, scale, end)
}

func (c *composer) sum() (value float64, end int) {
	for _, p := range c.parts[:c.depth] {
		value, end = value+p.value, p.end
	}
	return value, end
}

// Count reads number words and what figures stand among them at token i: "one hundred
// and five", "4 thousand 3 hundred and 21". A first value of n tokens has been read when
// n is not 0; then only a scale may follow. It returns the value and the length.
func Count(s *message.Message, i int, first float64, n int) (float64, int) {
	c := composer{room: math.Inf(1)}
	last := noRole
	if t, k := s.TermAt(i, "article"); n == 0 && k > 0 && numeralAt(s, i+k).multiplies() {
		first, n = t.Num, k
	}
	if n > 0 {
		c.push(first, 1, n)
		c.room, last = 0, unitRole
	}
	for {
		skip, said := link(s, i+n, last)
		w := numeralAt(s, i+n+skip)
		if w.n == 0 && (last == scaleRole || last == multipleRole) {
			w = figuresAmong(s, i+n+skip)
		}
		if w.n == 0 || said && w.multiplies() || last == noRole && w.role == multipleRole || !c.add(w, n+skip+w.n) {
			break
		}
		n, last = n+skip+w.n, w.role
	}
	return c.sum()
}

// link counts what may stand between two words of a number: a hyphen, or the word that may stand
// behind the last one: "y" and "et" behind a ten, "and" and "und" behind a scale.
func link(s *message.Message, i int, last role) (n int, said bool) {
	if last == noRole {
		return 0, false
	}
	if s.SymbolAt(i, "-‐‑") && (last == tenRole || s.Glued(i) && s.Glued(i+1)) {
		return 1, false
	}
	t, n := s.TermAt(i, "link")
	behind := roles[t.Value]
	if n == 0 || behind != last && !(behind == scaleRole && last == multipleRole) && !(behind == tenRole && last == scoreRole) {
		return 0, false
	}
	return n, true
}

// figuresAmong reads figures inside a number in words: the 21 of "3 hundred and 21".
func figuresAmong(s *message.Message, i int) numeral {
	d := s.Digits(i, 1, 3)
	if d == "" || s.Glued(i) || s.Glued(i+1) && !s.CloseAfter(i+1) {
		return numeral{}
	}
	return numeral{float64(message.Atoi(d)), unitRole, 1}
}

// Below100 reads "seven", "twenty", "twenty-one".
func Below100(s *message.Message, i int) (float64, int) {
	w := numeralAt(s, i)
	switch w.role {
	case unitRole:
		return w.value, w.n
	case wholeRole:
		return w.value, w.n * message.Btoi(w.value < 100)
	case tenRole, scoreRole:
		c := composer{room: math.Inf(1)}
		c.add(w, w.n)
		skip, _ := link(s, i+w.n, w.role)
		if u := numeralAt(s, i+w.n+skip); u.role == unitRole {
			c.add(u, w.n+skip+u.n)
		}
		return c.sum()
	}
	return 0, 0
}

// digitAt reads a single digit in words at token i.
func digitAt(s *message.Message, i int) (digit, n int) {
	if w := numeralAt(s, i); w.role == unitRole && w.value < 10 {
		return int(w.value), w.n
	}
	_, n = s.TermAt(i, "nought")
	return 0, n
}

// digitsAt reads digits that are said one by one.
func digitsAt(s *message.Message, i int) (text string, n int) {
	for d, k := digitAt(s, i); k > 0; d, k = digitAt(s, i+n) {
		text += strconv.Itoa(d)
		n += k
	}
	return text, n
}

// spokenDecimals reads the decimals behind a whole number of n tokens: "point zero three", "point
// seventy-one", "point oh 5", "komma fünf".
func spokenDecimals(s *message.Message, i int, v float64, n int) (float64, int) {
	_, k := s.TermAt(i+n, "comma")
	if k == 0 || v != math.Trunc(v) {
		return v, n
	}
	m := n + k
	text := s.Digits(i+m, 1, 15)
	width := message.Btoi(text != "")
	if width == 0 {
		text, width = digitsAt(s, i+m)
	}
	if width == 0 {
		var w float64
		if w, width = Count(s, i+m, 0, 0); width == 0 || w != math.Trunc(w) || w > 999 {
			return v, n
		}
		text = strconv.Itoa(int(w))
	}
	w, err := strconv.ParseFloat(strconv.FormatFloat(v, 'f', 0, 64)+"."+text, 64)
	if err != nil {
		return v, n
	}
	return w, m + width
}

// The words of English for the rooms that still read it by code.
var (
	english = message.LanguageOf("en")
	// Units are the number words below twenty, Tens those from twenty to ninety.
	Units, Tens = wordsOf("unit"), wordsOf("ten")
	// OrdinalWords are the words that end an ordinal.
	OrdinalWords = wordsOf("ordinal_word")
)

func wordsOf(class string) map[string]float64 {
	out := map[string]float64{}
	for _, t := range english.Classes[class] {
		out[strings.Join(t.Words, " ")] = t.Num
	}
	return out
}

// IsNumeral reports whether a word is one of a number.
func IsNumeral(word string) bool { return roleOf(word) != noRole }

// IsTen reports whether a word is one of twenty to ninety.
func IsTen(word string) bool { return roleOf(word) == tenRole }

// IsScale reports whether a word multiplies what stands before it.
func IsScale(word string) bool { return numeral{role: roleOf(word)}.multiplies() }

func roleOf(word string) role {
	for _, t := range english.Words[word] {
		if r := roles[t.Class]; r != noRole && len(t.Words) == 1 {
			return r
		}
	}
	return noRole
}
