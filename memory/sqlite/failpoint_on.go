//go:build failpoint

package sqlite

import (
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

// failpointEnv names a point and how many times it is passed before the process dies there:
// NAME or NAME:TIMES. It does something in builds with the tag failpoint only.
const failpointEnv = "SLOTWAY_FAILPOINT"

// The point that is armed; written once, before anything passes it.
var armed = sync.OnceValue(func() *arming {
	name, times, found := strings.Cut(os.Getenv(failpointEnv), ":")
	a := &arming{name: name}
	if found {
		a.left, _ = strconv.Atoi(times) // a wrong number is 0: die at once
	}
	return a
})

type arming struct {
	name string
	mu   sync.Mutex // guards left
	left int
}

// failpoint kills the process, as kill -9 does, when the environment names the point.
func failpoint(name string) {
	a := armed()
	if a.name != name {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.left--; a.left < 0 {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {} // the signal is on its way
	}
}
