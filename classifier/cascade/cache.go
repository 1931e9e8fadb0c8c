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
const Version = 1

// Cache keeps trained classifiers under names that identify their training data. Its content may be
// damaged or belong to another classifier: the classifier is then trained again.
type Cache interface {
	Get(name string) []byte // nil: not there
	Put(name string, data []byte)
}

// The encoding, little-endian, integers of 32 bits; texts and parts behind their length:
//
//	magic, name
//	stock phrases: their number, then each as system 0 or 1, intent, phrase, in order
//	intent model, tagger: their own encodings, empty where there is none
//	CRC-32C of all that
const cacheMagic = "slwc1"

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

func (c *Classifier) encode(name string) ([]byte, error) {
	b := modelfile.AppendText([]byte(cacheMagic), name)
	b = modelfile.AppendUint32s(b, uint32(len(c.stock)))
	for _, phrase := range slices.Sorted(maps.Keys(c.stock)) {
		s := c.stock[phrase]
		system := byte(0)
		if s.system {
			system = 1
		}
		b = modelfile.AppendText(modelfile.AppendText(append(b, system), s.intent), phrase)
	}
	var models [2][]byte
	var err error
	if c.model != nil {
		if models[0], err = c.model.AppendBinary(nil); err != nil {
			return nil, err
		}
	}
	if c.tagger != nil {
		if models[1], err = c.tagger.AppendBinary(nil); err != nil {
			return nil, err
		}
	}
	b = modelfile.AppendText(modelfile.AppendText(b, string(models[0])), string(models[1]))
	return modelfile.Seal(b, 0), nil
}

// decode restores what encode wrote under a name, and reports whether it could.
func (c *Classifier) decode(data []byte, name string, l *linear.Options, words tagger.Vectors) bool {
	r := modelfile.Open(data, cacheMagic)
	if r == nil || string(r.Text()) != name {
		return false
	}
	phrases := map[string]stock{}
	for range r.Count() {
		system, intent, phrase := r.Take(1), string(r.Text()), string(r.Text())
		if r.Bad {
			return false
		}
		phrases[phrase] = stock{intent, system[0] == 1}
	}
	intents, params := r.Text(), r.Text()
	if r.Bad || len(r.Rest) > 0 {
		return false
	}
	var model *linear.Model
	var tags *tagger.Model
	var err error
	if len(intents) > 0 {
		if model, err = linear.Decode(intents, &linear.DecodeOptions{Embedder: l.Embedder, Dictionary: l.Dictionary, Encoder: l.Encoder}); err != nil {
			return false
		}
	}
	if len(params) > 0 {
		if tags, err = tagger.Decode(params, words); err != nil {
			return false
		}
	}
	c.stock, c.model, c.tagger = phrases, model, tags
	return true
}
