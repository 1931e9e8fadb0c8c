// Package embed turns texts into vectors whose cosine is a measure of likeness in
// meaning. [Static] is the embedded model: a table of word vectors, compiled into the
// program, that needs no model server, no network and no allocation (about 1.5 µs
// for a message of ten words; see BenchmarkEmbedInto).
//
// # The model
//
// A text's vector is the sum of its words' vectors, scaled to unit length. The word
// vectors were fitted to all-MiniLM-L6-v2 by the script in scripts/lab/train, whose README
// says how and how well; README.md beside this file has the licences. They already carry
// the words' weights: "the" is short, "refund" is long.
//
// Words are runs of letters, lower-cased and without accents and apostrophes ("Don't" is
// "dont"). All numbers are one word. A word that the table lacks is cut into the longest
// known beginning and the longest known continuations, as WordPiece does, so that a typo
// or a rare inflection still contributes. Text in other scripts than Latin contributes
// nothing; a text without any known word has the zero vector.
//
// All sums are made of integers and the last step avoids fused multiplication, so a text
// has the same vector, bit for bit, on every platform.
//
// # The file format
//
// static.bin, all numbers little-endian:
//
//	offset  size         content
//	0       8            magic "SLOTEMB1"
//	8       4            dimension: a multiple of 8, at most 512
//	12      4            rows
//	16      4            slots of the hash table, more than rows
//	20      4            CRC-32 (IEEE) of the file without these four bytes
//	24      40           name of the model, ASCII, padded with zeros
//	64      8*slots      hash table: tag uint32, row uint32 (0xffffffff: free)
//	...     2*rows       weight of each row, uint16, at most 4095
//	...     dim*rows     vectors, row by row: each byte is the value plus 128
//
// The value of a row is weight*(byte-128) in a unit that is the same for all rows and
// drops out when a vector is scaled to length one. A row holds its values in the order
// 0 1 2 3 4 5 6 7 of each group of eight.
//
// The hash table has linear probing. A key is hashed by 64-bit FNV-1a and mixed (see find
// in table.go); the upper half is the tag; the lower half times slots, shifted right by
// 32, is the first slot. Keys are words ("refund"), continuations with a leading '#' ("#ing"), and "0"
// for the numbers. Words themselves are not stored: a word outside the vocabulary is
// taken for one inside with a probability of about 2^-32.
package embed
