package tagger

import "errors"

// ErrForeign reports a model of another [Version] or of other vectors: train again.
var ErrForeign = errors.New("not a tagger of this version")
