package linear

import (
	"sync"

	"github.com/slotway/slotway/classifier/message"
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
	near       *neighbours // of a second model of few examples, whose curve is of evidence; nil: of scores
	top        int
	second     *Model    // ranks what this one is not sure of; nil: none
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
	n := m.sparse.bytes() + m.dense.bytes() + 4*len(m.bias) + m.vocabulary.bytes()
	if m.near != nil {
		n += 4 * len(m.near.vectors)
	}
	if m.second != nil {
		n += m.second.Bytes()
	}
	return n
}

// Rank appends to into the best intents for text, best first, at most Options.Top of
// them, and returns the extended slice. A text without a word ranks nothing. Equal
// scores are in the order of their names. It allocates only when into must grow.
func (m *Model) Rank(text string, into []message.Score) []message.Score {
	s := m.pool.Get().(*scratch)
	defer m.pool.Put(s)
	m.score(text, s)
	ranked := m.best(s, into)
	if !m.wantsSecond(s, ranked[len(into):]) {
		return ranked
	}
	return m.second.Glance(text, ranked[:len(into)])
}

// best appends the best of s.scores, with their confidence, which never rises down the
// ranking.
func (m *Model) best(s *scratch, into []message.Score) []message.Score {
	if len(s.tokens.words) == 0 {
		return into
	}
	m.order(s)
	if m.near != nil {
		return m.byEvidence(s, into)
	}
	last := 1.0
	for _, class := range s.order {
		last = min(last, m.curve.confidence(m.worth(class, s), float64(s.known)))
		into = append(into, message.Score{Intent: m.intents[class], Confidence: last})
	}
	return into
}

// order fills s.order with the classes of the highest scores.
func (m *Model) order(s *scratch) {
	s.order = s.order[:0]
	for class, score := range s.scores {
		if len(s.order) == m.top {
			if score <= s.scores[s.order[m.top-1]] {
				continue
			}
			s.order = s.order[:m.top-1]
		}
		s.order = append(s.order, class)
		for i := len(s.order) - 1; i > 0 && s.scores[s.order[i-1]] < score; i-- {
			s.order[i-1], s.order[i] = s.order[i], s.order[i-1]
		}
	}
}

// worth returns the score of a class that the curve takes: how well the text fits the class, less
// for unknown words. Where only the vector speaks for a class, the text is as likely to be off
// topic.
func (m *Model) worth(class int, s *scratch) float64 {
	score := float64(s.scores[class])
	if !m.curve.weighed {
		return score
	}
	unknown := max(0, wellKnown-float64(s.known))
	return (score + wordsWorth*float64(s.plainScores[class]) - knownWorth*unknown) / (1 + wordsWorth)
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
	s.plainScores = append(s.plainScores[:0], s.scores...)
	if m.embedder != nil {
		n := m.embedder.Dimension()
		if cap(s.dense) < n {
			s.dense = make([]float32, n)
		}
		s.dense = s.dense[:n]
		embed(m.embedder, s.dense, m.reads(text, s), m.length)
		m.dense.addDense(s.dense, &s.sums, s.scores)
	}
}
