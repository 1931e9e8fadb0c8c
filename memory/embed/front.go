package embed

import "fmt"

// Front is the model cut to its first dimensions. The table is made by principal components, so
// that the first dimensions carry most of the meaning: half of them do where the length of vectors
// matters more than the last bit of quality.
type Front struct {
	static *Static
	n      int
}

// Front returns the model cut to its first n dimensions, n in [1, Dimension].
func (s *Static) Front(n int) *Front {
	if n < 1 || n > s.table.dimension {
		panic(fmt.Sprintf("embed: %d of %d dimensions", n, s.table.dimension))
	}
	return &Front{s, n}
}

// Model returns the name of the whole model with the number of dimensions.
func (f *Front) Model() string { return fmt.Sprintf("%s/%d", f.static.model, f.n) }

// Dimension returns the length of the vectors.
func (f *Front) Dimension() int { return f.n }

// EmbedInto is [Static.EmbedInto] for the cut vectors, which also have unit length.
func (f *Front) EmbedInto(dst []float32, text string) {
	if len(dst) != f.n {
		panic(fmt.Sprintf("embed: a vector of %d numbers, want %d", len(dst), f.n))
	}
	var total sum
	f.static.table.sumText(&total, text)
	total.unit(dst)
}

// Knows reports whether a word, in lower case, is a common English one.
func (f *Front) Knows(word string) bool {
	_, ok := f.static.table.rank([]byte(word))
	return ok
}

// Rank returns the rank of a word, in lower case, among the common English ones, the most frequent
// first. ok is false for any other word. It does not allocate.
func (f *Front) Rank(word []byte) (rank int, ok bool) { return f.static.table.rank(word) }
