// Package archive keeps what earlier conversations and an operator's documents say, so
// that it is found from another conversation: the tier "archive".
//
// A [Tier] makes one [Document] of every range of a session's older messages: title,
// summary, topics, entities, decisions, open questions and dates. A document is a view:
// made from the original messages, never from another document, and made again from them
// when it was dropped or when a turn in it was undone. Ranges end with a turn; they are
// made by a background job once a session has grown long, and for the user's other
// sessions once nobody has said anything in them for a while.
//
// Texts that an operator adds ([Tier.Add]) are sessions of the reserved user [Owner], one
// a document, whose messages are the pieces: they are stored, sealed, exported and deleted
// as every session is. They belong to an agent and are found by all its users. What a
// person said is found by that person alone: the two are different indexes, and a search
// names the one index of its own user.
//
// A result has two figures. Similarity, which thresholds are compared with, is the weighted
// share of the question's words that the document has, or the likeness in meaning where an
// embedded model says more, bent so that nothing reaches 1. Score orders the results: words that occur often in a short
// document count more.
//
// Likeness comes from the embedded model, and from one that takes time where there is one
// (Options.Wanted): jobs make its vectors, a view in the store says of which documents there
// are some, and holds them unless Options.Outside keeps them with the texts. What it lacks is
// found by words and by the embedded model, on the same scale.
//
// Within a turn no model server makes a document. A reranker and an embedding server, where
// they are set, are asked about the question itself, each within its time; where they fail the
// order, or the words, stand.
package archive
