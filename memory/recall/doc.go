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
//
// Where many processes or very many messages are to share them, vectors can be kept
// elsewhere (Options.Vectors): packages pgvector and chromadb do so, and package vectortest
// says what such a place must do. It is given digests and numbers, never a text or an id.
// Words stay in memory, and one call a search asks for the nearest rows and for the cosines
// of what words have found; a search by a place that is slow or down is by words alone. The
// background job writes rows, and a view in the store says how far it came: it is gone with
// the session, and a late worker cannot move it back. A row is fenced by when its session was
// created and how often it was cleared, and holds a checksum of its text: whatever else is
// there is not told. [Follow] carries deletions over, and a backfill of all users drops what
// is left of sessions that are gone. A vector of a text says what the text is about, so a
// store whose texts are sealed (package sealed) is not to be given such a place.
package recall
