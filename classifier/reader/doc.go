// Package reader reads a message together with the question that it answers. One pass of the sentence
// encoder, fine-tuned for it, takes the open question, the message, the options of a choice and a row for the
// name of every task and param at once. Heads on its rows say what the message does ([message.Do]), which tasks
// it begins or asks about, which params it corrects or removes, which options it chooses, and where in it the
// values stand ([Span]).
// scripts/lab/train/reader/README.md says how it was trained and how good it is.
//
// The names of tasks and params become rows once, in [New]: a new agent needs no training. What the state says
// of each is added for a message: whether it is asked for, known, of the task under way or of the last.
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
//	fifteen matrices of the heads, in the order of [model]; their rows are a multiple of 16
//	five tables of plain numbers: float32
package reader
