// Package archive stores what earlier conversations and an operator's documents say, so that other
// conversations find it. It is the tier "archive".
//
// A [Tier] makes one [Document] of every range of a session's older messages: title, summary,
// topics, entities, decisions, open questions and dates. A document is a view. It is made from the
// original messages, never from another document, and is made again if it was dropped or if a turn
// in it was undone. Ranges end with a turn. A background job makes them once a session has grown
// long, and for the user's other sessions once they have been idle for a while.
//
// A text that an operator adds ([Tier.Add]) is a session of the reserved user [Owner] whose
// messages are the chunks of the text. It is stored, encrypted, exported and deleted like every
// session. It belongs to an agent, and all users of the agent find it. What a person said is found
// by that person alone: the two are different indexes, and a search names the one index of its own
// user.
//
// A result has two figures. Similarity, which thresholds are compared with, is the weighted share
// of the question's words that the document has, or the similarity in meaning if an embedding model
// gives more, scaled so that nothing reaches 1. Score orders the results: words that occur often in
// a short document count more.
//
// Similarity in meaning comes from the embedded model, and from a slower one if there is one
// (Options.Preferred). Jobs make its vectors, which are views in the store; Options.External gets
// them with the texts, for others to read. Documents without such a vector are found by words and
// by the embedded model, on the same scale.
//
// Within a turn no model server makes a document. A reranker and an embedding server, if set, are
// asked about the question itself, each within its time limit. If they fail, the order stays and
// words decide.
package archive
