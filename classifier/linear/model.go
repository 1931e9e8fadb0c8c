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
	weights    []float32 // by feature, then class: a text touches a few whole rows
	bias       []float32
	curve      curve
	top        int
	pool       sync.Pool // of *scratch
}

func (m *Model) set(class int, w []float64) {
	last := len(w) - 1
	for f, v := range w[:last] {
		m.weights[f*m.classes+class] = float32(v)
	}
	m.bias[class] = float32(w[last])
}

// Intents returns the names that the model tells apart, sorted.
func (m *Model) Intents() []string { return append([]string(nil), m.intents...) }

// Bytes is the size of the weights.
func (m *Model) Bytes() int { return 4 * (len(m.weights) + len(m.bias)) }

// Rank appends to into the best intents for text, best first, at most Options.Top of
// them, and returns the extended slice. A text without a word ranks nothing. Equal
// scores are in the order of their names. It allocates only when into must grow.
func (m *Model) Rank(text string, into []classifier.Score) []classifier.Score {
	s := m.pool.Get().(*scratch)
	defer m.pool.Put(s)
	m.score(text, s)
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
	for i := base; i < len(into); i++ {
		into[i].Confidence = m.curve.confidence(into[i].Confidence, float64(s.known))
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
	for _, e := range s.vector {
		row := m.weights[int(e.feature)*m.classes:][:m.classes]
		for c, w := range row {
			s.scores[c] += w * e.value
		}
	}
}
