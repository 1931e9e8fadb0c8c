// Package chromadb keeps the vectors of recall in ChromaDB, by version 2 of its HTTP API
// (https://docs.trychroma.com/reference/chroma-api; tested with 1.5). The API is a few JSON calls,
// so the package uses net/http; there is no official client library for Go.
//
// # What is stored
//
// Each model has a collection, named after the configured collection and a digest of the model's
// name and vector length. The id of a record is its session and message number. Its metadata are
// digests that stand for user, scope and session (see recall.ID), numbers, times and flags. There is
// no document, no text and no id in the clear.
//
// Archived texts are the exception: the collection with the configured name has them with their
// text and the archive's metadata (see recall.Document), lists as JSON, for people and tools that
// read it. It has the vectors of one model. If another model is configured, the collection is created
// again. A collection of that name that somebody else created is written to and never dropped.
//
// # What is guaranteed, and what is not
//
// Every search has its scope and all its limits in the filter. The API has no compare-and-set: a
// fence is read, then written, and two writers of one session may overwrite each other. A search
// checks its results against the store, so that a row of an earlier life is never returned; a
// backfill repairs it. Responses are limited in size. Redirects are not followed.
package chromadb
