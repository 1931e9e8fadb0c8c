//go:build race

package main

// raceEnabled is set under the race detector, with which a turn takes ten times as long.
const raceEnabled = true
