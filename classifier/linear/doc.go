// Package linear ranks intents with a linear model that is trained when an agent is
// loaded: words, word pairs and character n-grams, weighted by TF-IDF, and optionally the
// vector of an [Embedder], under one-vs-rest support vector machines. It needs no network
// and no files.
//
// [Train] builds a [Model]; [Model.Rank] scores a text and is safe for concurrent use.
// The same examples give the same model, byte for byte, whatever the number of
// processors. A model is written by [Model.AppendBinary] and read by [Decode].
//
// Confidences are calibrated on held-out examples so that fixed values mean the same for
// every agent; see calibrate.go. A message made of unknown words is marked down further.
//
// Runs of digits count as one word, so "track order 1" generalises to other numbers.
// A caller that knows more (an order id, an e-mail address) replaces such a span by a
// rune of the Unicode private use area; each such rune is a word of its own.
//
// A word that neither the examples nor the [Dictionary] know is repaired before its features are
// made: see spell.go. With two slips of the finger a message that is worth 8 points on ten
// examples an intent, and as many on BANKING77 whole; messages without slips lose nothing,
// since words that are made of known ones stay as they are: see derive.go.
//
// With an encoder a second model ranks what the first is not sure of (second.go). Into its weights
// the linear discriminant of the vectors is blended (discriminant.go): a machine over few examples
// knows where intents part, not where they end.
//
// Letters of scripts without spaces are read by units: see unit.go. What features know of a
// language, words that name nothing and letters that are written in several ways, is the file
// features.txt of its folder in config/language.
//
// Weights are int8, one scale a class; see matrix. 84 in 100 of them are zero on 150
// intents, but rows of eight classes to a word are faster than lists of the others.
//
// # What was tried
//
// Points of accuracy on development splits, the mean of CLINC150, BANKING77, HWU64, SNIPS
// and ATIS whole, and of nine sets of 5 and 10 examples an intent:
//
//	int8 weights                        0.0, 0.0  kept
//	pairs with the ends of the text     0.0, +0.3 kept, from 500 texts on
//	a miss costs 3 times a false alarm  +0.2, 0.0 kept, from 500 texts on
//	vectors of 128, 256 dimensions      +0.4, +0.5; +3.1, +3.8 kept
//	pairs as a group of their own       0.0, -0.9
//	pairs with a word between           0.0, 0.0
//	word triples                        -0.2, -0.1
//	stems                               0.0, +0.1
//	n-grams across words                -0.1, 0.0
//	n-grams to 4, to 6 letters          -0.1, +0.1; 0.0, -0.1
//	n-grams weighted 0.7, 1.4           -0.2, -0.6; -0.1, +0.1
//	C of 0.25, 0.5, 2                   -0.5, -0.1; -0.1, 0.0; -0.1, 0.0
//	vectors centred on the training set -0.2, +0.3
//	vectors to the power of 0.7         -0.2, +0.1
//	centroids added to the weights      -0.1, 0.0
//
// On sets of ten examples an intent, clean and with two slips a message:
//
//	repair of rare common words where   -0.1, +0.3 kept
//	an own word follows the one before
//	the norm of words counts unknown    0.0, 0.0
//	ones, at 0.3 or 1 of the greatest idf
//
// In other languages, on eight folds of 48 examples each of German, Spanish and French, and of
// Chinese, Japanese and Thai; first the points of accuracy, then of what is out of scope and
// acted on:
//
//	words that name nothing             0.0, -33; 0.0, -8 kept
//	the same at 0.5, 0.1 in features    -0.7, +4; -1.4, -2
//	letters in one writing              0.0; German without umlauts +8 kept
//	the apostrophe parts French words   -2.1, +6
//	n-grams weighted 1.5, 2             0.0, 0; -2.8, 0 and +0.7, +2; -4.9, -2
//	a syllable known by one neighbour   0.0, -15 kept
//	at 0.6, not wholly
//
// On ten examples an intent drawn from the training sets of BANKING77, HWU64 and CLINC150, the
// rest of which was ranked; the second model, by itself right about 85.2 in 100:
//
//	the discriminant of its vectors     +0.7 kept
//	a question mark behind each text    +0.6 kept, by the caller
//	the first model's scores, at 0.2,   0.0, -0.3, -1.1
//	0.4 and 1 of its own
//	likeness to the nearest example     +0.5, beside the discriminant +0.1
//	"don't" for "dont" and the like     0.0
//	texts with case and punctuation     +0.1
//	"request: ", "what is this about?"  +0.3, -0.5
//	around each text
package linear
