package cascade

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"

	"github.com/slotway/slotway/classifier/extract/tagger"
	"github.com/slotway/slotway/classifier/internal/modelfile"
	"github.com/slotway/slotway/classifier/linear"
	"github.com/slotway/slotway/config"
)

// Version is the version of the masks and stock phrases. It is raised whenever the recognisers or
// this package would make something else of the same examples; a test checks that.
const Version = 2

// Cache keeps trained classifiers under names that identify their training data. Its content may be
// damaged or belong to another classifier: the classifier is then trained again.
type Cache interface {
	Get(name string) []byte // nil: not there
	Put(name string, data []byte)
}

const cacheMagic = "slwc2"

// kept is a trained classifier as the cache keeps it.
type kept struct {
	Name    string
	Phrases []keptPhrase // sorted
	Intents *linear.Stored
	Params  *tagger.Stored
}

// keptPhrase is a stock phrase.
type keptPhrase struct {
	Phrase, System string
	Tasks          []string
}

// cacheName returns a digest of everything that training depends on, or "" for an agent that was
// not loaded from a file and so has no hash.
func cacheName(agent *config.Agent, o *Options, l *linear.Options) string {
	if agent.Hash == "" {
		return ""
	}
	vectors := ""
	if l.Embedder != nil {
		vectors = fmt.Sprint(l.Embedder.Model(), l.Embedder.Dimension())
	}
	if o.Words != nil {
		vectors += fmt.Sprint(" words ", o.Words.Model(), o.Words.Dimension())
	}
	if l.Encoder != nil {
		vectors += fmt.Sprint(" then ", l.Encoder.Model(), l.Encoder.Dimension())
	}
	bare := tuned{l.C, l.MinDocs, l.Top, l.Seed, l.Describe, l.Uncalibrate}
	h := sha256.New()
	fmt.Fprintf(h, "%d %d %d %q %q %+v %+v", Version, linear.Version, tagger.Version, agent.Hash, vectors, bare, o.Extract)
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// tuned holds the options of training that change the model and belong neither to the agent nor to
// its vectors.
type tuned struct {
	C           float64
	MinDocs     int
	Top         int
	Seed        uint64
	Describe    map[string]string
	Uncalibrate bool
}

// kept returns what the cache keeps of the classifier under a name.
func (c *Classifier) kept(name string) *kept {
	k := &kept{Name: name, Params: c.tagger.Stored()}
	for _, phrase := range slices.Sorted(maps.Keys(c.stock)) {
		k.Phrases = append(k.Phrases, keptPhrase{phrase, c.stock[phrase].system, c.stock[phrase].tasks})
	}
	if c.model != nil {
		k.Intents = c.model.Stored()
	}
	return k
}

// restore takes over what was kept under a name, and reports whether it could: data may be damaged or another's.
func (c *Classifier) restore(data []byte, name string, l *linear.Options, words tagger.Vectors) bool {
	var k kept
	if !modelfile.Load(data, cacheMagic, &k) || k.Name != name {
		return false
	}
	var model *linear.Model
	var tags *tagger.Model
	var err error
	if k.Intents != nil {
		if model, err = linear.Restore(k.Intents, linear.Parts{Embedder: l.Embedder, Dictionary: l.Dictionary, Encoder: l.Encoder}); err != nil {
			return false
		}
	}
	if k.Params != nil {
		if tags, err = tagger.Restore(k.Params, words); err != nil {
			return false
		}
	}
	c.stock, c.model, c.tagger = map[string]stock{}, model, tags
	for _, p := range k.Phrases {
		c.stock[p.Phrase] = stock{p.System, p.Tasks}
	}
	return true
}
