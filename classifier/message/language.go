package message

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/slotway/slotway/config/language"
)

// offered lists the words of the options of a yes or no question.
var offered = map[string]string{"yes": "yes", "no": "no"}

// readBooks makes books of the phrases around an answer.
func (t *Language) readBooks() {
	t.Books = map[string]*Book{}
	for _, class := range [...]string{"yes", "no", "neither", "opening", "closing"} {
		var phrases []string
		for _, e := range t.Classes[class] {
			phrases = append(phrases, strings.Join(e.Words, " "))
		}
		if said, ok := offered[class]; ok { // whatever the language
			phrases = append(slices.Clone(phrases), said)
		}
		t.Books[class] = NewBook(phrases)
	}
}

// Language holds the words of a language by class, as values.txt in its folder has them.
type Language struct {
	Tag      string            // of the folder, without a region
	Coded    bool              // English, whose numbers, shapes and courtesy have rules of their own
	Words    map[string][]Term // by the first word, in every spelling
	Classes  map[string][]Term // by the name of the class
	known    Set               // every word of the tables
	Compound bool              // numbers are written as one word: dreihundertvier
	morphs   []morph           // the parts of such numbers, the longest first
	Elided   Set               // articles cut short, which are words of their own: l', d'
	Books    map[string]*Book  // phrases around an answer, and those for yes and no
	sets     map[string]Set    // words by class, of words.txt
}

// Holds reports whether a word, alone, is in one of some classes.
func (t *Language) Holds(word string, classes ...string) bool {
	return slices.ContainsFunc(t.Words[word], func(e Term) bool { return len(e.Words) == 1 && slices.Contains(classes, e.Class) })
}

// languages holds the languages that were read.
var languages = struct {
	sync.Mutex
	read map[string]*Language
}{read: map[string]*Language{}}

// LanguageOf returns the language of a tag; English for a language that has no values.txt.
func LanguageOf(tag string) *Language {
	base := language.Base(tag)
	languages.Lock()
	defer languages.Unlock()
	if t, known := languages.read[base]; known {
		return t
	}
	if !language.Has(base, "values.txt") {
		base = language.English
	}
	if t, known := languages.read[base]; known {
		return t
	}
	t, err := newLanguage(base, language.Lists(base, "values.txt"))
	if err != nil {
		panic(fmt.Sprintf("%s/values.txt: %v", base, err)) // the files are built in; a test reads them all
	}
	languages.read[base] = t
	return t
}

// newLanguage reads the words of a language by class.
func newLanguage(tag string, lists language.Table) (*Language, error) {
	t := &Language{Tag: tag, Coded: tag == language.English, Words: map[string][]Term{}, Classes: map[string][]Term{}, known: Set{}, Elided: Set{}, sets: map[string]Set{}}
	for _, e := range lists.Phrases("elided") {
		t.Elided[e] = true
	}
	for _, class := range lists.Names() {
		if class == "elided" {
			continue
		}
		for line := range strings.Lines(lists[class]) {
			if err := t.addLine(class, strings.TrimSpace(line)); err != nil {
				return nil, fmt.Errorf("list %s: %w", class, err)
			}
		}
	}
	t.readBooks()
	t.readWords()
	t.Compound = len(t.Classes["compound"]) > 0
	t.joinDays()
	return t, t.readMorphs()
}

// addLine reads a line of a class: "3 = märz, mrz", or phrases alone.
func (t *Language) addLine(class, line string) error {
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
func (t *Language) addTerm(class, value string, num float64, phrase string) {
	for _, spelling := range Spellings(phrase) {
		e := Term{Class: class, Value: value, Num: num}
		for _, tok := range Tokenize(spelling, nil) {
			e.Words = append(e.Words, splitElided(tok.Low, t.Elided)...)
		}
		for _, w := range e.Words {
			t.known[w] = true
		}
		t.Words[e.Words[0]] = append(t.Words[e.Words[0]], e)
		t.Classes[class] = append(t.Classes[class], e)
	}
}

// splitElided cuts a word behind an article cut short.
func splitElided(w string, elided Set) []string {
	if at := strings.IndexByte(w, '\''); at > 0 && elided[w[:at+1]] {
		return []string{w[:at+1], w[at+1:]}
	}
	return []string{w}
}

// plainLetters maps letters of a language to those that people type on a keyboard without them.
var plainLetters = []*strings.Replacer{
	strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss", "œ", "oe", "æ", "ae"),
	strings.NewReplacer("ä", "a", "ö", "o", "ü", "u", "ß", "ss", "á", "a", "à", "a", "â", "a", "é", "e", "è", "e", "ê", "e", "ë", "e",
		"í", "i", "î", "i", "ï", "i", "ó", "o", "ô", "o", "ú", "u", "ù", "u", "û", "u", "ñ", "n", "ç", "c", "œ", "oe", "æ", "ae"),
}

// Spellings returns a phrase and the spellings that people type on keyboards without its letters.
func Spellings(phrase string) []string {
	out := []string{phrase}
	for _, r := range plainLetters {
		if p := r.Replace(phrase); !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

// joinDays adds the names of days that hold a part of the day: Freitagabend.
func (t *Language) joinDays() {
	if len(t.Classes["compound"]) == 0 {
		return
	}
	for _, day := range slices.Clone(t.Classes["weekday"]) {
		for _, part := range t.Classes["part"] {
			if len(day.Words) == 1 && len(part.Words) == 1 {
				t.addTerm("weekday_part", day.Value+" "+part.Value, 0, day.Words[0]+part.Words[0])
			}
		}
	}
}

// Mendable lists the classes whose words are also known with one slip of the finger.
var Mendable = Words("month weekday")

const shortestMended = 6 // letters

// mended returns the class of a word that no table has and that is one letter off a known word:
// left out, typed twice or swapped with its neighbour.
func (s *Message) mended(i int, w, class string) (Term, int) {
	if utf8.RuneCountInString(w) < shortestMended || s.Knows != nil && s.Knows(w) {
		return Term{}, 0
	}
	for _, e := range s.Language.Classes[class] {
		if own := e.Words[0]; len(e.Words) == 1 && len(own) >= shortestMended && own[0] == w[0] && slipped(own, w) {
			return e, 1
		}
	}
	return Term{}, 0
}

// slipped reports whether a word is another one with a letter too few, too many or two
// neighbours exchanged.
func slipped(own, typed string) bool {
	a, b := differing([]rune(own), []rune(typed))
	return len(a)+len(b) == 1 || len(a) == 2 && len(b) == 2 && a[0] == b[1] && a[1] == b[0]
}
