package recall

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// Quantize returns a vector as int8, divided by a scale; 0 for a zero vector.
func Quantize(v []float32) (row []int8, scale float32) {
	row = make([]int8, len(v))
	var top float32
	for _, a := range v {
		top = max(top, float32(math.Abs(float64(a))))
	}
	if top == 0 || math.IsInf(float64(top), 0) || math.IsNaN(float64(top)) {
		return row, 0
	}
	f := 127 / top
	for i, a := range v {
		row[i] = int8(math.RoundToEven(float64(a * f)))
	}
	return row, top / 127
}

// dot8 returns the dot product of two rows of one length.
func dot8(a, b []int8) int32 {
	b = b[:len(a)]
	var s0, s1, s2, s3 int32
	for len(a) >= 16 && len(b) >= 16 {
		x, y := (*[16]int8)(a), (*[16]int8)(b) // spares bounds checks
		s0 += int32(x[0])*int32(y[0]) + int32(x[1])*int32(y[1]) + int32(x[2])*int32(y[2]) + int32(x[3])*int32(y[3])
		s1 += int32(x[4])*int32(y[4]) + int32(x[5])*int32(y[5]) + int32(x[6])*int32(y[6]) + int32(x[7])*int32(y[7])
		s2 += int32(x[8])*int32(y[8]) + int32(x[9])*int32(y[9]) + int32(x[10])*int32(y[10]) + int32(x[11])*int32(y[11])
		s3 += int32(x[12])*int32(y[12]) + int32(x[13])*int32(y[13]) + int32(x[14])*int32(y[14]) + int32(x[15])*int32(y[15])
		a, b = a[16:], b[16:]
	}
	for i := range a {
		s0 += int32(a[i]) * int32(b[i])
	}
	return s0 + s1 + s2 + s3
}

// unit scales a vector to length 1 in place. Zero vectors and those that are not finite become
// zero.
func unit(v []float32) {
	var sum float64
	for _, a := range v {
		sum += float64(a) * float64(a)
	}
	if sum == 0 || math.IsInf(sum, 0) || math.IsNaN(sum) {
		clear(v)
		return
	}
	f := float32(1 / math.Sqrt(sum))
	for i := range v {
		v[i] *= f
	}
}

// rotation turns vectors into signatures: their signs after pseudo-random rotations. The Hamming
// distance of signatures grows with the angle between two vectors (Charikar, "Similarity estimation
// techniques from rounding algorithms", STOC 2002). A rotation flips signs and takes a
// Walsh-Hadamard transform, n log n steps instead of n² (Ailon and Chazelle, "The fast
// Johnson-Lindenstrauss transform", SIAM J. Comput. 39(1), 2009).
type rotation struct {
	dim, size, words int // size: the power of two at or above dim; words: length of a signature
	flips            []float32
}

func newRotation(dim, words int) *rotation {
	r := &rotation{dim: dim, size: 64, words: words}
	for r.size < dim {
		r.size *= 2
	}
	turns := (words*64 + r.size - 1) / r.size
	random := rand.New(rand.NewPCG(uint64(dim), uint64(words)))
	r.flips = make([]float32, turns*r.size)
	for i := range r.flips {
		r.flips[i] = float32(int(random.Uint32()&1)*2 - 1)
	}
	return r
}

// sign writes the signature of a vector; buf has at least size elements.
func (r *rotation) sign(out []uint64, v, buf []float32) {
	buf = buf[:r.size]
	clear(out)
	for bit, flips := 0, r.flips; bit < r.words*64; flips = flips[r.size:] {
		clear(buf[copy(buf, v):])
		for i, f := range flips[:r.size] {
			buf[i] *= f
		}
		hadamard(buf)
		for i := 0; i < r.size && bit < r.words*64; i++ {
			out[bit/64] |= uint64(math.Float32bits(buf[i])>>31) << (bit % 64)
			bit++
		}
	}
}

// hadamard computes the Walsh-Hadamard transform in place, without scaling: two levels at a time,
// and a single one if their number is odd. The length is a power of two, at least 4.
func hadamard(v []float32) {
	h := 1
	for ; 4*h <= len(v); h *= 4 {
		for i := 0; i < len(v); i += 4 * h {
			a, b, c, d := v[i:i+h], v[i+h:i+2*h], v[i+2*h:i+3*h], v[i+3*h:i+4*h]
			for j := range a {
				w, x, y, z := a[j]+b[j], a[j]-b[j], c[j]+d[j], c[j]-d[j]
				a[j], b[j], c[j], d[j] = w+y, x+z, w-y, x-z
			}
		}
	}
	if h < len(v) {
		for j, x := range v[:h] {
			y := v[h+j]
			v[j], v[h+j] = x+y, x-y
		}
	}
}

// hamming counts the bits in which two signatures differ. within reports whether that is at most
// limit; it skips the second half if the first differs by an eighth more than its share.
func hamming(a, b *[signWords]uint64) int {
	return half((*[4]uint64)(a[:]), (*[4]uint64)(b[:])) + half((*[4]uint64)(a[4:]), (*[4]uint64)(b[4:]))
}

func within(a, b *[signWords]uint64, limit int) bool {
	first := half((*[4]uint64)(a[:]), (*[4]uint64)(b[:]))
	return first <= limit/2+limit/16 && first+half((*[4]uint64)(a[4:]), (*[4]uint64)(b[4:])) <= limit
}

func half(x, y *[4]uint64) int {
	return bits.OnesCount64(x[0]^y[0]) + bits.OnesCount64(x[1]^y[1]) + bits.OnesCount64(x[2]^y[2]) + bits.OnesCount64(x[3]^y[3])
}

// IsZero reports whether a vector has no direction.
func IsZero(v []float32) bool {
	return !slices.ContainsFunc(v, func(a float32) bool { return a != 0 })
}
