package linear

import "errors"

// ErrNoExamples is returned by Train when there is nothing to learn from.
var ErrNoExamples = errors.New("no training examples")
