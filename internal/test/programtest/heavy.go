package programtest

import (
	"os"
	"testing"
)

// Heavy reports whether the environment asks for tests that take many seconds of processor time,
// by SLOTWAY_TEST_HEAVY=1. The race detector leaves them out.
func Heavy() bool { return !Race && os.Getenv("SLOTWAY_TEST_HEAVY") == "1" }

// TakesLong skips a test that takes many seconds of processor time, kills processes or needs a
// browser, unless SLOTWAY_TEST_HEAVY asks for such tests.
func TakesLong(t testing.TB) {
	t.Helper()
	if Race {
		t.Skip("takes long, and runs without the race detector")
	}
	if !Heavy() {
		t.Skip("takes long: set SLOTWAY_TEST_HEAVY=1, as .ci/run does")
	}
}

// Missing skips a test that lacks a service or a program. It fails the test where the environment
// requires all of them, as .ci/run does.
func Missing(t testing.TB, what string) {
	t.Helper()
	if os.Getenv("SLOTWAY_REQUIRE_SERVICES") == "1" {
		t.Fatal(what)
	}
	t.Skip(what)
}
