//go:build !race

package programtest

// Race is set under the race detector, with which a turn takes ten times as long.
const Race = false
