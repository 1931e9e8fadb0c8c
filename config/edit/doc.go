// Package edit adds examples to the files of an agent and changes nothing else in them: comments, order
// and formatting stay.
//
// [Plan] finds the place by the positions of the file's nodes, inserts text there, reads the result
// as the program would, and compares it with the file as it was: anything that differs besides the
// new examples is an error. [Change.Write] then replaces the file in one step, unless somebody else
// changed it meanwhile. So a file is never half written, and never invalid because of an example.
package edit
