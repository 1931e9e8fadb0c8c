//go:build race

package sqlite

// raceEnabled is set under the race detector, with which a test of a store takes four times as long.
const raceEnabled = true
