package encoder

import (
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

func encoderOf(t testing.TB) *Encoder {
	t.Helper()
	e, err := New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func vectorOf(e *Encoder, text string) []float32 {
	v := make([]float32, e.Dimension())
	e.EmbedInto(v, text)
	return v
}

func dot(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

func TestOrderAndMeaningCount(t *testing.T) {
	e := encoderOf(t)
	near := dot(vectorOf(e, "my card was stolen"), vectorOf(e, "someone took my debit card"))
	far := dot(vectorOf(e, "my card was stolen"), vectorOf(e, "what is the weather tomorrow"))
	if near < far+0.3 {
		t.Errorf("a like text has %.3f, an unlike one %.3f", near, far)
	}
	if c := dot(vectorOf(e, "dog bites man"), vectorOf(e, "man bites dog")); c > 0.9999 {
		t.Errorf("the order of words makes no difference: %.5f", c)
	}
}

func TestTextWithoutWordsIsNought(t *testing.T) {
	e := encoderOf(t)
	for _, text := range []string{"", "  \t\n", "\ue000\uf8ff", "\u200b\u202e\x00\xff\xfe"} {
		if v := vectorOf(e, text); slices.ContainsFunc(v, func(f float32) bool { return f != 0 }) {
			t.Errorf("%q has a vector", text)
		}
	}
}

func TestPrivateCharactersMeanNothing(t *testing.T) {
	e := encoderOf(t)
	if got, want := vectorOf(e, "cancel \ue001 order \uf000"), vectorOf(e, "cancel order"); !slices.Equal(got, want) {
		t.Error("a recognised span changed the vector")
	}
}

// A person who writes a marker's name must not end the text for the model.
func TestNamesOfMarkersAreText(t *testing.T) {
	m := open(t)
	var tok tokeniser
	for _, text := range []string{"[SEP]", "a [CLS] b", "[PAD][UNK][MASK]", "[unused1]"} {
		tok.split(&m.vocabulary, text, m.positions)
		for _, p := range tok.pieces[1 : len(tok.pieces)-1] {
			if p.ID < markers && p.ID != idUnknown {
				t.Errorf("%q gives the marker %d", text, p.ID)
			}
		}
	}
}

func TestLongTextsAreCut(t *testing.T) {
	m := open(t)
	for _, longest := range []int{1, 3, 64, 1 << 20} {
		e := newEncoder(m, fastest, &Options{Longest: longest})
		text := strings.Repeat("parcel ", 300)
		if got, want := vectorOf(e, text), vectorOf(e, text[:7*max(3, min(longest, m.positions))]); !slices.Equal(got, want) {
			t.Errorf("longest %d: what is behind the end counts", longest)
		}
	}
	e := encoderOf(t)
	vectorOf(e, strings.Repeat("x", 1<<20)) // one word, and no memory for it
	s := e.pool.Get().(*scratch)
	if cap(s.tokeniser.word) > 1<<12 {
		t.Errorf("a long word took %d bytes", cap(s.tokeniser.word))
	}
}

func TestNothingIsAllocated(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector makes pools forget")
	}
	e := encoderOf(t)
	dst := make([]float32, e.Dimension())
	for _, text := range []string{twelve, "Zürich, où est ma commande ?", "你好 \ue000", ""} {
		e.EmbedInto(dst, text)
		if n := testing.AllocsPerRun(20, func() { e.EmbedInto(dst, text) }); n != 0 {
			t.Errorf("%q: %v allocations", text, n)
		}
	}
}

func TestTogetherAsAlone(t *testing.T) {
	e := encoderOf(t)
	texts := []string{twelve, "yes", "Zürich", "cancel my order and send the money back"}
	var want [][]float32
	for _, text := range texts {
		want = append(want, vectorOf(e, text))
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i, text := range texts {
				if !slices.Equal(vectorOf(e, text), want[i]) {
					t.Errorf("%q has another vector", text)
				}
			}
		})
	}
	wg.Wait()
}

