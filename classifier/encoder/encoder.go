package encoder

import (
	"context"
	_ "embed" // the weights
	"fmt"
	"sync"
)

//go:embed weights.bin
var weights []byte

// Encoder turns texts into vectors. It does not change and is safe for concurrent use.
type Encoder struct {
	model   *model
	kernels *kernels
	name    string
	longest int
	mark    []Piece   // behind every text; none: it ends as it does
	pool    sync.Pool // of *scratch
}

// Options tunes an encoder; the zero value is right.
type Options struct {
	// Longest is how many pieces of words, with a marker at each end, are read of a text:
	// at least 3, and no more than the model has positions. Default 64.
	Longest int
	// Question reads every text as a question: with a question mark behind it, unless one is
	// there. What is said to an assistant comes without marks more often than not, and the model
	// has learned from texts that have them.
	Question bool
}

// longestMessage is the default of Options.Longest. Time grows with it.
const longestMessage = 64

// New returns the encoder that is compiled in. It verifies the checksum of the weights and
// uses them in place; the error wraps [ErrWeights] and means that the program is damaged.
func New(opts *Options) (*Encoder, error) {
	m, err := parsed()
	if err != nil {
		return nil, err
	}
	return newEncoder(m, fastest, opts), nil
}

// parsed is the model of the compiled-in weights, read once.
var parsed = sync.OnceValues(func() (*model, error) { return parse(weights) })

func newEncoder(m *model, k *kernels, opts *Options) *Encoder {
	e := &Encoder{model: m, kernels: k, name: fmt.Sprintf("%s-%08x", m.name, m.checksum), longest: longestMessage}
	if opts != nil && opts.Longest > 0 {
		e.longest = max(opts.Longest, 3)
	}
	e.longest = min(e.longest, m.positions)
	if opts != nil && opts.Question {
		e.question()
	}
	e.pool.New = func() any { return new(scratch) }
	return e
}

// Size is how many bytes of a program its weights are.
func Size() int { return len(weights) }

// Fast reports whether the processor makes the encoder cheap: a few milliseconds a message.
func Fast() bool { return fastest != &portable }

// Model is the name and the checksum of the weights, and how texts are read. All implementations give the same
// vectors, so it does not say which.
func (e *Encoder) Model() string { return e.name }

// Dimension is the length of the vectors.
func (e *Encoder) Dimension() int { return e.model.width }

// EmbedInto writes the vector of text to dst, whose length must be Dimension: of unit length,
// or all zeros where text has no word. It allocates nothing.
func (e *Encoder) EmbedInto(dst []float32, text string) {
	if len(dst) != e.model.width {
		panic(fmt.Sprintf("encoder: a vector of %d numbers, want %d", len(dst), e.model.width))
	}
	s := e.pool.Get().(*scratch)
	defer e.pool.Put(s)
	s.tokeniser.split(&e.model.vocabulary, text, e.longest-len(e.mark))
	if len(s.tokeniser.pieces) <= 2 { // the two markers
		clear(dst)
		return
	}
	s.tokeniser.end(e.mark)
	e.model.forward(e.kernels, s, s.tokeniser.pieces, dst)
}

// Embed returns the vectors of texts; its error is ctx's, checked between texts.
func (e *Encoder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	room := make([]float32, len(texts)*e.model.width)
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("embed %d texts: %w", len(texts), err)
		}
		vectors[i], room = room[:e.model.width:e.model.width], room[e.model.width:]
		e.EmbedInto(vectors[i], text)
	}
	return vectors, nil
}
