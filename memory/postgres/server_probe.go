package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/slotway/slotway/memory"
)

const (
	// doubtAfter is how long a call waits before the server is asked whether it is there.
	slowAfter = time.Second
	// proofTime is how long nothing may be heard of a server that is being asked until it
	// counts as out of reach. It outlasts a lost SYN, which is sent again after a second
	// (RFC 6298, section 2.1), and a server that is started anew.
	proofTime = 2 * time.Second
	// askAgain is the pause between two questions to a server that did not answer, and
	// restTime that after an answer: under load every call is slow, and each new connection
	// costs the server a process.
	askAgain = 250 * time.Millisecond
	restTime = time.Second
	// stoodStill is how much longer than it may a question takes in a process that was paused,
	// or got no CPU: its silence proves nothing.
	stoodStill = time.Second
)

// errOut is what a call gets that begins while the server is out of reach.
var errUnreachable = fmt.Errorf("%w: the database does not answer; check the network and the server", memory.ErrUnavailable)

// reach knows whether the server can be reached, so that a call need not wait for its own
// time to run out where others have already.
//
// A call that is slow, or that timed out, proves nothing: the server may be loaded, or
// another transaction in the way. It raises a doubt, on which the server is asked, on a
// connection of its own. The server is out of reach when it was asked for proofTime and
// nothing came back in all that time: not to the question, and to no call on any other
// connection. An error of the server is an answer like any other. From then on calls fail as
// they begin, and connections are cut, so that those under way end now: a read fails, and a
// commit is in doubt as with any lost connection, and keeps the rest of its time to find out
// (Store.settle), for it may hold the outcome of a tool. The first answer ends that.
//
// Who asks is a goroutine of its own, and not the next call: a turn is no guinea pig, and a
// replica that says it is not ready gets none that could find out. That, and a rule that goes
// by silence instead of counting failures, is why this is no circuit breaker of failsafe-go.
type serverProbe struct {
	ask                    func(ctx context.Context) error // nil: there was an answer
	minTimeout, maxTimeout time.Duration                   // for one question: at first, and after many
	onSlow                 func()                          // is told of a call that raises a doubt by its length; nil: nobody is

	answers     atomic.Uint64 // how many there have been
	unreachable atomic.Bool   // out of reach

	mu     sync.Mutex // guards what follows
	asking bool
	asked  time.Time // when the last question was answered
	conns  map[*trackedConn]bool

	done    context.Context // ended by close
	stop    context.CancelFunc
	running sync.WaitGroup // who asks
}

// newReach has the server asked as config says; from then on the connections that config
// makes are cut when the server is out of reach.
func newServerProbe(config *pgconn.Config) *serverProbe {
	r := &serverProbe{ask: newPing(config.Copy()), conns: map[*trackedConn]bool{}}
	r.minTimeout = proofTime * time.Duration(servers(config))
	r.maxTimeout = max(r.minTimeout, config.ConnectTimeout)
	r.done, r.stop = context.WithCancel(context.Background())
	config.DialFunc = r.dialer(config.DialFunc)
	return r
}

// asker asks on a new connection. A query goes with it, because a pooler takes connections by
// itself. It needs nothing that a pooler might mix up, and no rights.
func newPing(config *pgconn.Config) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		c, err := pgconn.ConnectConfig(whileMaking(ctx), config)
		if err == nil {
			err = c.Exec(ctx, `SELECT 1`).Close()
			_ = c.Close(ctx) // nothing is lost with it
		}
		if answered(err) {
			return nil
		}
		return err
	}
}

// answered reports an error that the server itself has sent. One about connections is a
// pooler's, which has waited for the server in vain, and waits no longer.
func answered(err error) bool {
	var server *pgconn.PgError
	return errors.As(err, &server) && !strings.HasPrefix(server.Code, "08")
}

// servers is how many a dsn names. They are tried one after the other.
func servers(config *pgconn.Config) int {
	type server struct {
		host string
		port uint16
	}
	all := map[server]bool{{config.Host, config.Port}: true}
	for _, f := range config.Fallbacks {
		all[server{f.Host, f.Port}] = true
	}
	return len(all)
}

// call runs f, which talks to the server, unless that is out of reach.
func (r *serverProbe) call(ctx context.Context, f func() error) error {
	if r.unreachable.Load() && ctx.Err() == nil {
		return unstarted{errUnreachable}
	}
	timer := time.AfterFunc(slowAfter, r.callIsSlow)
	defer timer.Stop()
	err := f()
	r.observe(ctx, err)
	return err
}

// late is for a call that has no answer yet.
func (r *serverProbe) callIsSlow() {
	r.check()
	if r.onSlow != nil {
		r.onSlow()
	}
}

// note learns from how a call ended. err is the driver's, or that of a callback, which has
// read an answer.
func (r *serverProbe) observe(ctx context.Context, err error) {
	switch {
	case errors.As(err, new(unstarted)) || errors.Is(err, memory.ErrClosed):
		// It says nothing, or was noted already.
	case err == nil || answered(err) || ours(err):
		r.gotAnswer()
	case ctx.Err() == nil: // else the caller gave up
		r.check()
	}
}

// heard is called with every answer.
func (r *serverProbe) gotAnswer() {
	r.answers.Add(1)
	if r.unreachable.Load() {
		r.unreachable.Store(false)
	}
}

// doubt has the server asked. It never waits.
func (r *serverProbe) check() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.asking || r.done.Err() != nil {
		return
	}
	r.asking = true
	r.running.Go(r.run)
}

// prove asks until there is an answer to anybody.
func (r *serverProbe) run() {
	r.mu.Lock()
	left := time.Until(r.asked.Add(restTime))
	r.mu.Unlock()
	r.wait(left)
	began, before, within := time.Now(), r.answers.Load(), r.minTimeout
	for r.done.Err() == nil {
		asked := time.Now()
		if r.ping(within) == nil {
			r.gotAnswer()
		}
		if r.answers.Load() != before {
			break
		}
		if time.Since(asked) > within+stoodStill {
			began = time.Now() // what came meanwhile was not read
			continue
		}
		if time.Since(began) >= r.minTimeout {
			r.markUnreachable(before)
			// A server that needs longer than the proof for a connection, but no longer than
			// the operator allows, is not to be given up for ever.
			within = min(2*within, r.maxTimeout)
		}
		r.wait(askAgain)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asking, r.asked = false, time.Now()
}

func (r *serverProbe) ping(within time.Duration) error {
	ctx, cancel := context.WithTimeout(r.done, within)
	defer cancel()
	return r.ask(ctx)
}

// give gives the server up, unless there was an answer after all. heard counts before it
// looks, and this looks after it has said so: one of the two sees the other.
func (r *serverProbe) markUnreachable(before uint64) {
	was := r.unreachable.Swap(true)
	if r.answers.Load() != before {
		r.unreachable.Store(false)
		return
	}
	if !was {
		r.closeConns()
	}
}

// wait waits for a time, or for close.
func (r *serverProbe) wait(d time.Duration) { sleep(r.done, d) }

// rest waits for a time, or for the end of a context.
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

// close ends the questions.
func (r *serverProbe) close() {
	r.mu.Lock()
	r.stop()
	r.mu.Unlock()
	r.running.Wait()
}
