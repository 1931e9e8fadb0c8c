// Package sessions changes and shows stored conversations for people, by hand or over HTTP: it masks
// redacted values, exports, imports and clears sessions, and undoes turns.
//
// A [Mask] hides the values of one session. It hides every value that a redacted param had after any
// turn, that a tool received, or that a question offered, in any text. [Masks] keeps the masks of
// several sessions for one answer, and [MaskCache] keeps them across answers, so that a client that
// reads a long conversation after each turn does not read all of it again. A mask cannot hide values
// that nothing has recorded: a value of a redacted param without a pattern that was said, used in a
// reply and dropped within one turn, and that no tool received, stays in the text of its messages.
//
// [Clear] and [Undo] are serial with the turns of their session, also of other processes: they commit
// against the version that they loaded, and start over if a turn was committed first.
package sessions
