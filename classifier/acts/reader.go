package acts

import (
	"embed"
	"sync"

	"github.com/slotway/slotway/classifier/acts/feature"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config/language"
)

// models are those of the languages other than English.
//
//go:embed model.*.bin
var models embed.FS

// The tables of a language: the phrases that are certain, as phrases.txt here has them, and
// lists: the words of the guard by their names there, and joining, the words that join a
// clause to another.
const (
	phraseTable = "phrases.txt"
	guardTable  = "acts.txt"
)

// Reader returns the acts of clauses in the language of an agent. It is safe for concurrent use.
type Reader struct {
	model *Model // nil: the language has none
}

var readers sync.Map // of func() *Reader, by the tag of a language

// In returns the reader of a language. A language without tables of its own has the English
// phrases, which people use everywhere: "ok", a thumb.
func In(tag string) *Reader {
	tag = language.Base(tag)
	read, ok := readers.Load(tag)
	if !ok {
		if tag != language.English && !language.Has(tag, phraseTable) {
			return &Reader{}
		}
		read, _ = readers.LoadOrStore(tag, sync.OnceValue(func() *Reader { return &Reader{model: modelOf(tag)} }))
	}
	return read.(func() *Reader)()
}

func modelOf(tag string) *Model {
	if tag == language.English {
		return shipped()
	}
	data, err := models.ReadFile("model." + tag + ".bin")
	if err != nil {
		return nil // its tables are there, and nobody has trained it
	}
	m, err := Decode(tag, data)
	if err != nil {
		panic(err) // built in; a test reads it
	}
	return m
}

// Trained reports whether the language has a model.
func (r *Reader) Trained() bool { return r.model != nil }

// Of returns the acts of a clause; mark is the punctuation behind it, or 0. A language without a
// model has the English phrases alone.
func (r *Reader) Of(clause string, mark rune) message.Acts {
	if r.model == nil {
		a, _ := Known(clause)
		return questioned(a, mark)
	}
	return r.model.Of(clause, mark)
}

// tablesOf returns the tables of a language.
func tablesOf(tag string) *tables {
	tag = language.Base(tag)
	if tag == language.English {
		return english()
	}
	fold := folding(tag)
	file, _ := language.Read(tag, phraseTable)
	lists := language.Lists(tag, guardTable)
	words := func(name string) map[uint64]bool { return hashes(fold(lists[name])) }
	t := &tables{tag: tag, phrases: readCertain(tag+"/"+phraseTable, string(file), fold), joiners: words("joining")}
	t.guards = guards{turning: words("turning"), asking: words("asking"), pointing: words("pointing"), opening: words("opening"), closing: words("closing")}
	var sparing []string
	for _, p := range lists.Phrases("sparing") {
		sparing = append(sparing, fold(p))
	}
	t.guards.sparing = sparingOf(sparing)
	t.signs()
	return t
}

// signs adds the English phrases without a letter: a thumb is understood everywhere.
func (t *tables) signs() {
	lines := english().phrases
	var c feature.Clause
	for _, sign := range feature.Signs(phraseFile) {
		c.Read(sign)
		if _, own := t.phrases[c.Hash(0)]; !own && lines[c.Hash(0)] != nil {
			t.phrases[c.Hash(0)] = lines[c.Hash(0)]
		}
	}
}
