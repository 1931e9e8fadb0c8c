package tagger

import "errors"

var (
	// ErrForeign says that data is no model, or one of another [Version]: train again.
	ErrForeign = errors.New("not a tagger of this version")
	// ErrDamaged says that data is a model of this version that was cut or changed.
	ErrDamaged = errors.New("damaged tagger")
)
