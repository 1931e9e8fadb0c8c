package harness

import (
	"bytes"
	"sync"
)

// Tail keeps the end of what a process writes and counts its lines. The zero value is ready,
// and several goroutines may use it.
type Tail struct {
	mu    sync.Mutex // guards what follows
	lines int
	last  []byte
}

// tailBytes is enough for the goroutines of a panic.
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

// Lines is how many lines were written.
func (t *Tail) Lines() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.lines
}

// String is the end of what was written, up to half a megabyte.
func (t *Tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.last)
}

// Reset forgets everything.
func (t *Tail) Reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lines, t.last = 0, nil
}
