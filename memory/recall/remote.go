package recall

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/slotway/slotway/config/breaker"
	"github.com/slotway/slotway/memory"
)

// RemoteEmbedder asks an embedder that takes time, such as a model server, and knows what its
// cosines mean. It pauses an embedder that fails repeatedly. It is safe for concurrent use and must
// not be copied.
type RemoteEmbedder struct {
	Embedder Embedder
	Redact   Redactor

	breaker     breaker.Breaker
	calibration lazyCalibration
}

// EmbedQuestion returns the vector of a user's question, of length 1. It returns nil if the
// embedder gives none in time or is paused.
func (a *RemoteEmbedder) EmbedQuestion(ctx context.Context, key memory.Key, question string, limit time.Duration) []float32 {
	texts, err := a.Redact.Texts(ctx, []string{question}, key)
	if err != nil {
		return nil
	}
	permit, ok := a.breaker.Acquire()
	if !ok {
		return nil
	}
	within, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	vectors, err := embedTexts(within, a.Embedder, texts)
	permit.Done(outcomeOf(ctx, err))
	if err != nil || IsZero(vectors[0]) {
		return nil
	}
	a.calibration.get(within, a.Embedder)
	return vectors[0]
}

// Distance returns how far a cosine is above that of two unrelated texts, where 1 is what one in a
// hundred unrelated pairs reaches. known is false until the embedder has been calibrated.
func (a *RemoteEmbedder) Distance(cosine float32) (distance float64, known bool) {
	a.calibration.mu.Lock()
	defer a.calibration.mu.Unlock()
	return float64(a.calibration.value.distance(cosine)), a.calibration.known
}

// EmbedTexts returns the vectors of texts of a session, each of length 1 or zero, and calibrates the
// embedder if that has not been done yet.
func (a *RemoteEmbedder) EmbedTexts(ctx context.Context, key memory.Key, texts []string) ([][]float32, error) {
	texts, err := a.Redact.Texts(ctx, texts, key)
	if err != nil {
		return nil, err
	}
	vectors, err := embedTexts(ctx, a.Embedder, texts)
	if err != nil {
		return nil, err
	}
	a.calibration.get(ctx, a.Embedder)
	return vectors, nil
}

// batch is the most texts that an embedder gets in one call.
const batch = 64

// embedTexts returns the vectors of texts, each of length 1 or zero. ErrEmbedder: the embedder returned
// another number of vectors, or vectors of another length.
func embedTexts(ctx context.Context, e Embedder, texts []string) ([][]float32, error) {
	var all [][]float32
	for part := range slices.Chunk(texts, batch) {
		vectors, err := e.Embed(ctx, part)
		if err != nil {
			return nil, fmt.Errorf("embed %d texts: %w", len(part), err)
		}
		if len(vectors) != len(part) {
			return nil, fmt.Errorf("%w: %d vectors for %d texts", ErrEmbedder, len(vectors), len(part))
		}
		for _, v := range vectors {
			if len(v) == 0 || len(v) != e.Dimension() {
				return nil, fmt.Errorf("%w: a vector of %d numbers, expected %d", ErrEmbedder, len(v), e.Dimension())
			}
			unit(v)
		}
		all = append(all, vectors...)
	}
	return all, nil
}

// ensureDimension asks an embedder for a vector if it does not know yet how long its vectors are.
func ensureDimension(ctx context.Context, e Embedder) error {
	if e.Dimension() > 0 {
		return nil
	}
	if _, err := embedTexts(ctx, e, []string{"how long is a vector?"}); err != nil {
		return fmt.Errorf("ask for the length of vectors: %w", err)
	}
	return nil
}
