//go:build race

package linear

// raceEnabled is set under the race detector, whose pools drop what they are given.
const raceEnabled = true
