//go:build failpoint

package build

import (
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/slotway/slotway/memory/sqlite"
)

// The environment of a build that is to be harmed: the name of a file that holds by how many
// seconds the clock is wrong, a number of at most 15 digits; and the size in bytes at which
// the WAL begins anew.
const (
	clockEnv = "SLOTWAY_CLOCK"
	walEnv   = "SLOTWAY_WAL_BYTES"
)

// wrongClock is nil where the environment names no file.
var wrongClock = sync.OnceValue(func() *os.File {
	file, err := os.Open(os.Getenv(clockEnv))
	if err != nil {
		return nil
	}
	return file // open as long as the process lives
})

// Now is what time it is, by a clock that somebody else may set while the process runs.
// Its times have no monotonic reading, so that a difference of two in one process shows the
// jump as well, which a real one does not.
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

// probing makes checkpoints as frequent as the environment says.
func probing(o *sqlite.Options) {
	if size, err := strconv.ParseInt(os.Getenv(walEnv), 10, 64); err == nil {
		o.CheckpointBytes, o.MaxWALBytes = size/4, size
	}
}
