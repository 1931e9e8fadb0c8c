package cascade

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"maps"
	"slices"

	"github.com/slotway/slotway/classifier/extract/tagger"
	"github.com/slotway/slotway/classifier/linear"
	"github.com/slotway/slotway/config"
)

// Version of what is learned here: which words are masked, and which phrases are stock.
// It is raised whenever the recognisers or this package would make something else of the
// same examples; a test holds it to that.
const Version = 1

// Cache keeps trained classifiers under names that say what they were made from. What it
// gives back may be damaged or another's: that is found out, and trained again.
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

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// cacheName is a digest of everything that training depends on; "" for an agent that was
// not loaded from a file, whose content nothing sums up.
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

// tuned are the options of training that make another model and are neither of the agent nor of
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
	b := appendText([]byte(cacheMagic), name)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(c.stock)))
	for _, phrase := range slices.Sorted(maps.Keys(c.stock)) {
		s := c.stock[phrase]
		system := byte(0)
		if s.system {
			system = 1
		}
		b = appendText(appendText(append(b, system), s.intent), phrase)
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
	b = appendText(appendText(b, string(models[0])), string(models[1]))
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli)), nil
}

func appendText(b []byte, s string) []byte {
	return append(binary.LittleEndian.AppendUint32(b, uint32(len(s))), s...)
}

// decode takes over what encode wrote under the name, and reports whether it could.
func (c *Classifier) decode(data []byte, name string, l *linear.Options, words tagger.Vectors) bool {
	if len(data) < len(cacheMagic)+4 || string(data[:len(cacheMagic)]) != cacheMagic {
		return false
	}
	body, sum := data[:len(data)-4], binary.LittleEndian.Uint32(data[len(data)-4:])
	if crc32.Checksum(body, castagnoli) != sum {
		return false
	}
	r := cacheReader{rest: body[len(cacheMagic):]}
	if string(r.text()) != name {
		return false
	}
	phrases := map[string]stock{}
	for range r.count() {
		system, intent, phrase := r.byte() == 1, string(r.text()), string(r.text())
		if r.bad {
			return false
		}
		phrases[phrase] = stock{intent, system}
	}
	intents, params := r.text(), r.text()
	if r.bad || len(r.rest) > 0 {
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

// cacheReader reads what is left; bad says that it was too short.
type cacheReader struct {
	rest []byte
	bad  bool
}

func (r *cacheReader) take(n int) []byte {
	if n > len(r.rest) {
		r.rest, r.bad = nil, true
		return nil
	}
	out := r.rest[:n]
	r.rest = r.rest[n:]
	return out
}

func (r *cacheReader) byte() byte {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

// count is a number of parts of at least a byte each.
func (r *cacheReader) count() int {
	b := r.take(4)
	if b == nil {
		return 0
	}
	n := int(binary.LittleEndian.Uint32(b))
	if n > len(r.rest) {
		r.bad = true
		return 0
	}
	return n
}

func (r *cacheReader) text() []byte { return r.take(r.count()) }
