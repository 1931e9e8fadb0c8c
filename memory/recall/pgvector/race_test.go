//go:build race

package pgvector

// raceEnabled is set under the race detector, which makes trainings and sums ten times as slow.
const raceEnabled = true
