// Package linear ranks intents with a linear model that is trained when an agent is
// loaded: words, word pairs and character n-grams, weighted by TF-IDF, under one-vs-rest
// support vector machines. It needs no network and no files.
//
// [Train] builds a [Model]; [Model.Rank] scores a text and is safe for concurrent use.
// The same examples give the same model, bit for bit, whatever the number of processors.
// Confidences are calibrated on held-out examples and held-out intents, so that about
// one half is where a request stops being told from an off-topic one; a message made of
// unknown words is marked down further.
//
// Runs of digits count as one word, so "track order 1" generalises to other numbers.
// A caller that knows more (an order id, an e-mail address) replaces such a span by a
// rune of the Unicode private use area; each such rune is a word of its own.
package linear
