package linear

import (
	"encoding/binary"
	"math"
	"os"
	"strings"
	"testing"
	"unicode"
)

// table of word vectors from a plain file, for measuring: uint32 words, uint32
// dimension, then for each word uint16 length, bytes, float32 vector; little-endian.
type fileVectors struct {
	name  string
	n     int
	words map[string][]float32
}

func readVectors(tb testing.TB, name string) *fileVectors {
	tb.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		tb.Fatal(err)
	}
	words, n := binary.LittleEndian.Uint32(b), int(binary.LittleEndian.Uint32(b[4:]))
	v := &fileVectors{name: name, n: n, words: make(map[string][]float32, words)}
	b = b[8:]
	for range words {
		l := int(binary.LittleEndian.Uint16(b))
		word := string(b[2 : 2+l])
		b = b[2+l:]
		x := make([]float32, n)
		for i := range x {
			x[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
		}
		v.words[word] = x
		b = b[4*n:]
	}
	return v
}

func (v *fileVectors) Model() string  { return v.name }
func (v *fileVectors) Dimension() int { return v.n }

func (v *fileVectors) EmbedInto(dst []float32, text string) {
	clear(dst)
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		for i, x := range v.words[w] {
			dst[i] += x
		}
	}
}
