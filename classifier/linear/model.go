package linear

import (
	"sync"

	"github.com/slotway/slotway/classifier"
)

// Model ranks intents. It does not change and is safe for concurrent use.
type Model struct {
	intents    []string // sorted
	vocabulary *vocabulary
	classes    int
	sparse     matrix // by feature of the vocabulary
	dense      matrix // by dimension of the embedding
	bias       []float32
	embedder   Embedder // nil: none
	length     float64  // of the dense group
	curve      curve
	top        int
	pool       sync.Pool // of *scratch
}

// set stores the weights of a class: features, dimensions, bias.
func (m *Model) set(class int, w []float64) {
	features, last := len(m.vocabulary.idf), len(w)-1
	m.sparse.set(class, w[:features])
	m.dense.set(class, w[features:last])
	m.bias[class] = float32(w[last])
}

// Intents returns the names that the model tells apart, sorted.
func (m *Model) Intents() []string { return append([]string(nil), m.intents...) }

// Bytes is the memory that the model holds, without that of its embedder.
func (m *Model) Bytes() int {
	return m.sparse.bytes() + m.dense.bytes() + 4*len(m.bias) + m.vocabulary.bytes()
}

// Rank appends to into the best intents for text, best first, at most Options.Top of
// them, and returns the extended slice. A text without a word ranks nothing. Equal
// scores are in the order of their names. It allocates only when into must grow.
func (m *Model) Rank(text string, into []classifier.Score) []classifier.Score {
	s := m.pool.Get().(*scratch)
	defer m.pool.Put(s)
	m.score(text, s)
	return m.best(s, into)
}

// best appends the best of s.scores, with their confidence.
func (m *Model) best(s *scratch, into []classifier.Score) []classifier.Score {
	base := len(into)
	into = m.bestRaw(s, into)
	for i := base; i < len(into); i++ {
		into[i].Confidence = m.curve.confidence(into[i].Confidence, float64(s.known))
	}
	return into
}

// bestRaw appends the best of s.scores, the scores in place of confidences.
func (m *Model) bestRaw(s *scratch, into []classifier.Score) []classifier.Score {
	if len(s.tokens.words) == 0 {
		return into
	}
	base := len(into)
	for class, score := range s.scores {
		if len(into)-base == m.top {
			if float64(score) <= into[len(into)-1].Confidence {
				continue
			}
			into = into[:len(into)-1]
		}
		into = append(into, classifier.Score{Intent: m.intents[class], Confidence: float64(score)})
		for i := len(into) - 1; i > base && into[i-1].Confidence < into[i].Confidence; i-- {
			into[i-1], into[i] = into[i], into[i-1]
		}
	}
	return into
}

// score fills s.scores with the raw score of every class: about 1 for what was in the
// training set, about -1 for what has nothing to do with the class.
func (m *Model) score(text string, s *scratch) {
	m.vocabulary.vectorise(text, s)
	if cap(s.scores) < m.classes {
		s.scores = make([]float32, m.classes)
	}
	s.scores = s.scores[:m.classes]
	copy(s.scores, m.bias)
	m.sparse.addSparse(s.vector, &s.sums, s.scores)
	if m.embedder != nil {
		n := m.embedder.Dimension()
		if cap(s.dense) < n {
			s.dense = make([]float32, n)
		}
		s.dense = s.dense[:n]
		embed(m.embedder, s.dense, text, m.length)
		m.dense.addDense(s.dense, &s.sums, s.scores)
	}
}
