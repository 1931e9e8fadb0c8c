package recall

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
)

// clusters is an embedder that costs nothing: words that begin with the same two letters
// mean about the same.
type clusters struct{}

const clusterDim = 64

func (clusters) Model() string  { return "clusters" }
func (clusters) Dimension() int { return clusterDim }

func (c clusters) Embed(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		out[i] = make([]float32, clusterDim)
		c.EmbedInto(out[i], text)
	}
	return out, nil
}

func (clusters) EmbedInto(dst []float32, text string) {
	clear(dst)
	for w := range strings.FieldsSeq(strings.ToLower(text)) {
		w = strings.Trim(w, ".,?!")
		if len(w) < 3 {
			continue
		}
		common, own := rand.New(rand.NewPCG(uint64(w[0]), uint64(w[1]))), rand.New(rand.NewPCG(checkOf(w), 5))
		for i := range dst {
			dst[i] += float32(common.NormFloat64() + .5*own.NormFloat64())
		}
	}
	unit(dst)
}

// server is an embedder that takes time and can fail; it gives the vectors of clusters.
type server struct {
	model string

	mu    sync.Mutex
	down  bool
	after int // texts after which it goes down; 0: never
	asked int // texts so far
}

var errDown = errors.New("down")

func (s *server) Model() string  { return s.model }
func (s *server) Dimension() int { return clusterDim }

func (s *server) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.after > 0 && s.asked >= s.after {
		s.down = true
	}
	if s.down {
		return nil, errDown
	}
	s.asked += len(texts)
	return clusters{}.Embed(ctx, texts)
}

// short gives vectors of another dimension than it says; none at all for 0.
type short struct{ dim int }

func (short) Model() string  { return "short" }
func (short) Dimension() int { return clusterDim }

func (s short) Embed(_ context.Context, texts []string) ([][]float32, error) {
	if s.dim == 0 {
		return nil, nil
	}
	out := make([][]float32, len(texts))
	for i := range out {
		out[i] = make([]float32, s.dim)
	}
	return out, nil
}
