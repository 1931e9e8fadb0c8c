// Package inmem keeps sessions in memory, in a SQLite database without a file. It is for tests, demos and
// agents that keep nothing.
package inmem
