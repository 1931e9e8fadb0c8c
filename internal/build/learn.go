package build

import (
	"fmt"
	"sync"

	"github.com/slotway/slotway/classifier/cascade"
	"github.com/slotway/slotway/classifier/encoder"
	"github.com/slotway/slotway/classifier/linear"
	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/memory/embed"
)

// WordVectors is the compiled-in table of word vectors, opened once.
var WordVectors = sync.OnceValues(embed.New)

// vectorDimensions is how much of a word vector the classifier takes. On ten-example sets
// the first half does as well as the whole (within 0.4 points), on CLINC150 it costs 0.3,
// and training and ranking take two thirds of the time.
const vectorDimensions = 128

// encodeFrom is how many tasks and answers an agent has that auto gives the encoder: with fewer
// there is little to tell apart. Of six to ten tasks of BANKING77 with eight examples each it
// makes 92.6 instead of 88.9 in 100 messages acted on rightly, and 35 instead of 46 of those that
// are only near a task; from 64 tasks on it wins five points at ten examples each. docs/authoring.md
// has the command.
const encodeFrom = 4

// Learning says how this program trains classifiers: with word vectors among the features,
// with the sentence encoder behind them where the settings have it, ranking top intents (0: as
// many as a result holds), and kept in cache unless that is nil.
func Learning(s settings.Classifier, cache cascade.Cache, top int) (*cascade.Options, error) {
	table, err := WordVectors()
	if err != nil {
		return nil, fmt.Errorf("open the word vectors: %w", err)
	}
	o := &cascade.Options{Cache: cache, Words: table.Front(vectorDimensions), Linear: &linear.Options{Embedder: table.Front(vectorDimensions), Top: top}}
	if s.Encoder == "off" || s.Encoder == "auto" && !encoder.Fast() {
		return o, nil
	}
	o.Encoder = func() (linear.Embedder, error) { return encoder.New(&encoder.Options{Question: true}) }
	if s.Encoder == "auto" {
		o.EncodeFrom = encodeFrom
	}
	if cache == nil {
		o.Vectors = &ExampleVectors
	}
	return o, nil
}

// ExamplesRead keeps the vectors of examples for commands that train one agent many times.
var ExampleVectors SharedCache

// SharedCache keeps classifiers for as long as the program runs, for commands that build
// one agent many times.
type SharedCache struct {
	mu   sync.Mutex // guards kept
	kept map[string][]byte
}

// Get returns what was kept under a name, or nil.
func (c *SharedCache) Get(name string) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.kept[name]
}

// Put keeps data under a name.
func (c *SharedCache) Put(name string, data []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kept == nil {
		c.kept = map[string][]byte{}
	}
	c.kept[name] = data
}
