package encoder

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// others lists the implementations that are held to the portable one.
func others(t *testing.T) []*kernels {
	t.Helper()
	all := available()
	if len(all) == 1 {
		t.Skip("this processor, or this build, has the portable implementation only")
	}
	return all[:len(all)-1]
}

// numbers draws n floats of the size that a layer sees, some of them out of the ordinary.
func numbers(t *rapid.T, n int, label string) []float32 {
	size := rapid.SampledFrom([]float32{1e-6, 1, 30, 1e4}).Draw(t, label+" size")
	seeds := rapid.SliceOfN(rapid.Int16(), n, n).Draw(t, label)
	x := make([]float32, n)
	for i, s := range seeds {
		x[i] = size * float32(s) / math.MaxInt16
	}
	return x
}

func eights(t *rapid.T, most int) int { return 8 * rapid.IntRange(1, most/8).Draw(t, "eights") }

// each runs a check over drawn cases for every implementation.
func each(t *testing.T, check func(t *rapid.T, k *kernels)) {
	for _, k := range others(t) {
		t.Run(k.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { check(t, k) })
		})
	}
}

// same fails unless two results have the same bits.
func same(t *rapid.T, what string, got, want []float32) {
	for i := range want {
		if math.Float32bits(got[i]) != math.Float32bits(want[i]) && (got[i] != 0 || want[i] != 0) {
			t.Fatalf("%s: number %d is %v, want %v", what, i, got[i], want[i])
		}
	}
}

func TestFloatsAreThoseOfThePortableOnes(t *testing.T) {
	each(t, func(t *rapid.T, k *kernels) {
		n := eights(t, 400)
		x, y, z := numbers(t, n, "x"), numbers(t, n, "y"), numbers(t, n, "z")
		most := highest(x)
		for name, run := range map[string]func(k *kernels, x []float32) []float32{
			"gelu":         func(k *kernels, x []float32) []float32 { k.gelu(x); return nil },
			"addSum":       func(k *kernels, x []float32) []float32 { return []float32{k.addSum(x, y)} },
			"squares":      func(k *kernels, x []float32) []float32 { return []float32{k.squares(x, y[0])} },
			"scaleShift":   func(k *kernels, x []float32) []float32 { k.scaleShift(x, y[0], y, z); return nil },
			"exponentials": func(k *kernels, x []float32) []float32 { return []float32{k.exponentials(x, most)} },
			"extremes": func(k *kernels, x []float32) []float32 {
				low, high := k.extremes(x)
				return []float32{low, high}
			},
		} {
			a, b := slices.Clone(x), slices.Clone(x)
			got := append(run(k, a), a...)
			want := append(run(&portable, b), b...)
			same(t, name, got, want)
		}
	})
}

func TestCombinationsAreThoseOfThePortableOne(t *testing.T) {
	each(t, func(t *rapid.T, k *kernels) {
		width, n := eights(t, 136), rapid.IntRange(1, 40).Draw(t, "rows")
		stride := width + rapid.IntRange(0, 9).Draw(t, "gap")
		rows, coefficients := numbers(t, n*stride, "rows"), numbers(t, n, "coefficients")
		got, want := numbers(t, width, "before"), make([]float32, width)
		k.combine(got, coefficients, &rows[0], stride)
		portable.combine(want, coefficients, &rows[0], stride)
		same(t, "combine", got, want)
	})
}

// draft is a matrix and the tokens that it is applied to.
func draft(t *rapid.T) (w matrix, x []float32, tokens int) {
	w.rows, w.depth = 16*rapid.IntRange(1, 3).Draw(t, "rows"), 64*rapid.IntRange(1, 4).Draw(t, "depth")
	tokens = rapid.IntRange(1, 9).Draw(t, "tokens")
	w.scale, w.bias = numbers(t, w.rows, "scale"), numbers(t, w.rows, "bias")
	w.total = make([]int32, w.rows)
	w.cells = make([]byte, w.rows*w.depth)
	extreme := rapid.Bool().Draw(t, "only extremes")
	for i, c := range rapid.SliceOfN(rapid.Int8Range(-127, 127), len(w.cells), len(w.cells)).Draw(t, "cells") {
		if extreme {
			c = [2]int8{-127, 127}[c&1]
		}
		w.cells[i] = byte(c)
		w.total[i/(8*w.depth)*8+i%32/4] += int32(c)
	}
	return w, numbers(t, tokens*w.depth, "x"), tokens
}

