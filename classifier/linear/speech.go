package linear

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/slotway/slotway/config/language"
)

// table of a language that speechOf reads.
const speechTable = "features.txt"

// speech holds the properties of a language that features depend on.
type speech struct {
	tag      string
	function map[string]bool // words that name nothing, as split leaves them
	folding  *folding        // nil: letters stay as they are written
}

var (
	englishSpeech = readSpeech(language.English)
	speeches      sync.Map // *speech by base tag
)

// speechOf returns the speech of a language. A language without a table has no function words.
func speechOf(tag string) *speech {
	tag = language.Base(tag)
	if tag == language.English {
		return englishSpeech
	}
	if s, ok := speeches.Load(tag); ok {
		return s.(*speech)
	}
	if !language.Has(tag, speechTable) {
		return &speech{tag: tag} // made up, it takes no room
	}
	known, _ := speeches.LoadOrStore(tag, readSpeech(tag))
	return known.(*speech)
}

// readSpeech reads the table of a language.
func readSpeech(tag string) *speech {
	lists := language.Lists(tag, speechTable)
	s := &speech{tag: tag, function: map[string]bool{}, folding: newFolding(lists.Words("letters"))}
	t := tokens{folding: s.folding}
	for _, word := range lists.Words("function") {
		t.split(word)
		s.function[string(t.buf)] = true
	}
	return s
}

// foldedBelow is above every letter with an accent of the languages that are folded.
const foldedBelow = 0x250

// folding maps letters that people write in several ways to one of them.
type folding struct {
	letters [foldedBelow]string
	pairs   map[[2]byte]string // of two plain letters
}

// newFolding takes letters, or pairs of plain ones, each with what stands for it; nil for none.
func newFolding(list []string) *folding {
	if len(list) < 2 {
		return nil
	}
	f := &folding{pairs: map[[2]byte]string{}}
	for i := 0; i+1 < len(list); i += 2 {
		from, to := list[i], list[i+1]
		switch r, n := utf8.DecodeRuneInString(from); {
		case n == len(from) && r < foldedBelow:
			f.letters[r] = to
		case len(from) == 2 && strings.IndexFunc(from, func(r rune) bool { return r >= utf8.RuneSelf }) < 0:
			f.pairs[[2]byte{from[0], from[1]}] = to
		}
	}
	return f
}

// append appends r, in lower case, to a word that begins at start.
func (f *folding) append(b []byte, start int, r rune) []byte {
	switch {
	case r < utf8.RuneSelf:
		if last := len(b) - 1; last >= start {
			if to, ok := f.pairs[[2]byte{b[last], byte(r)}]; ok {
				return append(b[:last], to...)
			}
		}
		return append(b, byte(r))
	case r < foldedBelow && f.letters[r] != "":
		return append(b, f.letters[r]...)
	}
	return utf8.AppendRune(b, r)
}
