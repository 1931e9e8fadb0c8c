// Package recall finds older messages that relate to what was just said. It is the tier "recall".
//
// A [Tier] keeps, for every user and agent, an index of what the two said in all their sessions. It
// builds an index from the store when it is first needed, updates it at every search, and bounds
// its memory. A search finds nothing outside its user and agent. The index holds no texts: every
// result is read from the store, so that deleted, cleared or changed messages are not found.
//
// A message's score by words is BM25 over stems, plus a share of its neighbours' scores and of its
// conversation's. It is higher if the question names the message's speaker, and lower for the
// agent's messages and for questions. With an embedded model, words near in meaning to those of the
// question count a little, too. The score is then divided by the best one, and the cosine of the
// two texts' vectors is added. Similar uses the cosine alone. Up to a few hundred messages, all
// vectors are compared; above that, 512-bit signatures select candidates.
//
// A background job makes the vectors of slower embedders, in views of 64 messages each, named by
// model. While the vectors of a new model are made, those of the old one are used. Within a turn no
// such embedder is asked: Contribute searches by words and by the embedded model.
//
// Vectors can be kept in a vector store (Options.Vectors), for many processes or very many
// messages: packages pgvector and chromadb are such stores, and package vectortest holds the tests
// that they must pass. A store gets digests and numbers, never a text or an id. Words stay in
// memory. One call per search asks for the nearest rows and for the cosines of what words have
// found; if the store is slow or down, words alone decide. The background job writes rows, and a
// view records its progress: the view is deleted with the session, and a late worker cannot move it
// back. A row carries a fence, which is the session's creation time and the number of times it was
// cleared, and a checksum of its text; rows that do not match are ignored. [CascadeDeletes] passes
// deletions on, and a backfill of all users drops what is left of deleted sessions. A vector
// reveals what its text is about, so a store with encrypted texts must not be combined with a
// vector store.
package recall
