package eval

import "errors"

// Errors of the measurements.
var (
	ErrNoRows    = errors.New("no messages with an intent to train on")                                     // of a training file
	ErrFolds     = errors.New("folds must be 2 or more, and no more than there are examples")               // of Options.Folds
	ErrFewLabels = errors.New("one intent alone cannot be taken for another: give examples of two or more") // of Advise
	ErrNoFigures = errors.New("holds no figures")                                                           // of a result to compare
)
