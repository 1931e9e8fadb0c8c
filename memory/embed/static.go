package embed

import (
	"context"
	_ "embed" // the table
	"fmt"
	"math"
)

// Embedder turns texts into vectors: [Static], or a model server.
type Embedder interface {
	// Embed returns one vector of Dimension numbers for each text, in their order. A
	// vector has unit length or is all zeros. The caller owns the slices.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
	// Model names the model and its version. Vectors of different models must not be
	// compared.
	Model() string
	// Dimension returns the length of every vector.
	Dimension() int
}

var _ Embedder = (*Static)(nil)

//go:embed static.bin
var staticTable []byte

// Static is the embedded model; the package comment says what it computes. It is read-only after
// New and safe for concurrent use.
type Static struct {
	table *table
	model string
}

// New returns the embedded model. It verifies the table's checksum and uses the table in place, in
// about 0.6 ms (BenchmarkNew). An error wraps [ErrTable] and means that the program itself is
// damaged.
func New() (*Static, error) {
	t, err := parse(staticTable)
	if err != nil {
		return nil, fmt.Errorf("embedded model: %w", err)
	}
	return &Static{table: t, model: fmt.Sprintf("%s-%08x", t.name, t.checksum)}, nil
}

// Model returns the table's name and checksum, as in "static-minilm-256-v1-0123abcd": another table
// has another name even if its version was not raised.
func (s *Static) Model() string { return s.model }

// Dimension returns the length of the vectors.
func (s *Static) Dimension() int { return s.table.dimension }

// EmbedInto writes the vector of text to dst, whose length must be Dimension. The vector has unit
// length, or is all zeros if text has no known word. EmbedInto does not allocate. Only the first
// 4,096 words and pieces of words count.
func (s *Static) EmbedInto(dst []float32, text string) {
	if len(dst) != s.table.dimension {
		panic(fmt.Sprintf("embed: a vector of %d numbers, want %d", len(dst), s.table.dimension))
	}
	var total sum
	s.table.sumText(&total, text)
	total.unit(dst)
}

// unit writes the sum to dst, scaled to length 1. The products are converted to float64 before they
// are added: the conversion prevents fused operations, whose results differ in the last bit between
// processors.
func (s *sum) unit(dst []float32) {
	square := 0.0
	for i := range dst {
		v := float64(s.value(i))
		square += float64(v * v)
	}
	scale := 0.0
	if square > 0 {
		scale = 1 / math.Sqrt(square)
	}
	for i := range dst {
		dst[i] = float32(float64(s.value(i)) * scale)
	}
}

// Embed returns the vectors of texts. Its error is that of ctx, which it checks between texts.
func (s *Static) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	room := make([]float32, len(texts)*s.table.dimension)
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("embed %d texts: %w", len(texts), err)
		}
		vectors[i], room = room[:s.table.dimension:s.table.dimension], room[s.table.dimension:]
		s.EmbedInto(vectors[i], text)
	}
	return vectors, nil
}
