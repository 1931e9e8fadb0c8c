package linear

import "errors"

var (
	// ErrNoExamples is returned by Train when there is nothing to learn
	// from.
	ErrNoExamples = errors.New("no training examples")

	// ErrDamaged is returned by Decode for data that was cut, changed or never a model.
	ErrDamaged = errors.New("damaged model")

	// ErrForeign is returned by Decode for a whole model that this program cannot use: of
	// another format or Version, or trained with another embedder.
	ErrForeign = errors.New("model of another version or embedder")
)
