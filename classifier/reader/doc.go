// Package reader reads a message together with the question that it answers. One pass of the sentence
// encoder, fine-tuned for it, takes the open question, the message and the options of a choice at once;
// heads on its rows say what the message does ([message.Do]), which tasks it begins or asks about, which params
// it corrects or removes, which options it chooses, and where in it the values stand ([Span]).
// scripts/lab/train/reader/README.md says how it was trained and how good it is.
//
// Tasks and params are read by their names once, in [New]: a new agent needs no training.
//
// The tokeniser, the rows of the words and the loops are those of package encoder, so a reading has the
// same bits on every processor. The file reader.bin holds what is the reader's own.
//
// # The file format
//
// reader.bin has the header and the sections of encoder's weights.bin, with the magic "SLOTRDR1". Its
// sizes are layers, width, heads of attention, inner width, positions, kinds of states, types of params
// and commands. The sections:
//
//	rows of the positions: float32, width each
//	scale and shift of the first normalisation
//	the layers, as in weights.bin
//	rows of the six segments, the kinds and the types: float32, width each
//	thirteen matrices of the heads, in the order of [model]; their rows are a multiple of 16
//	nine tables of plain numbers: float32
package reader