func TestEmbedStopsWithItsContext(t *testing.T) {
	e := encoderOf(t)
	got, err := e.Embed(t.Context(), []string{"yes", ""})
	if err != nil || len(got) != 2 || !slices.Equal(got[0], vectorOf(e, "yes")) {
		t.Fatalf("%d vectors, %v", len(got), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Embed(ctx, []string{"yes"}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestDamagedWeightsAreRefused(t *testing.T) {
	change := func(at int, b byte) []byte {
		d := slices.Clone(weights)
		d[at] ^= b
		return d
	}
	resum := func(d []byte) []byte {
		sum := crc32.Update(crc32.ChecksumIEEE(d[:checksumAt]), crc32.IEEETable, d[nameAt:])
		binary.LittleEndian.PutUint32(d[checksumAt:], sum)
		return d
	}
	for name, data := range map[string][]byte{
		"nothing":            nil,
		"short":              weights[:1000],
		"another magic":      change(0, 1),
		"a flipped bit":      change(len(weights)/2, 4),
		"cut":                resum(slices.Clone(weights[:len(weights)-64])),
		"longer":             resum(append(slices.Clone(weights), make([]byte, 64)...)),
		"a wider model":      resum(change(13, 2)),
		"a layer more":       resum(change(8, 1)),
		"an odd table":       resum(change(36, 1)),
		"a stray piece":      resum(change(128+4*100+3, 1)),
		"no such row":        resum(change(31, 1)),
		"no positions":       resum(change(24, 128)),
		"heads that are odd": resum(change(16, 1)),
	} {
		if _, err := parse(data); !errors.Is(err, ErrWeights) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// FuzzPieces holds the tokeniser to its bounds, whatever the text.
func FuzzPieces(f *testing.F) {
	for _, k := range reference(f) {
		f.Add(k.Text, 20)
	}
	f.Add("a\xff\u0300[SEP]\ue000", 3)
	m := open(f)
	f.Fuzz(func(t *testing.T, text string, room int) {
		room = 3 + int(uint(room)%126)
		var tok tokeniser
		tok.split(&m.vocabulary, text, room)
		ids := idsOf(&tok)
		n := len(ids)
		if n < 2 || n > room || ids[0] != Open || ids[n-1] != Close {
			t.Fatalf("%d ids, room for %d: %d", n, room, ids)
		}
		end := 0
		for _, p := range tok.pieces[1 : n-1] {
			if int(p.ID) >= len(m.rowScale) || p.ID < markers && p.ID != idUnknown {
				t.Fatalf("id %d", p.ID)
			}
			if p.Start >= p.End || p.End > len(text) || p.Start < end && !p.Inside {
				t.Fatalf("bytes %d to %d of %d behind %d", p.Start, p.End, len(text), end)
			}
			end = p.End
		}
		if !utf8.ValidString(text) || n == room {
			return
		}
		var spaced tokeniser
		spaced.split(&m.vocabulary, "\n "+text+"\t", room)
		if len(text) < maxText-3 && !slices.Equal(ids, idsOf(&spaced)) {
			t.Fatalf("space around changes %d to %d", ids, idsOf(&spaced))
		}
	})
}

func TestVectorsHaveUnitLength(t *testing.T) {
	e := encoderOf(t)
	for _, k := range reference(t)[:20] {
		v := vectorOf(e, k.Text)
		if n := math.Sqrt(dot(v, v)); len(k.IDs) > 2 && math.Abs(n-1) > 1e-5 {
			t.Errorf("%.40q: length %v", k.Text, n)
		}
	}
}

// A vector must have the same bits wherever it is made: the sum of some is written down.
func TestBitsAreTheSameEverywhere(t *testing.T) {
	const want = 0xc8a63303
	for _, k := range available() {
		e := newEncoder(open(t), k, nil)
		sum := crc32.NewIEEE()
		for _, text := range []string{twelve, "yes", "Zürich, order #12345-B?"} {
			for _, v := range vectorOf(e, text) {
				sum.Write(binary.LittleEndian.AppendUint32(nil, math.Float32bits(v)))
			}
		}
		if sum.Sum32() != want {
			t.Errorf("%s: the sum of the bits is %#08x, want %#08x", k.name, sum.Sum32(), want)
		}
	}
}
