// Package tagger finds the values of params by what surrounds them, learned from an
// agent's marked examples: an averaged perceptron over BIO tags with Viterbi decoding
// (Collins, "Discriminative Training Methods for Hidden Markov Models: Theory and
// Experiments with Perceptron Algorithms", EMNLP 2002).
//
// [Train] learns a [Model]; [Model.Tag] returns the spans of one message. It sees words,
// their shapes, edges and neighbours, values that were seen in training, what recognisers
// found, and the param that is being asked for. Only tags that the caller allows are
// considered, in training as in use: the params that an intent declares. That is faster
// by the square of their number and costs nothing in accuracy.
//
// Two trainings on the same examples give the same model, byte for byte.
package tagger
