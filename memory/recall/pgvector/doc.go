// Package pgvector keeps the vectors of recall in PostgreSQL, by the extension of the same name
// (0.7 or later; see https://github.com/pgvector/pgvector).
//
// # What is stored
//
// For a collection c, the table c_vectors has one row per message and model, without text and
// without an id in the clear: users, scopes and sessions are the digests that recall makes (see
// recall.ID). The table c has the archived texts in the clear, with their namespace, type and the
// archive's metadata as jsonb (see recall.Document), for people and tools that read it.
//
// # How the nearest are found
//
// All rows of a scope, which is a user and an agent, are compared: none that passes the limits is
// missed, and a search is one statement. 10,000 rows of 256 numbers take 4 ms, and
// 100,000, which is years of one user with one agent, 60 ms (BenchmarkNearest). So there is no index
// of the nearest, which would cost every write.
//
// # Concurrency
//
// A row's fence is compared and set in one statement. Statements are not prepared under names, so
// that a pooler in transaction mode may stand between.
package pgvector
