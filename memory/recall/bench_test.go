package recall

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/embed"
	"github.com/slotway/slotway/memory/inmem"
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

// groups is an embedder of 256 dimensions in which every word has about five others near in
// meaning, whatever its letters.
type groups struct{}

const groupDim = 256

func (groups) Model() string  { return "groups" }
func (groups) Dimension() int { return groupDim }

func (g groups) Embed(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		out[i] = make([]float32, groupDim)
		g.EmbedInto(out[i], text)
	}
	return out, nil
}

func (groups) EmbedInto(dst []float32, text string) {
	clear(dst)
	for w := range strings.FieldsSeq(text) {
		check := checkOf(w)
		common, own := check%6_000+1, check
		for i := 0; i < len(dst); i += 64 {
			common, own = next(common), next(own)
			for j := range dst[i : i+64] {
				dst[i+j] += float32(int(common>>j&1)*2-1) + .5*float32(int(own>>j&1)*2-1)
			}
		}
	}
	unit(dst)
}

// next is a step of splitmix64.
func next(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// BenchmarkRank asks every question once per index: what it learnt of words is forgotten
// before each round.
func BenchmarkRank(b *testing.B) {
	for _, size := range []struct{ messages, words int }{{600, 15}, {38_000, 60}} {
		for _, kind := range []string{"words", "both"} {
			b.Run(fmt.Sprintf("%s/%d", kind, size.messages), func(b *testing.B) {
				var embedders []Embedder
				if kind == "both" {
					embedders = []Embedder{groups{}}
				}
				x, text := indexOf(embedders, size.messages, size.words)
				var asks []indexQuery
				for range 64 {
					a := indexQuery{text: text.text(5), k: 10, filter: matchAll}
					if embedders != nil {
						a.vec = make([]float32, groupDim)
						groups{}.EmbedInto(a.vec, a.text)
					}
					asks = append(asks, a)
				}
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					if i%len(asks) == 0 && x.vocab != nil {
						clear(x.vocab.cache)
					}
					x.rank(&asks[i%len(asks)], false)
				}
				b.ReportMetric(float64(x.size())/float64(size.messages), "B/message")
			})
		}
	}
}

// BenchmarkBuild reads ten thousand messages of 400 sessions from a store.
func BenchmarkBuild(b *testing.B) {
	store, text := inmem.New(nil), newBabble(5)
	for sn := range 400 {
		d := &memory.Delta{Key: memory.Key{UserID: "u", AgentID: "a", SessionID: fmt.Sprint(sn)}}
		for i := range 25 {
			m := benchMessage(i, text.text(15))
			m.Turn = 1
			d.Messages = append(d.Messages, m)
		}
		if err := store.Commit(b.Context(), d); err != nil {
			b.Fatal(err)
		}
	}
	for _, embedders := range [][]Embedder{nil, {mustStatic(b)}} {
		b.Run(fmt.Sprintf("embedders=%d", len(embedders)), func(b *testing.B) {
			for b.Loop() {
				tier := New(store, &Options{Embedders: embedders})
				q := Query{Key: memory.Key{UserID: "u", AgentID: "a"}, Text: "?", K: 1}
				if _, err := tier.Search(b.Context(), q); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func mustStatic(b *testing.B) *embed.Static {
	b.Helper()
	static, err := embed.New()
	if err != nil {
		b.Fatal(err)
	}
	return static
}

func BenchmarkAdd(b *testing.B) {
	text := newBabble(3)
	texts := make([]string, 4096)
	for i := range texts {
		texts[i] = text.text(15)
	}
	x := newIndex(nil)
	sn := x.open("s")
	b.ReportAllocs()
	i := int64(0)
	for b.Loop() {
		i++
		x.add(sn, &memory.Message{Seq: i, Role: memory.User, Text: texts[i%4096], Timestamp: time.UnixMicro(i)})
	}
}

func BenchmarkNearest(b *testing.B) {
	for _, n := range []int{4_000, 10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			m, vectors := clustered(n, 256)
			p := m.probe(vectors[1])
			b.ReportAllocs()
			for b.Loop() {
				m.nearest(p, 10, careful, func(uint32) bool { return true })
			}
		})
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
