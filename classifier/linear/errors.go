package linear

import "errors"

var (
	// ErrNoExamples is returned by Train when there is nothing to learn
	// from.
	ErrNoExamples = errors.New("no training examples")

	// ErrForeign is returned by Restore for a model that this program cannot use: of another
	// Version, or trained with other parts.
	ErrForeign = errors.New("model of another version or embedder")
)
