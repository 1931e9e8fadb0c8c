// Package cassette plays recorded conversations without the models and tools that they were
// recorded with: a tape has what the classifier made of every message, and what every call came
// to. What the rules of a conversation make of that is compared to the word, so that a change of a
// rule shows all that it changes, in a second, and none that a model has made.
//
// The conversations are those of router/testdata, and those of testdata/asides, where something
// else is said in between. After one was added or changed:
//
//	go test ./cmd/slotway -run '^TestTapes$' -tapes      records what they meet
//	go test ./router/replay/cassette -update            writes what is made of it
//
// Whether that is right is said by the conversations' own expectations; the transcripts in
// testdata only say what it is.
package cassette
