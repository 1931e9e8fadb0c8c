// Salience fits the weights of memory/summary: which pieces of a conversation are asked
// for later. It reads a folder with turns.jsonl (conv, id, session, speaker, text) and
// questions.jsonl (conv, evidence: the ids of the turns that answer a question), fits a
// logistic model by Newton's method with an L2 penalty, where a turn that is evidence for n
// questions weighs as much as the root of n, and writes the table.
//
// Before that it says how good the model is: for every conversation it fits on the others
// and counts the evidence turns that the summary of the one left out still holds, at the
// share of the words that -keep gives.
//
//	go run -C scripts/lab ./train/salience -dir DIR [-out ../../memory/summary/weights.go]
package main
