//go:build !race

package pgvector

const raceEnabled = false
