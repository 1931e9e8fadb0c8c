// Package chromadb keeps the vectors of recall in ChromaDB, by the second version of its
// HTTP API (https://docs.trychroma.com/reference/chroma-api; tried with 1.5). The API is a
// few JSON calls, so net/http speaks it; there is no client library in Go that its makers
// keep.
//
// # What is stored
//
// A model has a collection, named after the settings' collection and a digest of the model's
// name and length; one more lists the sessions that have records. A record's id is its
// session and its message's number; the metadata are the digests that stand for user, scope
// and session (see recall.ID), numbers, times and flags. There is no document, no text and no
// id in the clear.
//
// Archived texts are the exception: the collection of the settings' own name has them with
// their text and what the archive says of them (see recall.DocumentRow), lists as JSON, for
// people and tools that look into it. It has vectors of one model; where that changes to one of
// another length the collection is made anew. One of that name that somebody else made is
// written into and never dropped.
//
// # What is guaranteed, and what is not
//
// Every search names its scope in the filter, and every limit is part of it. The API cannot
// compare before it writes: a fence is read, then written, and two writers of one session may
// pass each other. A search holds what it finds against the store, so a row of an earlier
// life is never told; a backfill sets it right. Calls change nothing when they are made
// twice, and are retried. Answers are bounded in size. Redirects are not followed.
package chromadb
