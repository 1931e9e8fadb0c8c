package extract

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// tongueWords are the words of a language by class.
type tongueWords struct {
	tag      string
	words    map[string][]term // by the first word, in every spelling
	classes  map[string][]term // by the name of the class
	known    set               // every word of the tables
	compound bool              // numbers are written as one word: dreihundertvier
	morphs   []morph           // the parts of such numbers, the longest first
	elided   set               // articles cut short, which are words of their own: l', d'
	books    map[string]*book  // phrases around an answer, and those for yes and no
}

func newTongueWords(tag string) *tongueWords {
	return &tongueWords{tag: tag, words: map[string][]term{}, classes: map[string][]term{}, known: set{}, elided: set{}}
}

// addLine reads a line of a class: "3 = märz, mrz", or phrases alone.
func (t *tongueWords) addLine(class, line string) error {
	value, phrases, valued := strings.Cut(line, " = ")
	if !valued {
		value, phrases = "", line
	}
	num, err := strconv.ParseFloat(value, 64)
	if err != nil {
		num = 0 // the value is a word
	}
	for phrase := range strings.SplitSeq(phrases, ", ") {
		phrase = strings.Trim(phrase, " ,")
		if phrase == "" || phrase != strings.ToLower(phrase) {
			return fmt.Errorf("%q: write phrases in lower case, with a comma and a space between them", line)
		}
		t.addTerm(class, value, num, phrase)
	}
	return nil
}

// addTerm adds a phrase in every spelling that people without its letters type.
func (t *tongueWords) addTerm(class, value string, num float64, phrase string) {
	for _, spelling := range spellings(phrase) {
		e := term{class: class, value: value, num: num}
		for _, tok := range tokenize(spelling, nil) {
			e.words = append(e.words, splitElided(tok.low, t.elided)...)
		}
		for _, w := range e.words {
			t.known[w] = true
		}
		t.words[e.words[0]] = append(t.words[e.words[0]], e)
		t.classes[class] = append(t.classes[class], e)
	}
}

// splitElided cuts a word behind an article cut short.
func splitElided(w string, elided set) []string {
	if at := strings.IndexByte(w, '\''); at > 0 && elided[w[:at+1]] {
		return []string{w[:at+1], w[at+1:]}
	}
	return []string{w}
}

// plainLetters are what keyboards without the letters of a language give in their place.
var plainLetters = []*strings.Replacer{
	strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss", "œ", "oe", "æ", "ae"),
	strings.NewReplacer("ä", "a", "ö", "o", "ü", "u", "ß", "ss", "á", "a", "à", "a", "â", "a", "é", "e", "è", "e", "ê", "e", "ë", "e",
		"í", "i", "î", "i", "ï", "i", "ó", "o", "ô", "o", "ú", "u", "ù", "u", "û", "u", "ñ", "n", "ç", "c", "œ", "oe", "æ", "ae"),
}

func spellings(phrase string) []string {
	out := []string{phrase}
	for _, r := range plainLetters {
		if p := r.Replace(phrase); !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

// joinDays adds the names of days that hold a part of the day: Freitagabend.
func (t *tongueWords) joinDays() {
	if len(t.classes["compound"]) == 0 {
		return
	}
	for _, day := range slices.Clone(t.classes["weekday"]) {
		for _, part := range t.classes["part"] {
			if len(day.words) == 1 && len(part.words) == 1 {
				t.addTerm("weekday_part", day.value+" "+part.value, 0, day.words[0]+part.words[0])
			}
		}
	}
}

// mendable are the classes whose words are known by one slip of the fingers, too.
var mendable = words("month weekday")

const shortestMended = 6 // letters

// mended reads a word that no table has as one of a class that it misses by a letter left
// out, typed twice or exchanged with its neighbour.
func (s *scan) mended(i int, w, class string) (term, int) {
	if utf8.RuneCountInString(w) < shortestMended || s.knows != nil && s.knows(w) {
		return term{}, 0
	}
	for _, e := range s.tongue.classes[class] {
		if own := e.words[0]; len(e.words) == 1 && len(own) >= shortestMended && own[0] == w[0] && slipped(own, w) {
			return e, 1
		}
	}
	return term{}, 0
}

// slipped reports whether a word is another one with a letter too few, too many or two
// neighbours exchanged.
func slipped(own, typed string) bool {
	a, b := []rune(own), []rune(typed)
	k := 0
	for k < len(a) && k < len(b) && a[k] == b[k] {
		k++
	}
	switch len(a) - len(b) {
	case 1:
		return slices.Equal(a[k+1:], b[k:])
	case -1:
		return slices.Equal(a[k:], b[k+1:])
	case 0:
		return k+1 < len(a) && a[k] == b[k+1] && a[k+1] == b[k] && slices.Equal(a[k+2:], b[k+2:])
	}
	return false
}

// cutElided divides the tokens whose article is cut short, "d'avril", where what follows is
// a word of the tables; other words stay whole.
func (s *scan) cutElided() {
	if len(s.tongue.elided) == 0 || !strings.ContainsAny(s.text, "'’") {
		return
	}
	for i := 0; i < len(s.tokens); i++ {
		t := s.tokens[i]
		at := strings.IndexByte(t.low, '\'')
		if t.class != letters || at <= 0 || !s.tongue.elided[t.low[:at+1]] || !s.tongue.known[t.low[at+1:]] {
			continue
		}
		cut := strings.IndexAny(t.text, "'’")
		_, width := utf8.DecodeRuneInString(t.text[cut:])
		cut += width
		article, rest := t, t
		article.end, article.text, article.low = t.start+cut, t.text[:cut], t.low[:at+1]
		rest.start, rest.text, rest.low = t.start+cut, t.text[cut:], t.low[at+1:]
		s.tokens[i] = article
		s.tokens = slices.Insert(s.tokens, i+1, rest)
		s.taken, s.exact = append(s.taken, false), append(s.exact, false)
	}
}
