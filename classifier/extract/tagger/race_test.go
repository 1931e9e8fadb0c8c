//go:build race

package tagger

// raceEnabled is set under the race detector, which has pools forget what they hold.
const raceEnabled = true
