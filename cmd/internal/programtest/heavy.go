package programtest

import (
	"os"
	"testing"
)

// TakesLong skips a test that takes many seconds of processor time, kills processes or needs a
// browser, unless SLOTWAY_TEST_HEAVY asks for such tests.
func TakesLong(t testing.TB) {
	t.Helper()
	if Race {
		t.Skip("takes long, and runs without the race detector")
	}
	if os.Getenv("SLOTWAY_TEST_HEAVY") != "1" {
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
