package postgres

import (
	"context"
	"sync"
	"time"
)

// probeLoop runs one probe at a time in the background.
type probeLoop struct {
	mu     sync.Mutex // guards active and ended
	active bool
	ended  time.Time // when the last probe ended

	done    context.Context // ended by close
	stop    context.CancelFunc
	running sync.WaitGroup
}

// start runs a probe unless one is running, restTime after the last one at the earliest. It never
// waits.
func (l *probeLoop) start(probe func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.active || l.done.Err() != nil {
		return
	}
	l.active = true
	left := time.Until(l.ended.Add(restTime))
	l.running.Go(func() {
		sleep(l.done, left)
		probe()
		l.mu.Lock()
		defer l.mu.Unlock()
		l.active, l.ended = false, time.Now()
	})
}

// close ends the probe that is running.
func (l *probeLoop) close() {
	l.mu.Lock()
	l.stop()
	l.mu.Unlock()
	l.running.Wait()
}

// sleep waits for a time, or for the end of a context.
func sleep(ctx context.Context, d time.Duration) {
	if d <= 0 {
		return
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
