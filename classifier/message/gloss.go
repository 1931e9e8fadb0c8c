package message

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/slotway/slotway/config/language"
)

// Gloss translates the small words of a language to English: "nicht" to "not", "auf keinen Fall" to
// "no way". The rules of a dialogue work on these words alone, in English; all other words stay as
// they are. English has no gloss, and needs none.
//
//	# a remark
//	not: nicht, nich, net
//	no way: auf keinen fall
//	it: c', 's
//
// A part of a word that ends or starts with an apostrophe is a word of its own: "c'est" is "c'" and
// "est".
type Gloss struct {
	tag     string
	phrases map[string][]phrase // by first word, the longest first
	parts   map[string]bool     // words that end or start with an apostrophe

	// VerbLast says that the verb of a question or a title comes last: "Soll ich die Bestellung
	// stornieren?". The line "! verb last" sets it.
	VerbLast bool
}

// phrase is a phrase and its English.
type phrase struct{ said, english []string }

// glossFile is the name of the file of a gloss.
const glossFile = "gloss.txt"

var glosses sync.Map // of *Gloss, by tag as it is written

// GlossOf returns the gloss of a tag's language; nil if it has none.
func GlossOf(tag string) *Gloss {
	if tag == "" || tag == language.English {
		return nil
	}
	if g, ok := glosses.Load(tag); ok {
		return g.(*Gloss)
	}
	data, ok := language.Read(tag, glossFile)
	if !ok {
		return nil // do not cache made-up tags
	}
	g, err := parseGloss(tag, string(data))
	if err != nil {
		panic(fmt.Sprintf("%s/%s: %v", language.Base(tag), glossFile, err)) // embedded; a test reads it
	}
	kept, _ := glosses.LoadOrStore(tag, g)
	return kept.(*Gloss)
}

// parseGloss parses a gloss.
func parseGloss(tag, text string) (*Gloss, error) {
	g := &Gloss{tag: language.Base(tag), phrases: map[string][]phrase{}, parts: map[string]bool{}}
	type entry struct {
		at      int
		english string
		said    string
	}
	var entries, bare []entry // bare: without the umlauts, "fur"
	at := 0
	for line := range strings.Lines(text) {
		at++
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
			continue
		case line == "! verb last":
			g.VerbLast = true
			continue
		}
		english, list, ok := strings.Cut(line, ": ")
		if !ok {
			return nil, fmt.Errorf("line %d: %q has no English: write \"not: nicht, nich\"", at, line)
		}
		for said := range strings.SplitSeq(list, ", ") {
			raw := strings.TrimSpace(said)
			said = language.Fold(g.tag, raw)
			entries = append(entries, entry{at, english, said})
			if bald := language.Fold(language.English, raw); bald != said {
				bare = append(bare, entry{at, english, bald})
			}
			if strings.HasPrefix(said, "'") || strings.HasSuffix(said, "'") {
				g.parts[said] = true
			}
		}
	}
	where := map[string]int{}
	for _, e := range entries {
		words := g.cut(e.said)
		if len(words) == 0 {
			return nil, fmt.Errorf("line %d: an entry has no word", e.at)
		}
		key := strings.Join(words, " ")
		switch before := where[key]; {
		case before == e.at:
			continue // two spellings of one word
		case before > 0:
			return nil, fmt.Errorf("line %d: line %d already has %q: a word has one meaning here", e.at, before, e.said)
		}
		where[key] = e.at
		g.phrases[words[0]] = append(g.phrases[words[0]], phrase{words, strings.Fields(e.english)})
	}
	for _, e := range bare {
		words := g.cut(e.said)
		if key := strings.Join(words, " "); where[key] == 0 {
			where[key] = e.at
			g.phrases[words[0]] = append(g.phrases[words[0]], phrase{words, strings.Fields(e.english)})
		}
	}
	for _, list := range g.phrases {
		slices.SortStableFunc(list, func(a, b phrase) int { return len(b.said) - len(a.said) })
	}
	return g, nil
}

