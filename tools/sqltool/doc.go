// Package sqltool runs a declared SQL statement as a tool.
//
// Arguments are bound, never built into the text: each :name of the statement becomes a parameter;
// a name without an argument is NULL. Reads run on connections that refuse to write (PRAGMA
// query_only) and return a list of rows, or with `one` a row or not_found. Writes run in an
// immediate transaction.
//
// A write that is declared idempotent and called with a key happens exactly once: the same
// transaction records its effect, and its key and result in the table slotway_calls. A later call
// with that key returns the recorded result and has no effect. The same key with other arguments is
// a conflict.
//
// Only SQLite is built in.
package sqltool
