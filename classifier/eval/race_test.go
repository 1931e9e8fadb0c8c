//go:build race

package eval

// raceEnabled is set under the race detector, which makes trainings and sums ten times as slow.
const raceEnabled = true
