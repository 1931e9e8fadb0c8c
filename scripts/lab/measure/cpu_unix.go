//go:build unix

package measure

import (
	"syscall"
	"time"
)

// CPU is the time that the process has used of all processors.
func CPU() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
