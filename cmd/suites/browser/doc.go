// Package browser tests the studio in a browser, as people use it. It is a module of its own, so
// that the program's module does not require a driver of browsers. Run it by
//
//	SLOTWAY_TEST_HEAVY=1 go test -C cmd/suites/browser ./...
//
// It needs Chromium, which `scripts/services.sh start browser` installs.
package browser
