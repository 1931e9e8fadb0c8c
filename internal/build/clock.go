//go:build !failpoint

package build

import "time"

// Now returns the current time.
func Now() time.Time { return time.Now() }
