package recall

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/slotway/slotway/memory"
)

// babble makes texts of invented words whose frequencies fall as 1/rank, as in language.
type babble struct {
	random *rand.Rand
	zipf   *rand.Zipf
	words  []string
}

func newBabble(seed uint64) *babble {
	random := rand.New(rand.NewPCG(seed, 1))
	b := &babble{random: random, zipf: rand.NewZipf(random, 1.1, 4, 29_999)}
	const letters = "bdfgklmnprstv"
	for range 30_000 {
		var w strings.Builder
		for range 2 + random.IntN(3) {
			w.WriteByte(letters[random.IntN(len(letters))])
			w.WriteByte("aeiou"[random.IntN(5)])
		}
		b.words = append(b.words, w.String())
	}
	return b
}

// text leaves the 50 most frequent words out, as stop words would be.
func (b *babble) text(words int) string {
	var out []string
	for range words {
		out = append(out, b.words[(b.zipf.Uint64()+50)%uint64(len(b.words))])
	}
	return strings.Join(out, " ")
}

// indexOf builds an index of n messages of about so many words, in sessions of 25.
func indexOf(embedders []Embedder, n, words int) (*index, *babble) {
	b := newBabble(7)
	x := newIndex(embedders)
	for i := range n {
		m := benchMessage(i, b.text(words/2+b.random.IntN(words)))
		x.add(x.open(fmt.Sprint(i/25)), &m)
	}
	return x, b
}

func benchMessage(i int, text string) memory.Message {
	return memory.Message{
		Seq: int64(i%25) + 1, Role: []memory.Role{memory.User, memory.Agent}[i%2], Text: text, Timestamp: time.UnixMicro(int64(i) * 1e9),
	}
}

// clustered makes pseudo-random vectors of length 1 around 200 centres.
func clustered(n, dim int) (*matrix, [][]float32) {
	random := rand.New(rand.NewPCG(11, 13))
	centres := make([][]float32, 200)
	for i := range centres {
		centres[i] = make([]float32, dim)
		for j := range centres[i] {
			centres[i][j] = float32(random.NormFloat64())
		}
	}
	m, vectors := &matrix{}, make([][]float32, n)
	for i := range vectors {
		v := make([]float32, dim)
		for j, c := range centres[random.IntN(len(centres))] {
			v[j] = c + float32(random.NormFloat64())
		}
		unit(v)
		vectors[i] = v
		m.setVector(i, v)
	}
	return m, vectors
}
