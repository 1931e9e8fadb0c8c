package harness

import (
	"bytes"
	"sync"
)

// Tail keeps the end of a process's output and counts its lines. The zero value is ready to
// use, by several goroutines at once.
type Tail struct {
	mu    sync.Mutex // guards what follows
	lines int
	last  []byte
}

// tailBytes has room for the stack traces of a panic.
const tailBytes = 256 << 10

// Write implements io.Writer.
func (t *Tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lines += bytes.Count(b, []byte{'\n'})
	t.last = append(t.last, b...)
	if len(t.last) > 2*tailBytes {
		t.last = append(t.last[:0], t.last[len(t.last)-tailBytes:]...)
	}
	return len(b), nil
}

// Lines returns the number of lines since the last Reset.
func (t *Tail) Lines() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.lines
}

// String returns the end of the output, 512 KiB at most.
func (t *Tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.last)
}

// Reset empties the tail.
func (t *Tail) Reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lines, t.last = 0, nil
}
