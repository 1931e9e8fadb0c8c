// Package pgvector keeps the vectors of recall in PostgreSQL, by the extension of the same name
// (0.7 or later; see https://github.com/pgvector/pgvector).
//
// # What is stored
//
// For a collection c and vectors of n numbers, the table c_n has one row per message and model,
// keyed by scope, model, session and number. The vector is a halfvec(n): half precision changes a
// cosine by less than a thousandth, and its index takes 4,000 numbers where one of full precision
// takes 2,000. A table for each length keeps the column typed, so that the index is on the column
// itself. c_scopes counts the rows of each scope and model. There is no text and no id in the
// clear: users, scopes and sessions are the digests that recall makes (see recall.ID), and models
// are digests, too.
//
// Archived texts are the exception: the table c has them in the clear, with their namespace, type
// and the archive's metadata as jsonb (see recall.DocumentRow), for people and tools that read it.
//
// # How the nearest are found
//
// A scope of up to Options.ExactRows rows, which is nearly every user, is compared row by row: no
// row that passes the limits is missed. The rows of larger scopes are marked and indexed by one
// HNSW index, which is partial: the rows of small scopes, most of a table, cost it nothing. Limits
// are part of the query, and the index scan goes on (hnsw.iterative_scan) until enough rows pass
// them. If it gives up before, all rows of the scope are compared. Before 0.8 the extension has no
// iterative scan, and every scope is compared row by row. A search in one session always is.
//
// # Concurrency
//
// A put locks its scope's count, so that two writers of one scope take turns and a row's fence is
// compared and set in one statement. The first put creates the schema under an advisory lock.
// Statements are not prepared under names, so that a pooler in transaction mode may stand between.
// A search is one round trip.
package pgvector
