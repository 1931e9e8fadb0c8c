package sqlstore

import (
	"context"
	"crypto/rand"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/slotway/slotway/memory"
)

// Leases run the turns of a session one after another, across processes: who runs a turn has a row
// with a token, and renews it while the turn runs. The rows of a process that died or is paused run
// out. A process that goes on after that is fenced by the session's version: a commit on top of a newer
// version is a conflict.
type Leases struct {
	db     DB
	length time.Duration

	mu      sync.Mutex // guards held and leaving
	held    map[digest]string
	leaving map[digest]chan struct{} // closed when the row is gone
	done    chan struct{}
	ended   chan struct{}
	once    sync.Once
}

var _ memory.SessionLocks = (*Leases)(nil)

// leaseLength is how long a lease lasts that nobody renews.
const leaseLength = 10 * time.Second

// renewals is how many leases are renewed at once. Each is a transaction of its own, as sessions may lie on many shards;
// one after another, many leases would run out where the database is slow.
const renewals = 8

// NewLeases returns session locks in the database of a store; a length of 0 is ten seconds.
func NewLeases(s *Store, length time.Duration) *Leases {
	if length <= 0 {
		length = leaseLength
	}
	l := &Leases{db: s.db, length: length, held: map[digest]string{}, leaving: map[digest]chan struct{}{}, done: make(chan struct{}), ended: make(chan struct{})}
	go l.renew()
	return l
}

// Enter implements memory.SessionLocks. It waits until no process runs a turn of the session.
func (l *Leases) Enter(ctx context.Context, key memory.Key) (leave func(), err error) {
	d, token := digestOf(key), rand.Text()
	l.mu.Lock()
	before := l.leaving[d]
	l.mu.Unlock()
	if before != nil { // the turn before has only just ended, here
		select {
		case <-before:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	// A database of many shards knows the time in what is inserted, and not in a condition on a conflict.
	take := `INSERT INTO leases (session, token, until) VALUES ($1, $2, ` + l.db.Now() + ` + $3::bigint)
		ON CONFLICT (session) DO UPDATE SET token = excluded.token, until = excluded.until WHERE leases.until < excluded.until - $3::bigint`
	for try := 0; ; try++ {
		select {
		case <-l.done:
			return nil, memory.ErrClosed
		default:
		}
		err := l.db.Write(ctx, &Query{Text: take, Args: []any{d[:], token, l.length.Microseconds()}, Must: memory.ErrConflict})
		if err == nil {
			break
		}
		if !errors.Is(err, memory.ErrConflict) {
			return nil, err
		}
		if err := pause(ctx, try); err != nil {
			return nil, err
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.held[d] = token
	return func() { l.leave(d, token) }, nil
}

// pause waits longer from try to try, 2 to 64 ms.
func pause(ctx context.Context, try int) error {
	timer := time.NewTimer(2 * time.Millisecond << min(try, 5))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// leave gives a lease back. It does not wait for the database: the turn is over. A row that stays runs out.
func (l *Leases) leave(d digest, token string) {
	gone := make(chan struct{})
	l.mu.Lock()
	if l.held[d] == token {
		delete(l.held, d)
	}
	l.leaving[d] = gone
	l.mu.Unlock()
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), l.length)
		defer cancel()
		_ = l.db.Write(ctx, &Query{Text: `DELETE FROM leases WHERE session = $1 AND token = $2`, Args: []any{d[:], token}})
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.leaving[d] == gone {
			delete(l.leaving, d)
		}
		close(gone)
	}()
}

// renew renews the leases of turns that run for long.
func (l *Leases) renew() {
	defer close(l.ended)
	tick := time.NewTicker(l.length / 3)
	defer tick.Stop()
	for {
		select {
		case <-l.done:
			return
		case <-tick.C:
		}
		l.mu.Lock()
		held := maps.Clone(l.held)
		l.mu.Unlock()
		ctx, cancel := context.WithTimeout(context.Background(), l.length/3)
		var all sync.WaitGroup
		places := make(chan struct{}, renewals)
		for d, token := range held { // the next try comes soon; without it the version fences
			places <- struct{}{}
			all.Go(func() {
				_ = l.db.Write(ctx, &Query{
					Text: `UPDATE leases SET until = ` + l.db.Now() + ` + $3::bigint WHERE session = $1 AND token = $2`,
					Args: []any{d[:], token, l.length.Microseconds()},
				})
				<-places
			})
		}
		all.Wait()
		cancel()
	}
}

// Close implements memory.SessionLocks. It waits for leases that are being given back. Turns that run on are fenced
// by the session version alone.
func (l *Leases) Close() error {
	l.once.Do(func() { close(l.done) })
	<-l.ended
	l.mu.Lock()
	left := slices.Collect(maps.Values(l.leaving))
	l.mu.Unlock()
	for _, gone := range left {
		<-gone
	}
	return nil
}
