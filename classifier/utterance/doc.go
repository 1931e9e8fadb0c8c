// Package utterance prepares a message for understanding: [Normalise] repairs the letters that
// keyboards, phones and copying have changed, and [Append] cuts a message into clauses with one act
// each. Both are about language, not about an agent; the word lists are English, and
// other languages use their gloss. Without a gloss a message is cut only at the ends of its
// sentences.
package utterance
