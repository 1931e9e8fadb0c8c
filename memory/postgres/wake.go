package postgres

import (
	"context"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// channel is the notification channel of jobs. Channels belong to one database; the stores of
// several schemas in one database wake each other for nothing.
const channel = `slotway_jobs`

const (
	// tellEvery bounds how often one replica notifies. PostgreSQL takes a lock that is one for
	// the whole database at the commit of every transaction with a NOTIFY (async.c,
	// PreCommit_Notify): pgbench with 32 clients and fsync made 6,550 commits/s without one and
	// 1,170 with one. So turns do not notify: after them, and at most at this rate, a separate
	// transaction does.
	notifyEvery = 100 * time.Millisecond
	// listenAgain is the pause before a lost connection is made again, up to listenLast.
	listenAgain = 100 * time.Millisecond
	listenLast  = 10 * time.Second
)

// notifier notifies other replicas of jobs.
type notifier struct {
	store   *Store
	pending chan struct{}
	quit    chan struct{}
	stopped sync.WaitGroup
}

func startNotifier(s *Store) *notifier {
	t := &notifier{store: s, pending: make(chan struct{}, 1), quit: make(chan struct{})}
	t.stopped.Go(t.run)
	return t
}

// notifyJobs says that a job has become due. It never waits.
func (s *Store) notifyJobs() {
	if s.notifier == nil {
		return
	}
	select {
	case s.notifier.pending <- struct{}{}:
	default:
	}
}

func (t *notifier) run() {
	for {
		select {
		case <-t.quit:
			return
		case <-t.pending:
		}
		t.notify()
		select {
		case <-t.quit:
			return
		case <-time.After(notifyEvery):
		}
	}
}

// notify does not wait for the disk: polling makes up for a notification that a crash loses, or
// that cannot be sent.
func (t *notifier) notify() {
	_ = t.store.write(t.store.done, func(b *pgx.Batch) {
		b.Queue(`SELECT set_config('synchronous_commit', 'off', true)`)
		b.Queue(`SELECT pg_notify($1, '')`, channel)
	})
}

func (t *notifier) close() {
	close(t.quit)
	t.stopped.Wait()
}

// Wake returns a channel that receives when there may be new jobs for an idle worker, of this
// replica or another. It is closed when ctx ends or the store is closed. It is only a hint: a lost
// connection is made again, with growing pauses, and then the channel receives once, because
// notifications were missed meanwhile. Workers poll besides. With Options.NoNotify it never
// receives.
func (s *Store) Wake(ctx context.Context) <-chan struct{} {
	wake := make(chan struct{}, 1)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed.Load() {
		close(wake)
		return wake
	}
	s.running.Go(func() {
		defer close(wake)
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(s.done, cancel)()
		if s.opts.NoNotify {
			<-ctx.Done()
			return
		}
		for rest := listenAgain; ctx.Err() == nil; rest = min(2*rest, listenLast) {
			if s.listen(ctx, wake) {
				rest = listenAgain
			}
			select {
			case <-ctx.Done():
			case <-time.After(rest):
			}
		}
	})
	return wake
}

// listen passes notifications on until the connection is lost, and reports whether there was one.
func (s *Store) listen(ctx context.Context, wake chan<- struct{}) bool {
	c, err := pgx.ConnectConfig(ctx, s.listening.Copy())
	if err != nil {
		return false
	}
	defer func() {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = c.Close(end) // nothing is lost with it
	}()
	if _, err := c.Exec(ctx, `LISTEN `+channel); err != nil {
		return false
	}
	for {
		select {
		case wake <- struct{}{}:
		default:
		}
		if _, err := c.WaitForNotification(ctx); err != nil {
			return true
		}
	}
}
