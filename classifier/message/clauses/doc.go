// Package clauses cuts a message into clauses with one act each. It is about language, not about an
// agent; the word lists are English, and other languages use their gloss. Without a gloss a message
// is cut only at the ends of its sentences.
package clauses
