package encoder

import (
	"math"
	"unsafe"
)

// portable is the implementation that the others are held to. Products are converted to
// float32 before they are added: the conversion forbids the fused operation that some
// processors have, and with it results that differ in the last bit.
var portable = kernels{
	name: "portable", bytes: 1, rows: blockRows,
	product: productPortable, extremes: extremesPortable, quantise: quantisePortable, gelu: geluPortable,
	addSum: addSumPortable, squares: squaresPortable, scaleShift: scaleShiftPortable,
	combine: combinePortable, exponentials: exponentialsPortable,
}

func productPortable(dst *float32, dstStride int, cells *byte, depth int, acts *byte, actStride int, r *rowsOf, t *fourTokens) {
	w := unsafe.Slice((*int8)(unsafe.Pointer(cells)), blockRows*depth)
	scale, bias := unsafe.Slice(r.scale, blockRows), unsafe.Slice(r.bias, blockRows)
	total := unsafe.Slice(r.total, blockRows)
	out := unsafe.Slice(dst, 3*dstStride+blockRows)
	all := unsafe.Slice(acts, 3*actStride+depth)
	for n := range tokensAtOnce {
		sums := blockSums(w, all[n*actStride:][:depth])
		for i, s := range sums {
			unit := float32(scale[i] * t.step[n])
			out[n*dstStride+i] = float32(float32(s-t.zero[n]*total[i])*unit) + bias[i]
		}
	}
}

// blockSums is the product of eight rows and the activations of one token.
func blockSums(w []int8, acts []byte) (sums [blockRows]int32) {
	for len(acts) >= blockDepth && len(w) >= blockRows*blockDepth {
		a0, a1, a2, a3 := int32(acts[0]), int32(acts[1]), int32(acts[2]), int32(acts[3])
		for i := range sums {
			c := w[blockDepth*i:][:blockDepth:blockDepth]
			sums[i] += int32(c[0])*a0 + int32(c[1])*a1 + int32(c[2])*a2 + int32(c[3])*a3
		}
		acts, w = acts[blockDepth:], w[blockRows*blockDepth:]
	}
	return sums
}

func extremesPortable(x []float32) (low, high float32) {
	for _, v := range x {
		if v < low {
			low = v
		}
		if v > high {
			high = v
		}
	}
	return low, high
}

func quantisePortable(dst []byte, x []float32, factor float32, zero int32) {
	for i, v := range x {
		q := int32(nearest(float32(v*factor))) + zero
		dst[i] = byte(min(max(q, 0), 255))
	}
}

// rounder is 1.5 * 2^23: added and taken away again, it leaves a number below 2^22 rounded
// to the nearest whole one, the even of two.
const rounder = 12582912

func nearest(v float32) float32 { return float32(v+rounder) - rounder }

// geluReach is where the error function has come to its end as far as eight bits can tell.
const geluReach = 5

// geluCurve is (Phi(x)-1/2)/x as a polynomial in x*x*2/25-1, fitted by Chebyshev's points: with
// it the unit is within 6e-6 of the exact one.
var geluCurve = [12]float32{
	0.14136376976966858, -0.07029829919338226, 0.051523733884096146, -0.04038943722844124,
	0.03137390315532684, -0.023647598922252655, 0.016850220039486885, -0.010091974399983883,
	0.005196118261665106, -0.003984269220381975, 0.003155290614813566, -0.0010515735484659672,
}

// geluNumbers are the other constants of the unit, where the assembly finds them too.
var geluNumbers = [5]float32{-geluReach, geluReach, 2.0 / (geluReach * geluReach), -1, 0.5}

func geluPortable(x []float32) {
	for i, v := range x {
		y := min(max(v, geluNumbers[0]), geluNumbers[1])
		u := float32(float32(y*y)*geluNumbers[2]) + geluNumbers[3]
		p := geluCurve[len(geluCurve)-1]
		for k := len(geluCurve) - 2; k >= 0; k-- {
			p = float32(p*u) + geluCurve[k]
		}
		x[i] = v * (float32(y*p) + geluNumbers[4])
	}
}

// sumLanes adds eight lanes up in the order that halving a register twice gives.
func sumLanes(l *[8]float32) float32 {
	return ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7]))
}

func addSumPortable(x, y []float32) float32 {
	var lanes [8]float32
	for i := range x {
		x[i] += y[i]
		lanes[i%8] += x[i]
	}
	return sumLanes(&lanes)
}

func squaresPortable(x []float32, mean float32) float32 {
	var lanes [8]float32
	for i := range x {
		x[i] -= mean
		lanes[i%8] += float32(x[i] * x[i])
	}
	return sumLanes(&lanes)
}

func scaleShiftPortable(x []float32, factor float32, scale, shift []float32) {
	for i := range x {
		x[i] = float32(float32(x[i]*factor)*scale[i]) + shift[i]
	}
}

func combinePortable(dst []float32, coefficients []float32, rows *float32, stride int) {
	all := unsafe.Slice(rows, (len(coefficients)-1)*stride+len(dst))
	clear(dst)
	for i, c := range coefficients {
		row := all[i*stride:][:len(dst)]
		for j, v := range row {
			dst[j] += float32(c * v)
		}
	}
}

// The exponential function: a power of two by its bits, times a polynomial of what is left,
// which is at most half of ln 2. Below leastExponent the result counts as that of it.
const (
	leastExponent = -87
	log2e         = 1.44269504
	ln2High       = 0.693359375 // short, so that multiples of it are exact
	ln2Low        = -2.12194440e-4
)

// expNumbers are those constants, where the assembly finds them.
//
//lint:ignore U1000 floats_amd64.s and floats_arm64.s read it
var expNumbers = [5]float32{leastExponent, log2e, rounder, ln2High, ln2Low}

// expCurve is Taylor's, from the fifth power down; its error is below 4e-6 of the result.
var expCurve = [6]float32{1.0 / 120, 1.0 / 24, 1.0 / 6, 1.0 / 2, 1, 1}

func exponentialsPortable(x []float32, most float32) float32 {
	var lanes [8]float32
	for i := range x {
		x[i] = exponential(x[i] - most)
		lanes[i%8] += x[i]
	}
	return sumLanes(&lanes)
}

func exponential(x float32) float32 {
	v := max(x, leastExponent)
	whole := nearest(float32(v * log2e))
	r := v - float32(whole*ln2High)
	r -= float32(whole * ln2Low)
	p := expCurve[0]
	for _, c := range expCurve[1:] {
		p = float32(p*r) + c
	}
	return p * math.Float32frombits(uint32(int32(whole)+127)<<23)
}
