package cascade

import (
	"crypto/sha256"
	"encoding/hex"
	"sync"

	"github.com/slotway/slotway/classifier/internal/modelfile"
	"github.com/slotway/slotway/classifier/linear"
)

const (
	vectorsMagic = "slwv1"
	mostVectors  = 20000 // that are kept; at 384 numbers they are 31 MB
)

// digest identifies a text, because texts themselves are not kept.
type digest [16]byte

func digestOf(text string) digest {
	sum := sha256.Sum256([]byte(text))
	return digest(sum[:])
}

// vectors keeps the vectors that an encoder made of examples, so that a changed example does not
// make it read all the others again. A nil one keeps nothing.
type vectors struct {
	cache     Cache
	name      string
	dimension int

	mu    sync.Mutex     // guards what follows
	older keptExamples   // that were there
	at    map[digest]int // of the older ones
	fresh keptExamples   // of this training
	used  map[digest]bool
}

// keptExamples are the vectors of texts, side by side, the latest first.
type keptExamples struct {
	Texts   []digest
	Numbers modelfile.Packed[float32]
}

var _ linear.Vectors = (*vectors)(nil)

// keptVectors adds the kept vectors of their encoder to the options of training. It returns nil
// without an encoder or a place to keep them.
func keptVectors(o *Options, l *linear.Options) *vectors {
	place := o.Vectors
	if place == nil {
		place = o.Cache
	}
	if l.Encoder == nil || place == nil {
		return nil
	}
	name := sha256.Sum256([]byte(vectorsMagic + l.Encoder.Model()))
	v := &vectors{
		cache: place, name: "vectors-" + hex.EncodeToString(name[:8]), dimension: l.Encoder.Dimension(),
		at: map[digest]int{}, used: map[digest]bool{},
	}
	v.open(place.Get(v.name))
	l.Vectors = v
	return v
}

// open loads the kept vectors. Damaged ones are made again.
func (v *vectors) open(data []byte) {
	var k keptExamples
	if !modelfile.Load(data, vectorsMagic, &k) || len(k.Numbers) != len(k.Texts)*v.dimension {
		return
	}
	v.older = k
	for i, text := range k.Texts {
		v.at[text] = i
	}
}

// of is the vector of the i-th text.
func (v *vectors) of(i int) []float32 { return v.older.Numbers[i*v.dimension : (i+1)*v.dimension] }

// Load fills dst with the vector that was kept for text.
func (v *vectors) Load(dst []float32, text string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	d := digestOf(text)
	at, ok := v.at[d]
	if !ok || len(dst) != v.dimension {
		return false
	}
	copy(dst, v.of(at))
	v.used[d] = true
	return true
}

// Keep keeps the vector of text.
func (v *vectors) Keep(text string, vector []float32) {
	v.mu.Lock()
	defer v.mu.Unlock()
	d := digestOf(text)
	if v.used[d] || len(vector) != v.dimension {
		return
	}
	v.used[d] = true
	v.fresh.Texts = append(v.fresh.Texts, d)
	v.fresh.Numbers = append(v.fresh.Numbers, vector...)
}

// save keeps what is new for the next training: this one's, then older ones until there are
// enough.
func (v *vectors) save() {
	if v == nil || len(v.fresh.Texts) == 0 {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	out := v.fresh
	for _, wanted := range []bool{true, false} {
		for i, text := range v.older.Texts {
			if v.used[text] == wanted && len(out.Texts) < mostVectors {
				out.Texts = append(out.Texts, text)
				out.Numbers = append(out.Numbers, v.of(i)...)
			}
		}
	}
	if data, err := modelfile.Keep(vectorsMagic, out); err == nil { // else the next training makes them again
		v.cache.Put(v.name, data)
	}
}
