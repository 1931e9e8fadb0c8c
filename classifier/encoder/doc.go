// Package encoder turns texts into vectors whose cosine is a measure of likeness in meaning,
// with a transformer of six layers that is compiled into the program: all-MiniLM-L6-v2 in
// eight bits. It needs no model server, no network and, after the first texts, no allocation.
// Unlike a table of word vectors it knows the order of words. README.md beside this file has
// the licence; scripts/lab/train/README.md says how the weights are made.
//
// A message of twelve words takes some 2 ms of a processor with AVX-512 VNNI, 3.2 ms with
// AVX2, and fifty times that in the portable implementation (BenchmarkEmbedInto, on two busy
// cores). [Fast] tells which it is. As the embedder of the recall tier it found no more than the
// table of word vectors (LoCoMo's development part, R@5 73.4 against 72.9, R@10 80.1 against
// 80.3) and took a hundred times as long, so it serves for intents alone.
//
// # The same bits everywhere
//
// Products of matrices are made of integers: a weight has eight bits with one scale a row, an
// activation eight bits with one scale and one zero a token, and 32 bits hold every sum. What
// remains in floating point is written so that every implementation does the same operations
// in the same order: no fused multiplication, sums in eight lanes, an error function and an
// exponential function of our own. So a text has the same vector, bit for bit, on every
// processor, and what was learned from the vectors on one machine serves on another. Tests
// hold each implementation to the portable one.
//
// Against the published model in floating point the vectors have a cosine of 0.998 in the mean
// of the test's texts, hostile ones among them, and 0.990 at least.
//
// # Pieces of words
//
// Texts are cut as the model's own tokeniser cuts them (WordPiece: small letters, no accents,
// punctuation and Han alone), with two differences: names of markers in a text ("[SEP]") are
// ordinary characters, and no more than [Options].Longest pieces are read. Characters of the
// private use area are left out.
//
// # Other layers
//
// [Trunk] runs layers from another file on the same pieces and rows of words, with a row beside each
// piece, and gives the rows at the end instead of their mean; [Matrix] is a map for the heads on them.
// Package reader is made of both.
//
// # The file format
//
// weights.bin, all numbers little-endian; each section begins at a multiple of 64 bytes:
//
//	offset  size  content
//	0       8     magic "SLOTENC1"
//	8       32    uint32 each: layers, width, heads, inner width, positions, pieces, bytes of
//	              their texts, slots of the hash table (a power of two)
//	40      4     CRC-32 (IEEE) of the file without these four bytes
//	44      84    name of the model, ASCII, padded with zeros
//	128           where the text of each piece begins, and the end of the last: uint32
//	              the texts of the pieces, one behind the other
//	              hash table: uint16, the piece or 0xffff for a free slot
//	              scale of the row of each piece: float32
//	              rows of the pieces: int8, width each
//	              rows of the positions: float32, width each
//	              scale and shift of the first normalisation: float32, width each
//	              for each layer: matrix of queries, keys and values; matrix of what attention
//	              mixes; scale and shift; matrix up to the inner width; matrix down; scale, shift
//
// A matrix is four sections: scale float32, bias float32 and sum of the weights int32 of each
// row, and the weights int8: blocks of eight rows; in a block four columns of the first row,
// the same four of the second, and so on, then the next four columns. Queries are scaled
// beforehand by the root of the width of a head.
//
// The first four pieces are the markers for padding, unknown words, the beginning and the end;
// the hash table does not hold them. A piece that continues a word begins with ##. A key is
// hashed by 64-bit FNV-1a, the upper half is mixed into the lower, and linear probing follows.
package encoder
