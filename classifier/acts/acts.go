package acts

import (
	_ "embed" // the model and the phrases
	"sync"

	"github.com/slotway/slotway/classifier/acts/feature"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config/language"
)

//go:embed model.bin
var modelFile []byte

// shipped is the model of English in the binary, read at its first use.
var shipped = sync.OnceValue(func() *Model {
	m, err := Decode(language.English, modelFile)
	if err != nil {
		panic(err) // the file is built in; a test reads it
	}
	return m
})

// Of says what a clause in English does; mark is the punctuation behind it, 0 where there is none.
func Of(clause string, mark rune) message.Acts { return shipped().Of(clause, mark) }

// Bytes is the size of the model in the binary.
func Bytes() int { return len(modelFile) }

// work is the memory that the reading of one clause needs.
type work struct {
	clause   feature.Clause
	features []uint64
}

var pool = sync.Pool{New: func() any { return &work{features: make([]uint64, 0, feature.Most+16)} }}

// Of says what a clause does, by the tables and then by the model.
func (m *Model) Of(clause string, mark rune) message.Acts {
	w := pool.Get().(*work)
	defer pool.Put(w)
	folded := m.fold(clause)
	w.clause.Read(folded)
	if len(w.clause.Words) == 0 {
		return wordless(mark)
	}
	m.vocabulary.Mend(&w.clause)
	if a, ok := m.tables.known(&w.clause); ok {
		if mark == '?' {
			a[message.ActQuestion] = max(a[message.ActQuestion], asked)
		}
		return questioned(a, mark)
	}
	if len(w.clause.Words) == 1 {
		w.clause.Read(folded) // a lone word that is only near to one that is known may be anything: "plaid"
	}
	w.features = m.vocabulary.Append(w.features[:0], &w.clause, mark)
	a := m.score(w.features)
	m.tables.guard(clause, &w.clause, &a)
	return questioned(a, mark)
}

// asked is the least probability that a yes or a stock phrase with a question mark is a question:
// "yes?"
const asked = 0.6

// questioned lowers the yes of a clause that ends with a question mark.
func questioned(a message.Acts, mark rune) message.Acts {
	if mark == '?' && a[message.ActYes] > noYes {
		a[message.ActYes], a[message.ActQuestion] = noYes, max(a[message.ActQuestion], asked)
	}
	return a
}

// wordless returns the acts of punctuation alone: "?" asks for help, "..." asks for time.
func wordless(mark rune) message.Acts {
	var a message.Acts
	switch mark {
	case '?':
		a[message.ActQuestion], a[message.ActHelp], a[message.ActRepeat] = 0.6, 0.7, 0.4
	case '.':
		a[message.ActHold] = 0.6
	}
	return a
}
