package encoder

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"
)

// known is a text as the published model takes it: scripts/lab/train/encoder.py wrote it.
type known struct {
	Text   string
	IDs    []uint16
	Vector []byte // float16
}

func reference(t testing.TB) []known {
	t.Helper()
	f, err := os.Open("testdata/reference.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []known
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var k known
		if err := json.Unmarshal(lines.Bytes(), &k); err != nil {
			t.Fatal(err)
		}
		all = append(all, k)
	}
	return all
}

// half is the value of a float16.
func half(bits uint16) float64 {
	sign, exponent, fraction := bits>>15, int(bits>>10&31), float64(bits&1023)
	v := math.Ldexp(1+fraction/1024, exponent-15)
	if exponent == 0 {
		v = math.Ldexp(fraction/1024, -14)
	}
	if sign == 1 {
		return -v
	}
	return v
}

func open(t testing.TB) *model {
	t.Helper()
	m, err := parsed()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func idsOf(tok *tokeniser) (ids []uint16) {
	for _, p := range tok.pieces {
		ids = append(ids, p.ID)
	}
	return ids
}

func TestPiecesAreThoseOfTheModelsTokeniser(t *testing.T) {
	m := open(t)
	var tok tokeniser
	for _, k := range reference(t) {
		if tok.split(&m.vocabulary, k.Text, m.positions); !slices.Equal(idsOf(&tok), k.IDs) {
			t.Errorf("%q:\n got %d\nwant %d", k.Text, idsOf(&tok), k.IDs)
		}
	}
}

// leastLikeness is what eight bits leave of the vectors of ordinary texts; a wrong layer,
// row or rounding falls far below.
const leastLikeness = 0.99

func TestVectorsAreThoseOfTheModel(t *testing.T) {
	m := open(t)
	for _, k := range available() {
		t.Run(k.name, func(t *testing.T) {
			e := newEncoder(m, k, &Options{Longest: m.positions})
			sum, n, least := 0.0, 0.0, 1.0
			got := make([]float32, e.Dimension())
			for i, want := range reference(t) {
				if len(want.IDs) <= 2 || k == &portable && i%5 > 0 { // it takes fifty times as long
					continue
				}
				e.EmbedInto(got, want.Text)
				cosine, square := 0.0, 0.0
				for i, v := range got {
					w := half(binary.LittleEndian.Uint16(want.Vector[2*i:]))
					cosine += float64(v) * w
					square += w * w
				}
				cosine /= math.Sqrt(square)
				if cosine < leastLikeness {
					t.Errorf("%.60q: cosine %.4f", want.Text, cosine)
				}
				sum, n, least = sum+cosine, n+1, min(least, cosine)
			}
			t.Logf("mean %.5f, least %.5f of %.0f texts", sum/n, least, n)
		})
	}
}
