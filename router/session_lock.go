package router

import (
	"context"
	"fmt"
	"sync"

	"github.com/slotway/slotway/memory"
)

// lanes keeps the turns of one session in line: first come, first served. A lane exists
// while somebody is in it.
type lanes struct {
	mu   sync.Mutex // guards open
	open map[memory.Key]*lane
	max  int // turns that may wait in one lane
}

type lane struct {
	waiting []chan struct{} // closed when it is that turn's go
}

func newLanes(max int) *lanes { return &lanes{open: map[memory.Key]*lane{}, max: max} }

// enter waits for the session's turn and returns how to leave again. It fails with the
// context's error, or with ErrBusy when the line is full.
func (l *lanes) enter(ctx context.Context, key memory.Key) (leave func(), err error) {
	l.mu.Lock()
	ln, busy := l.open[key]
	if !busy {
		l.open[key] = &lane{}
		l.mu.Unlock()
		return func() { l.leave(key) }, nil
	}
	if len(ln.waiting) >= l.max {
		l.mu.Unlock()
		return nil, ErrBusy
	}
	mine := make(chan struct{})
	ln.waiting = append(ln.waiting, mine)
	l.mu.Unlock()
	select {
	case <-mine:
		return func() { l.leave(key) }, nil
	case <-ctx.Done():
		l.giveUp(key, mine)
		return nil, ctx.Err()
	}
}

// busy reports whether a turn is under way.
func (l *lanes) busy() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.open) > 0
}

// leave lets the next one in, or closes the lane.
func (l *lanes) leave(key memory.Key) {
	l.mu.Lock()
	defer l.mu.Unlock()
	ln := l.open[key]
	if len(ln.waiting) == 0 {
		delete(l.open, key)
		return
	}
	next := ln.waiting[0]
	ln.waiting = ln.waiting[1:]
	close(next)
}

// giveUp takes a waiting turn out of the line. If it was called up in the same moment,
// its go is passed on.
func (l *lanes) giveUp(key memory.Key, mine chan struct{}) {
	l.mu.Lock()
	ln := l.open[key]
	if ln != nil {
		for i, w := range ln.waiting {
			if w == mine {
				ln.waiting = append(ln.waiting[:i], ln.waiting[i+1:]...)
				l.mu.Unlock()
				return
			}
		}
	}
	l.mu.Unlock()
	l.leave(key)
}

// place is a turn's in the line across processes.
type place struct {
	lanes SessionLocker // nil: there is no other process
	key   memory.Key
	leave func()
}

// enter waits for the session, in the line's end where the turn was in before: a process that
// was paused may have lost its lane without knowing.
func (p *place) enter(ctx context.Context) error {
	if p.lanes == nil {
		return nil
	}
	p.leave()
	p.leave = func() {}
	leave, err := p.lanes.Enter(ctx, p.key)
	if err != nil {
		return fmt.Errorf("session is busy: %w", err)
	}
	p.leave = leave
	return nil
}
