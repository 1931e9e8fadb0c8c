package main

import (
	"os"
	"testing"
)

// takesLong skips a test that takes many seconds of processor time, kills processes or needs a
// browser, unless the environment asks for such tests.
func takesLong(t *testing.T) {
	t.Helper()
	if raceEnabled {
		t.Skip("takes long, and runs without the race detector")
	}
	if os.Getenv("SLOTWAY_TEST_HEAVY") != "1" {
		t.Skip("takes long: set SLOTWAY_TEST_HEAVY=1, as .ci/run does")
	}
}
