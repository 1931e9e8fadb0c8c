//go:build !purego

package encoder

import "golang.org/x/sys/cpu"

// available lists what this processor runs, the fastest first.
func available() []*kernels {
	all := []*kernels{&portable}
	if cpu.ARM64.HasASIMD {
		all = append([]*kernels{&neon}, all...)
	}
	if cpu.ARM64.HasASIMDDP {
		all = append([]*kernels{&neonDot}, all...)
	}
	return all
}

var neon = kernels{
	name: "neon", bytes: 1, lower: 128, rows: blockRows,
	product: productNEON, quantise: quantiseNEON,
	extremes: extremesNEON, gelu: geluNEON, addSum: addSumNEON, squares: squaresNEON,
	scaleShift: scaleShiftNEON, combine: combineNEON, exponentials: exponentialsNEON,
}

var neonDot = func() kernels {
	k := neon
	k.name, k.product = "neondot", productDot
	return k
}()

//go:noescape
func productNEON(dst *float32, dstStride int, cells *byte, depth int, acts *byte, actStride int, r *rowsOf, t *fourTokens)

//go:noescape
func productDot(dst *float32, dstStride int, cells *byte, depth int, acts *byte, actStride int, r *rowsOf, t *fourTokens)

//go:noescape
func quantiseNEON(dst []byte, x []float32, factor float32, zero int32)

//go:noescape
func extremesNEON(x []float32) (low, high float32)

//go:noescape
func geluNEON(x []float32)

//go:noescape
func addSumNEON(x, y []float32) float32

//go:noescape
func squaresNEON(x []float32, mean float32) float32

//go:noescape
func scaleShiftNEON(x []float32, factor float32, scale, shift []float32)

//go:noescape
func combineNEON(dst []float32, coefficients []float32, rows *float32, stride int)

//go:noescape
func exponentialsNEON(x []float32, most float32) float32
