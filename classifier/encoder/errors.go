package encoder

import "errors"

// ErrWeights: the compiled-in weights are not whole, which means that the program itself is
// damaged.
var ErrWeights = errors.New("encoder: damaged weights")