func TestProductsAreThoseOfThePortableOne(t *testing.T) {
	each(t, func(t *rapid.T, k *kernels) {
		w, x, tokens := draft(t)
		got, want := apply(k, &w, x, tokens), apply(&portable, &w, x, tokens)
		same(t, fmt.Sprintf("%d by %d", w.rows, w.depth), got, want)
	})
}

func apply(k *kernels, w *matrix, x []float32, tokens int) []float32 {
	room := roundUp(tokens, tokensAtOnce)
	s := &scratch{acts: make([]byte, 2*room*w.depth), four: make([]fourTokens, room/tokensAtOnce)}
	dst := make([]float32, room*w.rows)
	w.apply(k, s, dst, x, tokens)
	return dst[:tokens*w.rows]
}

// The product is held to plain arithmetic too, within what a step of eight bits is worth: all
// implementations might share a mistake.
func TestProductsAreNearTheExactOnes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, x, tokens := draft(t)
		got := apply(&portable, &w, x, tokens)
		for i := range tokens {
			row := x[i*w.depth:][:w.depth]
			low, high := extremesPortable(row)
			for r := range w.rows {
				exact, sizes := 0.0, 0.0
				for d, v := range row {
					c := float64(int8(w.cells[r/8*8*w.depth+d/4*32+r%8*4+d%4]))
					exact += c * float64(v)
					sizes += math.Abs(c)
				}
				scale := float64(w.scale[r])
				exact = exact*scale + float64(w.bias[r])
				slack := 1.01*sizes*math.Abs(scale)*float64(high-low)/255 + 1e-4*math.Abs(exact) + 1e-4*math.Abs(float64(w.bias[r]))
				if diff := math.Abs(float64(got[i*w.rows+r]) - exact); diff > slack {
					t.Fatalf("token %d row %d: %v, want %v within %v", i, r, got[i*w.rows+r], exact, slack)
				}
			}
		}
	})
}

func TestActivationsKeepTheirEnds(t *testing.T) {
	for _, k := range available() {
		x := make([]float32, 64)
		x[3], x[60] = -1, 3
		s := &scratch{four: make([]fourTokens, 1)}
		dst := make([]byte, 128)
		s.activate(k, x, dst[:64*k.bytes], 0)
		read := func(i int) int32 {
			if k.bytes == 2 {
				return int32(dst[2*i]) | int32(dst[2*i+1])<<8
			}
			if k.lower != 0 {
				return int32(int8(dst[i])) + k.lower
			}
			return int32(dst[i])
		}
		if low, zero, high := read(3), read(0), read(60); low != 0 || zero != 64 || high != 255 {
			t.Errorf("%s: the least is %d, nought %d, the greatest %d; want 0, 64, 255", k.name, low, zero, high)
		}
	}
}

func TestFunctionsAreNearTheExactOnes(t *testing.T) {
	x := make([]float32, 8)
	for v := float32(-12); v < 12; v += 0.01 {
		x[0] = v
		geluPortable(x[:1])
		want := 0.5 * float64(v) * (1 + math.Erf(float64(v)/math.Sqrt2))
		if diff := math.Abs(float64(x[0]) - want); diff > 1e-5 {
			t.Fatalf("gelu(%v) is %v, want %v", v, x[0], want)
		}
		x[0] = v - 12
		exponentialsPortable(x[:1], 0)
		if want := math.Exp(float64(v - 12)); math.Abs(float64(x[0])-want) > 1e-5*want {
			t.Fatalf("exp(%v) is %v, want %v", v-12, x[0], want)
		}
	}
}
