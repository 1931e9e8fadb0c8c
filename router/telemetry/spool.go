package telemetry

import (
	"bytes"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// ErrSpoolFull: the spool has no room. It passes when the writer behind takes lines again.
var ErrSpoolFull = errors.New("too many lines wait to be written")

// spoolBytes bounds what may wait: some 2,600 lines.
const spoolBytes = 1 << 20

// spoolPatience is how long Close waits for a blocked writer.
const spoolPatience = 2 * time.Second

// Spool is a writer in front of one that may be slow or blocked, such as a pipe that nobody reads:
// writing to it never waits. One goroutine writes the lines in order, many at a time. Lines without
// room, and those that the writer refuses, are lost and counted.
type Spool struct {
	w     io.Writer
	limit int
	wake  chan struct{} // has room for one: something changed
	ended chan struct{} // closed when nothing is written any more
	lost  atomic.Uint64

	mu      sync.Mutex // guards what follows
	waiting []byte
	closed  bool
}

// NewSpool begins to write to w. The caller closes it.
func NewSpool(w io.Writer) *Spool { return newSpool(w, spoolBytes) }

func newSpool(w io.Writer, limit int) *Spool {
	s := &Spool{w: w, limit: limit, wake: make(chan struct{}, 1), ended: make(chan struct{})}
	go s.pump()
	return s
}

// Write takes whole lines. It fails with ErrSpoolFull, or with io.ErrClosedPipe after Close.
func (s *Spool) Write(lines []byte) (int, error) {
	if err := s.take(lines); err != nil {
		s.miss(lines)
		return 0, err
	}
	s.signal()
	return len(lines), nil
}

func (s *Spool) take(lines []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return io.ErrClosedPipe
	case len(s.waiting)+len(lines) > s.limit:
		return ErrSpoolFull
	}
	s.waiting = append(s.waiting, lines...)
	return nil
}

func (s *Spool) signal() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// miss counts lost lines; a part of one counts as one.
func (s *Spool) miss(lines []byte) {
	n := bytes.Count(lines, []byte{'\n'})
	if len(lines) > 0 && lines[len(lines)-1] != '\n' {
		n++
	}
	s.lost.Add(uint64(n))
}

// Lost returns the number of lines that were not written.
func (s *Spool) Lost() uint64 { return s.lost.Load() }

// pump writes until the spool is closed and empty.
func (s *Spool) pump() {
	defer close(s.ended)
	var batch []byte
	for {
		var closed bool
		s.mu.Lock()
		batch, s.waiting, closed = s.waiting, batch[:0], s.closed
		s.mu.Unlock()
		if len(batch) == 0 {
			if closed {
				return
			}
			<-s.wake
			continue
		}
		if n, err := s.w.Write(batch); err != nil || n < len(batch) {
			s.miss(batch[min(max(n, 0), len(batch)):])
		}
	}
}

// Close writes what waits. After two seconds it abandons a blocked writer, which nothing can interrupt,
// and what waits is lost. It may be called twice.
func (s *Spool) Close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.signal()
	patience := time.NewTimer(spoolPatience)
	defer patience.Stop()
	select {
	case <-s.ended:
		return nil
	case <-patience.C:
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.miss(s.waiting)
	s.waiting = nil
	return ErrSpoolFull
}
