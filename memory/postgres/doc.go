// Package postgres keeps sessions in a PostgreSQL database (14 or newer) that any number of
// replicas share.
package postgres
