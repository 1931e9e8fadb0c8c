//go:build !purego

package encoder

import "golang.org/x/sys/cpu"

// available lists what this processor runs, the fastest first.
func available() []*kernels {
	all := []*kernels{&portable}
	if cpu.X86.HasAVX2 {
		all = append([]*kernels{&avx2}, all...)
	}
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512VL && cpu.X86.HasAVX512VNNI {
		all = append([]*kernels{&avx512vnni}, all...)
	}
	return all
}

var avx2 = kernels{
	name: "avx2", bytes: 2, rows: blockRows,
	product: productAVX2, quantise: quantiseAVX2,
	extremes: extremesAVX2, gelu: geluAVX2, addSum: addSumAVX2, squares: squaresAVX2,
	scaleShift: scaleShiftAVX2, combine: combineAVX2, exponentials: exponentialsAVX2,
}

var avx512vnni = kernels{
	name: "avx512vnni", bytes: 1, rows: 2 * blockRows,
	product: productVNNI, quantise: quantiseVNNI,
	extremes: extremesAVX2, gelu: geluAVX2, addSum: addSumAVX2, squares: squaresAVX2,
	scaleShift: scaleShiftAVX2, combine: combineAVX2, exponentials: exponentialsAVX2,
}

//go:noescape
func productAVX2(dst *float32, dstStride int, cells *byte, depth int, acts *byte, actStride int, r *rowsOf, t *fourTokens)

//go:noescape
func productVNNI(dst *float32, dstStride int, cells *byte, depth int, acts *byte, actStride int, r *rowsOf, t *fourTokens)

//go:noescape
func quantiseAVX2(dst []byte, x []float32, factor float32, zero int32)

//go:noescape
func quantiseVNNI(dst []byte, x []float32, factor float32, zero int32)

//go:noescape
func extremesAVX2(x []float32) (low, high float32)

//go:noescape
func geluAVX2(x []float32)

//go:noescape
func addSumAVX2(x, y []float32) float32

//go:noescape
func squaresAVX2(x []float32, mean float32) float32

//go:noescape
func scaleShiftAVX2(x []float32, factor float32, scale, shift []float32)

//go:noescape
func combineAVX2(dst []float32, coefficients []float32, rows *float32, stride int)

//go:noescape
func exponentialsAVX2(x []float32, most float32) float32
