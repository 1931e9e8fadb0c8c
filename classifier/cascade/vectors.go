package cascade

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"sync"

	"github.com/slotway/slotway/classifier/internal/modelfile"
	"github.com/slotway/slotway/classifier/linear"
)

// The encoding of kept vectors, little-endian: magic, then digest and float32 numbers of each
// text, the latest first, then a CRC-32C of all that.
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

	mu    sync.Mutex // guards what follows
	older []byte     // records that were there
	at    map[digest]int
	fresh []byte // records of this training
	used  map[digest]bool
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

func (v *vectors) record() int { return len(digest{}) + 4*v.dimension }

// open loads the kept vectors. Damaged ones are made again.
func (v *vectors) open(data []byte) {
	r := modelfile.Open(data, vectorsMagic)
	if r == nil || len(r.Rest)%v.record() != 0 {
		return
	}
	v.older = r.Rest
	for at := 0; at < len(v.older); at += v.record() {
		v.at[digest(v.older[at:])] = at
	}
}

// Load fills dst with the vector that was kept for text.
func (v *vectors) Load(dst []float32, text string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	d := digestOf(text)
	at, ok := v.at[d]
	if !ok || len(dst) != v.dimension {
		return false
	}
	numbers := v.older[at+len(d):]
	for i := range dst {
		dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(numbers[4*i:]))
	}
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
	v.fresh = append(v.fresh, d[:]...)
	v.fresh = modelfile.AppendFloat32s(v.fresh, vector...)
}

// save keeps what is new for the next training: this one's, then older ones until there are
// enough.
func (v *vectors) save() {
	if v == nil || len(v.fresh) == 0 {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	out := append([]byte(vectorsMagic), v.fresh...)
	most := len(vectorsMagic) + mostVectors*v.record()
	for _, wanted := range []bool{true, false} {
		for at := 0; at < len(v.older) && len(out) < most; at += v.record() {
			if v.used[digest(v.older[at:])] == wanted {
				out = append(out, v.older[at:at+v.record()]...)
			}
		}
	}
	v.cache.Put(v.name, modelfile.Seal(out, 0))
}
