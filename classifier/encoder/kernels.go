package encoder

// kernels are the loops that take the time, in one of several implementations that give the
// same bits. Lengths are multiples of eight floats unless said otherwise. In sums, lane i of
// eight takes every eighth number from i on; lanes are added by sumLanes.
type kernels struct {
	name string
	// bytes of an activation, 1 or 2, and what it is lowered by.
	bytes int
	lower int32
	// rows that product takes at once.
	rows int

	// product writes rows of four tokens: the product of the cells (depth of each row) and
	// of activations, stride bytes from token to token, in units of scale and step, and bias.
	product func(dst *float32, dstStride int, cells *byte, depth int, acts *byte, actStride int, r *rowsOf, t *fourTokens)
	// extremes returns the least and the greatest number of x and 0.
	extremes func(x []float32) (low, high float32)
	// quantise writes round(x*factor)+zero, at least 0 and at most 255, to dst.
	quantise func(dst []byte, x []float32, factor float32, zero int32)
	// gelu replaces x by its Gaussian error linear unit.
	gelu func(x []float32)
	// addSum adds y to x and returns the sum of x.
	addSum func(x, y []float32) float32
	// squares lowers x by mean and returns the sum of the squares.
	squares func(x []float32, mean float32) float32
	// scaleShift replaces x by x*factor*scale+shift.
	scaleShift func(x []float32, factor float32, scale, shift []float32)
	// combine writes the sum of n rows, stride floats apart, each times its coefficient.
	combine func(dst []float32, coefficients []float32, rows *float32, stride int)
	// exponentials replaces x by exp(x-most) and returns the sum.
	exponentials func(x []float32, most float32) float32
}

// rowsOf holds the data of the current rows: the first of each.
type rowsOf struct {
	scale, bias *float32
	total       *int32
}

// fourTokens holds the data of four tokens: the value of one step of their activations, and
// the activation that stands for 0, lowered like the activations.
type fourTokens struct {
	step [4]float32
	zero [4]int32
}

// tokensAtOnce is how many tokens product takes.
const tokensAtOnce = 4

// fastest is the implementation that this processor runs best.
var fastest = available()[0]
