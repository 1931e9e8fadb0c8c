//go:build failpoint

package build

import (
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// clockEnv is the environment variable that names a file with the error of the clock in seconds, a number
// of at most 15 digits.
const clockEnv = "SLOTWAY_CLOCK"

// wrongClock is the file with the clock's error; nil if the environment names none.
var wrongClock = sync.OnceValue(func() *os.File {
	file, err := os.Open(os.Getenv(clockEnv))
	if err != nil {
		return nil
	}
	return file // stays open as long as the process lives
})

// Now returns the time of a clock that a test may set while the process runs. Its times have no
// monotonic reading, so that even the difference of two times in one process shows the jump.
func Now() time.Time {
	now := time.Now()
	file := wrongClock()
	if file == nil {
		return now
	}
	var text [16]byte
	n, _ := file.ReadAt(text[:], 0)
	seconds, err := strconv.ParseInt(strings.TrimSpace(string(text[:n])), 10, 64)
	if err != nil {
		seconds = 0 // it is being written
	}
	return now.Round(0).Add(time.Duration(seconds) * time.Second)
}
