package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/slotway/slotway/memory"
)

const (
	// slowAfter is how long a call waits before the probe checks the server.
	slowAfter = time.Second
	// proofTime is how long a probed server must stay silent before it counts as unreachable. It is
	// longer than the retransmission of a lost SYN, one second (RFC 6298, section 2.1), and than the
	// restart of a server.
	proofTime = 2 * time.Second
	// askAgain is the pause after a probe without an answer, and restTime the pause after one with an
	// answer: under load every call is slow, and each new connection costs the server a process.
	askAgain = 250 * time.Millisecond
	restTime = time.Second
	// stoodStill is how much a probe may exceed its timeout before its silence proves nothing: the
	// process was paused, or got no CPU.
	stoodStill = time.Second
)

// errUnreachable is the error of calls that begin while the server is unreachable.
var errUnreachable = fmt.Errorf("%w: the database does not answer; check the network and the server", memory.ErrUnavailable)

// serverProbe knows whether the server can be reached, so that calls fail at once instead of each
// waiting for its own timeout.
//
// A slow call or a timeout proves nothing: the server may be loaded, or another transaction may hold
// a lock. Either makes the probe ask the server on a connection of its own. The server counts as
// unreachable when nothing came back for proofTime, neither to the probe nor to a call on any other
// connection. An error of the server is an answer like any other. From then on calls fail as they
// begin, and connections are closed, so that calls under way end too: a read fails, and a commit has
// an unknown outcome, as with any lost connection, and keeps the rest of its time to find it out
// (Store.resolve), for it may hold the outcome of a tool. The first answer ends that state.
//
// The probe runs in a goroutine of its own instead of using the next call: no turn is risked, and a
// replica that reports "not ready" gets no calls that could find out. For that reason, and because it
// goes by silence instead of counting failures, it is not a circuit breaker of failsafe-go.
type serverProbe struct {
	probeLoop                                              // its mutex guards conns, too
	ask                    func(ctx context.Context) error // nil: there was an answer
	minTimeout, maxTimeout time.Duration                   // of one question: at first, and after many
	onSlow                 func()                          // called when a call is slow; may be nil

	answers     atomic.Uint64 // received so far
	unreachable atomic.Bool
	conns       map[*trackedConn]bool
}

// newServerProbe returns a probe that connects as config says. From then on it closes the connections
// that config makes when the server becomes unreachable.
func newServerProbe(config *pgconn.Config) *serverProbe {
	r := &serverProbe{ask: newPing(config.Copy()), conns: map[*trackedConn]bool{}}
	r.minTimeout = proofTime * time.Duration(servers(config))
	r.maxTimeout = max(r.minTimeout, config.ConnectTimeout)
	r.done, r.stop = context.WithCancel(context.Background())
	config.DialFunc = r.dialer(config.DialFunc)
	return r
}

// newPing returns a function that asks on a new connection. It sends a query, because a pooler
// accepts connections by itself. The query needs no rights and nothing that a pooler could mix up.
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

// answered reports an error that the server itself sent. A connection error comes from a pooler that
// gave up waiting for the server.
func answered(err error) bool {
	var server *pgconn.PgError
	return errors.As(err, &server) && !strings.HasPrefix(server.Code, "08")
}

// servers counts the servers that a dsn names. They are tried one after the other.
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

// call runs f, which talks to the server, unless the server is unreachable.
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

// callIsSlow is called when a call has had no answer for slowAfter.
func (r *serverProbe) callIsSlow() {
	r.check()
	if r.onSlow != nil {
		r.onSlow()
	}
}

// observe learns from how a call ended. err comes from the driver, or from a callback, which has read
// an answer.
func (r *serverProbe) observe(ctx context.Context, err error) {
	switch {
	case errors.As(err, new(unstarted)) || errors.Is(err, memory.ErrClosed):
		// It says nothing, or was observed already.
	case err == nil || answered(err) || ours(err):
		r.gotAnswer()
	case ctx.Err() == nil: // else the caller gave up
		r.check()
	}
}

// gotAnswer counts an answer.
func (r *serverProbe) gotAnswer() {
	r.answers.Add(1)
	if r.unreachable.Load() {
		r.unreachable.Store(false)
	}
}

// check starts a probe unless one is running. It never waits.
func (r *serverProbe) check() { r.start(r.run) }

// run asks until there is an answer to any call.
func (r *serverProbe) run() {
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
			// A server may need longer than the proof for a connection, but no longer than the
			// operator allows: do not give it up for ever.
			within = min(2*within, r.maxTimeout)
		}
		sleep(r.done, askAgain)
	}
}

func (r *serverProbe) ping(within time.Duration) error {
	ctx, cancel := context.WithTimeout(r.done, within)
	defer cancel()
	return r.ask(ctx)
}

// markUnreachable gives the server up, unless there was an answer after all. gotAnswer counts before
// it looks at unreachable, and this looks at the count after it has set unreachable: one of the two
// sees the other.
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
