// Package turnset reads files of single turns with their meaning, makes agents of the sketches in
// them, and says whether a reader understood a turn as the file has it.
//
// A turn is a state of the conversation, a message, and the commands that the message holds. A
// [Reader] turns the first two into the third; [Runtime] is the reader of the program itself.
package turnset
