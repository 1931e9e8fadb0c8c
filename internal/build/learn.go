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

// WordVectors opens the embedded table of word vectors once.
var WordVectors = sync.OnceValues(embed.New)

// vectorDimensions is the number of dimensions of a word vector that the classifier uses. On
// ten-example sets the first half does as well as the whole (within 0.4 points), on CLINC150 it
// costs 0.3, and training and ranking take two thirds of the time.
const vectorDimensions = 128

// encodeFrom is the number of tasks and answers from which auto uses the encoder: with fewer there
// is little to tell apart. With six to ten tasks of BANKING77 and eight examples each, the encoder
// raises the messages that are acted on rightly from 88.9 to 92.6 in 100, and lowers those acted on
// although they are only near a task from 46 to 35; from 64 tasks on it gains five points at ten
// examples each. docs/howto/authoring.md has the command.
const encodeFrom = 4

// Learning returns the options for training classifiers: with word vectors among the features, with
// the sentence encoder if the settings have it, ranking top intents (0: as many as a result holds),
// and with cache unless it is nil.
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
		o.Vectors = &exampleVectors
	}
	return o, nil
}

// exampleVectors caches the vectors of examples for commands that train one agent many times.
var exampleVectors SharedCache

// SharedCache caches classifiers for the life of the program, for commands that build one agent
// many times.
type SharedCache struct {
	mu   sync.Mutex // guards kept
	kept map[string][]byte
}

// Get returns the data under a name, or nil.
func (c *SharedCache) Get(name string) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.kept[name]
}

// Put stores data under a name.
func (c *SharedCache) Put(name string, data []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kept == nil {
		c.kept = map[string][]byte{}
	}
	c.kept[name] = data
}
