// Package recall finds older messages that have to do with what was just said: the tier
// "recall".
//
// A [Tier] keeps, for every user and agent, an index of what the two said in all their
// sessions. It is built from the store when it is first asked for, brought up to date at
// every search, bounded in memory, and found nothing by outside its user and agent. It has
// no texts: every result is read from the store, so that what was deleted, cleared or
// changed is not found.
//
// A message's score by words is BM25 over stems, with a share of its neighbours' scores and
// of its conversation's, more where the question names the message's speaker, less for the
// agent's words and for questions. With an embedder that costs nothing, words near in
// meaning to those of the question count a little, too. The score is then taken as a share
// of the best, and the cosine of the two texts' vectors is added. Similar asks for the
// cosine alone. Up to a few hundred messages vectors are compared one by one; above, 512-bit
// signatures choose those that are.
//
// Vectors of an embedder that takes time are made by a background job, in views of 64
// messages each, named by model: while a new model's are being made the old one's serve.
// Within a turn no such embedder is asked: Contribute searches by words and by what the
// embedded model says.
package recall
