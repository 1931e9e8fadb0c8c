// Package utterance prepares a message for understanding: [Normalise] undoes what keyboards,
// phones and copying do to letters, [Split] cuts a message into clauses, each of which does
// one thing. Both are about language, not about an agent; the word lists are English. A
// message in a language without lists is cut at the ends of its sentences alone.
package utterance
