// Package acts says what a clause does in a conversation, whatever an agent is about:
// agree, refuse, ask, hold, correct and so on, each with a probability of its own.
//
// A phrase of the tables (phrases.txt) is certain. All else goes to a small linear model
// whose weights ship with the binary: model.bin, made from the phrases in
// scripts/lab/train/acts by `go run -C scripts/lab ./train/acts`. Words of an agent's own, such as names
// and things, are masked, so that an agent needs no training of it. That is English; [In] reads
// other languages by tables and models of their own (config/language).
package acts
