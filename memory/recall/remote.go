package recall

import (
	"context"
	"time"

	"github.com/slotway/slotway/config/breaker"
	"github.com/slotway/slotway/memory"
)

// RemoteEmbedder puts questions to an embedder that takes time, and knows what its cosines mean. An
// embedder that fails again and again is left alone for a while. It is safe for concurrent
// use, and is not to be copied.
type RemoteEmbedder struct {
	Embedder Embedder
	Redact   func(ctx context.Context, keys ...memory.Key) (func(text string) string, error) // as in Options

	breaker     breaker.Breaker
	calibration lazyCalibration
}

// EmbedQuestion is the vector of a question of a user, of length 1; nil: the embedder does not give
// one in time, or is left alone.
func (a *RemoteEmbedder) EmbedQuestion(ctx context.Context, key memory.Key, question string, limit time.Duration) []float32 {
	if a.Redact != nil {
		hide, err := a.Redact(ctx, key)
		if err != nil {
			return nil
		}
		question = hide(question)
	}
	permit, ok := a.breaker.Acquire()
	if !ok {
		return nil
	}
	within, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	found, err := a.Embedder.Embed(within, []string{question})
	permit.Done(outcomeOf(ctx, err))
	if err != nil || len(found) != 1 || len(found[0]) == 0 || len(found[0]) != a.Embedder.Dimension() {
		return nil
	}
	v := found[0]
	unit(v)
	for _, x := range v {
		if x != 0 {
			a.calibration.get(within, a.Embedder)
			return v
		}
	}
	return nil
}

// Distance is how far a cosine is from what two texts have that have nothing to do with one
// another, where 1 is what one in a hundred such pairs reaches. false: that is not known yet.
func (a *RemoteEmbedder) Distance(cosine float32) (float64, bool) {
	a.calibration.mu.Lock()
	defer a.calibration.mu.Unlock()
	return float64(a.calibration.value.distance(cosine)), a.calibration.known
}

// EmbedTexts are those of texts of a session, each of length 1 or zero, and measures the embedder
// where that was not done yet.
func (a *RemoteEmbedder) EmbedTexts(ctx context.Context, key memory.Key, texts []string) (vectors [][]float32, hidden []string, err error) {
	hidden = texts
	if a.Redact != nil {
		hide, err := a.Redact(ctx, key)
		if err != nil {
			return nil, nil, err
		}
		hidden = make([]string, len(texts))
		for i, text := range texts {
			hidden[i] = hide(text)
		}
	}
	for from := 0; from < len(hidden); from += batch {
		part := hidden[from:min(from+batch, len(hidden))]
		found, err := a.Embedder.Embed(ctx, part)
		if err != nil {
			return nil, nil, err
		}
		if len(found) != len(part) {
			return nil, nil, ErrEmbedder
		}
		for _, v := range found {
			if len(v) == 0 || len(v) != a.Embedder.Dimension() {
				return nil, nil, ErrEmbedder
			}
			unit(v)
		}
		vectors = append(vectors, found...)
	}
	a.calibration.get(ctx, a.Embedder)
	return vectors, hidden, nil
}
