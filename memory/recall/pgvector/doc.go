// Package pgvector keeps the vectors of recall in PostgreSQL, by the extension of the same
// name (0.7 or later; see https://github.com/pgvector/pgvector).
//
// # What is stored
//
// For a collection c and vectors of n numbers: the table c_n has one row a message and
// model, keyed by scope, model, session and number, with the vector as halfvec(n): half
// precision costs a cosine less than a thousandth, and an index of them may have 4,000
// numbers where one of full precision has 2,000. A table for each length keeps the column
// typed, so that the index is on the column itself. c_scopes counts the rows of each scope
// and model. There is no text and no id in the clear: users, scopes and sessions are the
// digests that recall makes (see recall.ID), models are digests, too.
//
// Archived texts are the exception: the table c has them in the clear, with their namespace,
// their type and what the archive says of them as jsonb (see recall.DocumentRow), for people
// and tools that look into it.
//
// # How the nearest are found
//
// A scope of up to Options.ExactRows rows, which is nearly every user, is compared row by
// row: nothing that passes the limits is ever missed. The rows of larger ones are marked and
// get into one HNSW index, which is partial: the rows of small scopes, most of a table, cost
// it nothing. Limits are part of the query, and the index is read on (hnsw.iterative_scan)
// until enough rows pass them; should it give up before, all rows of the scope are compared.
// Before 0.8 the extension cannot read on, and every scope is compared row by row. A search
// in one session always is.
//
// # Concurrency
//
// A put locks its scope's count, so two writers of one scope take turns and a row's fence is
// compared and set in one statement. The schema is made at the first put, under an advisory
// lock. Statements are not prepared under names, so a pooler in transaction mode may stand
// between; a search is one round trip.
package pgvector
