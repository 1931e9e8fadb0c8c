package tagger

import "errors"

var (
	// ErrForeign reports data that is no model, or a model of another [Version] or other vectors:
	// train again.
	ErrForeign = errors.New("not a tagger of this version")
	// ErrDamaged reports a model of this version that was cut or changed.
	ErrDamaged = errors.New("damaged tagger")
)
