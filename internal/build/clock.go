//go:build !failpoint

package build

import (
	"time"

	"github.com/slotway/slotway/memory/sqlite"
)

// Now returns the current time.
func Now() time.Time { return time.Now() }

// probing does nothing in a release build.
func probing(*sqlite.Options) {}
