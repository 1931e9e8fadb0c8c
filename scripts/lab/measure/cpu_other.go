//go:build !unix

package measure

import "time"

// CPU is unknown on this system.
func CPU() time.Duration { return 0 }
