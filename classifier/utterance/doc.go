// Package utterance prepares a message for understanding: [Normalise] undoes what keyboards,
// phones and copying do to letters, [Append] cuts a message into clauses, each of which does
// one thing. Both are about language, not about an agent; the word lists are English, and
// another language is read by its gloss. Without one a message is cut at the ends of
// its sentences alone.
package utterance
