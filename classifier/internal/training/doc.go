// Package training watches the training of a model: it reports progress, and it ends training early
// when its caller says so ([Watch]).
package training