// Words returns the words of a text in lower case, the small ones in English. It passes words that
// are not in the gloss to other, which returns how to write them.
func (g *Gloss) Words(text string, other func(string) string) []string {
	said := g.cut(language.Fold(g.tag, text))
	out := make([]string, 0, len(said))
	for len(said) > 0 {
		english, n := g.longest(said)
		if n == 0 {
			out = append(out, other(said[0]))
			n = 1
		}
		out = append(out, english...)
		said = said[n:]
	}
	return out
}

// longest returns the English of the longest entry that folded words start with, and its number of
// words; 0: there is none.
func (g *Gloss) longest(said []string) (english []string, n int) {
	first := g.known(said[0])
next:
	for _, p := range g.phrases[first] {
		if len(p.said) > len(said) {
			continue
		}
		for i, w := range p.said[1:] {
			if g.known(said[i+1]) != w && said[i+1] != w {
				continue next
			}
		}
		return p.english, len(p.said)
	}
	return nil, 0
}

// Lead is longest for words as written.
func (g *Gloss) Lead(words []string) (english []string, n int) {
	said := make([]string, len(words))
	for i, w := range words {
		said[i] = language.Fold(g.tag, w)
	}
	return g.longest(said)
}

// Longest returns the number of words of the longest entry that starts with a word; 0: there is
// none.
func (g *Gloss) Longest(word string) int {
	list := g.phrases[g.known(language.Fold(g.tag, word))]
	if len(list) == 0 {
		return 0
	}
	return len(list[0].said)
}

// known returns a word without drawn-out letters if the gloss has it in that form: "jaaa",
// "neeein", "siii".
func (g *Gloss) known(word string) string {
	if _, ok := g.phrases[word]; ok || !drawn(word) {
		return word
	}
	for _, most := range []int{2, 1} {
		if w := calm(word, most); g.phrases[w] != nil {
			return w
		}
	}
	return word
}

// drawn reports whether a letter stands three times in a row, or a vowel twice at the end.
func drawn(word string) bool {
	n := len(word)
	if n > 2 && word[n-1] == word[n-2] && strings.IndexByte("aeiouy", word[n-1]) >= 0 {
		return true
	}
	for i := 2; i < n; i++ {
		if word[i] == word[i-1] && word[i] == word[i-2] && word[i] >= 'a' {
			return true
		}
	}
	return false
}

// calm limits repetitions of a letter to most.
func calm(word string, most int) string {
	out := make([]byte, 0, len(word))
	run := 0
	for i := range len(word) {
		if run++; i > 0 && word[i] != word[i-1] {
			run = 1
		}
		if run <= most {
			out = append(out, word[i])
		}
	}
	return string(out)
}

// cut makes words of the tokens of a folded text, and parts of words with an apostrophe.
func (g *Gloss) cut(text string) []string {
	tokens := Tokenize(text, nil)
	inWord := func(k int) bool { return tokens[k].InWord() || tokens[k].IsApostrophe() }
	var out []string
	for i := 0; i < len(tokens); {
		end := RunEnd(tokens, i, func(k int) bool { return inWord(k) && inWord(i) })
		if inWord(i) {
			out = append(out, g.parted(text[tokens[i].Start:tokens[end-1].End])...)
		}
		i = end
	}
	return out
}

func (g *Gloss) parted(word string) []string {
	i := strings.IndexByte(word, '\'')
	switch {
	case i < 0:
		return []string{word}
	case i > 0 && i+1 < len(word) && g.parts[word[:i+1]]:
		return append([]string{word[:i+1]}, g.parted(word[i+1:])...)
	case i > 0 && g.parts[word[i:]]:
		return []string{word[:i], word[i:]}
	case g.parts[word]:
		return []string{word}
	}
	if word = strings.Trim(word, "'"); word == "" {
		return nil
	}
	return []string{word}
}
