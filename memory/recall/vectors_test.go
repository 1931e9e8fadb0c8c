package recall

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestDot8(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.SliceOfN(rapid.Int8(), 0, 70).Draw(t, "a")
		b := rapid.SliceOfN(rapid.Int8(), len(a), len(a)).Draw(t, "b")
		want := int32(0)
		for i := range a {
			want += int32(a[i]) * int32(b[i])
		}
		if got := dot8(a, b); got != want {
			t.Fatalf("dot8(%v, %v) = %d, want %d", a, b, got, want)
		}
	})
}

// TestCosine holds that quantising costs less than a hundredth.
func TestCosine(t *testing.T) {
	m, vectors := clustered(200, 100)
	p := m.probe(vectors[3])
	for n, v := range vectors {
		if got, want := m.cosine(p, uint32(n)), dot(vectors[3], v); math.Abs(float64(got-want)) > .01 {
			t.Errorf("cosine with %d is %v, want %v", n, got, want)
		}
	}
}

// TestSignatures holds that choosing by signature finds 0.99 of the true ten nearest.
func TestSignatures(t *testing.T) {
	m, vectors := clustered(6_000, 256)
	random := rand.New(rand.NewPCG(1, 2))
	hits, all := 0, 0
	for range 100 {
		q := append([]float32(nil), vectors[random.IntN(len(vectors))]...)
		for i := range q {
			q[i] += float32(random.NormFloat64()) * .03
		}
		unit(q)
		p := m.probe(q)
		exact := newTop(10)
		for n := range uint32(len(m.scale)) {
			exact.offer(n, m.cosine(p, n))
		}
		want := map[uint32]bool{}
		for _, s := range exact.sorted() {
			want[s.doc] = true
		}
		for _, s := range m.nearest(p, 10, careful, func(uint32) bool { return true }) {
			all++
			if want[s.doc] {
				hits++
			}
		}
	}
	if share := float64(hits) / float64(all); all != 1000 || share < .99 {
		t.Errorf("found %.3f of the nearest of %d, want 0.99", share, all)
	}
}

func TestNearestPasses(t *testing.T) {
	for _, n := range []int{100, 2_000} {
		m, vectors := clustered(n, 64)
		odd := func(n uint32) bool { return n%2 == 1 }
		got := m.nearest(m.probe(vectors[0]), 5, careful, odd)
		if len(got) != 5 {
			t.Fatalf("found %d of %d rows, want 5", len(got), n)
		}
		for i, s := range got {
			if !odd(s.doc) || i > 0 && s.score > got[i-1].score {
				t.Errorf("found %+v", got)
			}
		}
	}
}

func TestMatrixGuards(t *testing.T) {
	m := &matrix{}
	nan := float32(math.NaN())
	m.setVector(0, []float32{0, 0, 0})
	m.setVector(1, []float32{1, 0, 0})
	m.setVector(2, []float32{1, 0}) // another model's
	m.setVector(3, []float32{nan, 1, 0})
	if m.have > 2 || !m.has(1) || m.has(0) || m.has(2) {
		t.Errorf("has %d rows, of %v", m.have, m.scale)
	}
	if m.probe([]float32{1, 0}) != nil || m.probe([]float32{0, 0, 0}) != nil || (&matrix{}).probe([]float32{1}) != nil {
		t.Error("something that cannot be compared is a probe")
	}
}

func TestTop(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scores := rapid.SliceOf(rapid.Float32Range(0, 4)).Draw(t, "scores")
		k := rapid.IntRange(0, 8).Draw(t, "k")
		some, all := newTop(k), newTop(len(scores))
		for n, s := range scores {
			some.offer(uint32(n), s)
			all.offer(uint32(n), s)
		}
		want := all.sorted()
		if diff := cmp.Diff(want[:min(k, len(want))], some.sorted(), cmp.AllowUnexported(scored{})); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	})
}

// TestHadamard compares with the definition: the sign of entry (i, j) is the parity of i&j.
func TestHadamard(t *testing.T) {
	for _, n := range []int{4, 8, 64, 128} {
		v, random := make([]float32, n), rand.New(rand.NewPCG(3, 4))
		for i := range v {
			v[i] = float32(random.IntN(9) - 4)
		}
		want := make([]float32, n)
		for i := range want {
			for j, x := range v {
				if bits.OnesCount(uint(i&j))%2 == 1 {
					x = -x
				}
				want[i] += x
			}
		}
		hadamard(v)
		if diff := cmp.Diff(want, v); diff != "" {
			t.Errorf("of %d (-want +got):\n%s", n, diff)
		}
	}
}

func TestSegment(t *testing.T) {
	rows := []vectorRow{
		{seq: 65, check: 7, scale: .5, row: []int8{1, -128, 127}},
		{seq: 128, check: math.MaxUint32, scale: 0, row: []int8{0, 0, 0}},
	}
	data := encodeSegment(3, rows)
	got, err := decodeSegment(1, 3, data)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(rows, got, cmp.AllowUnexported(vectorRow{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := segmentName("a/b", 12); got != "vec/a%2Fb/000012" {
		t.Errorf("segment is called %s", got)
	}
}

func FuzzDecodeSegment(f *testing.F) {
	f.Add(encodeSegment(2, []vectorRow{{seq: 1, check: 3, scale: 1, row: []int8{1, 2}}}))
	f.Add([]byte{segmentVersion, 2, 0, 255, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		rows, err := decodeSegment(3, 2, data)
		if err != nil {
			return
		}
		for _, r := range rows {
			if segmentOf(r.seq) != 3 || len(r.row) != 2 {
				t.Errorf("row %+v", r)
			}
		}
		if back := encodeSegment(2, rows); len(back) != len(data) {
			t.Errorf("%d bytes became %d", len(data), len(back))
		}
	})
}
