// Package feature turns a clause into the numbers of its features: words and runs of words
// that say what a clause does, whatever it is about. Words outside of the [Vocabulary] are
// names and things of some agent's own; they are masked by their shape, and of their
// letters only short runs are looked at, so that a misspelt word is still near its own.
package feature
