// Package record turns parts of a session into what the columns of a table hold: JSON texts
// that come back byte for byte, and a CRC32C over the values of a row. The stores that keep
// rows (memory/sqlite, memory/postgres) share it; each has tables of its own.
package record
