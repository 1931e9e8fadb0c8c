// Package sqltool runs a declared SQL statement as a tool.
//
// Arguments are bound, never built into the text: each :name of the statement becomes a
// parameter, and a name that the call does not give is NULL. Reads run on connections
// that refuse to write (PRAGMA query_only) and give a list of rows, or with `one` a row
// or not_found. Writes run in an immediate transaction.
//
// A write that is declared idempotent and called with a key happens exactly once: the
// key and the result are recorded in the table slotway_calls in the same transaction as
// the effect, and a later call with that key gives the recorded result without an effect.
// The same key with other arguments is a conflict.
//
// Only SQLite is built in.
package sqltool
