package postgres

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/slotway/slotway/memory"
)

// errAlone is what begins while no standby confirms: nothing of it was sent.
var errNoStandby = fmt.Errorf("%w; start a standby that synchronous_standby_names names, or empty that setting and reload it: turns are refused until then", memory.ErrUnconfirmed)

// vigil knows whether a standby confirms what is committed, so that a turn need not wait for
// its own time to run out, on a connection that nobody else has meanwhile, where others have.
//
// A commit that is slow proves nothing: it raises a doubt, on which a record of the log is
// committed on a connection of its own. It needs no lock, so that only the server and its
// standby can hold it up; when it is not confirmed within proofTime, while the server answers
// others, no standby confirms. What begins from then on is refused before it has done anything,
// but for commits that hold the outcome of a call: those are sent, and the same message finds
// them later. Those under way keep the rest of their time.
//
// The record stays on its way, one at a time, and costs the server one connection however long
// that takes; its answer is the news that a standby is back, at the moment of its return.
type standbyProbe struct {
	write  func(ctx context.Context, sent func()) error // commits a record; nil: it is confirmed
	waits  func() bool                                  // the server says that it waits for standbys
	probe  *serverProbe
	notify func(Notice)

	noStandby atomic.Bool // no standby confirms

	mu     sync.Mutex // guards what follows
	asking bool
	asked  time.Time // when the last question was answered

	done    context.Context // ended by close
	stop    context.CancelFunc
	running sync.WaitGroup // who asks
}

// newVigil has the server of a store watched that its connections are slow to.
func newStandbyProbe(s *Store, config *pgx.ConnConfig) *standbyProbe {
	v := &standbyProbe{write: recordWriter(config.Copy()), probe: s.probe, notify: s.opts.Notify}
	v.waits = func() bool { return s.monitor.state.Load().durability() == durabilityStandby }
	v.done, v.stop = context.WithCancel(context.Background())
	s.probe.onSlow = v.check
	return v
}

// touchAlone is touchLog with the setting that lets a warning through.
const touchLogVerbose = `SELECT set_config('client_min_messages', 'warning', true), pg_logical_emit_message(true, 'slotway', '')`

// toucher commits a record on a new connection, and waits for as long as the server does.
func recordWriter(config *pgx.ConnConfig) func(ctx context.Context, sent func()) error {
	return func(ctx context.Context, sent func()) error {
		c, err := pgx.ConnectConfig(ctx, config.Copy())
		if err != nil {
			return err
		}
		defer func() {
			end, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
			defer cancel()
			_ = c.Close(end) // nothing is lost with it
		}()
		sent()
		err = c.PgConn().Exec(ctx, touchLogVerbose).Close()
		if err == nil && c.PgConn().CustomData()[waitGivenUp] != nil {
			return errLocal
		}
		return err
	}
}

// doubt has a record committed, where the server waits for standbys. It never waits.
func (v *standbyProbe) check() {
	if !v.waits() {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.asking || v.done.Err() != nil {
		return
	}
	v.asking = true
	v.running.Go(v.run)
}

// prove asks until a record is confirmed. One that is lost with its connection settles nothing,
// and who has raised the doubt waits, and raises none any more.
func (v *standbyProbe) run() {
	v.mu.Lock()
	left := time.Until(v.asked.Add(restTime))
	v.mu.Unlock()
	sleep(v.done, left)
	for v.done.Err() == nil {
		err := v.commitRecord()
		if err == nil {
			break
		}
		if errors.Is(err, errLocal) { // the server says so itself
			v.markNoStandby()
		}
		sleep(v.done, askAgain)
	}
	if v.done.Err() == nil && v.noStandby.Swap(false) {
		v.notify(Notice{"standby", "commits are confirmed again; turns are taken"})
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.asking, v.asked = false, time.Now()
}

// question commits one record and returns when it is confirmed, or lost.
func (v *standbyProbe) commitRecord() error {
	ctx, cancel := context.WithCancel(v.done)
	defer cancel()
	sent, ended := make(chan struct{}), make(chan error, 1)
	go func() { ended <- v.write(ctx, func() { close(sent) }) }()
	select {
	case err := <-ended:
		return err
	case <-sent:
	}
	within, began, heard := proofTime, time.Now(), v.probe.answers.Load()
	for {
		timer := time.NewTimer(within)
		select {
		case err := <-ended:
			timer.Stop()
			return err
		case <-timer.C:
		}
		switch answers := v.probe.answers.Load(); {
		case time.Since(began) > within+stoodStill: // what came meanwhile was not read
			within, heard = proofTime, answers
		case answers != heard && !v.probe.unreachable.Load():
			v.markNoStandby()
			within, heard = proofTime, answers
		default: // it may be the server that is silent
			within = askAgain
		}
		v.probe.check() // who else would find out that it is gone
		began = time.Now()
	}
}

// give takes it for proven that no standby confirms.
func (v *standbyProbe) markNoStandby() {
	if !v.noStandby.Swap(true) {
		v.notify(Notice{"standby", errNoStandby.Error()})
	}
}

// close ends the questions.
func (v *standbyProbe) close() {
	v.mu.Lock()
	v.stop()
	v.mu.Unlock()
	v.running.Wait()
}

// lone reports errAlone while no standby confirms. A server that is out of reach comes first.
func (s *Store) requireStandby() error {
	if s.standby.noStandby.Load() && !s.probe.unreachable.Load() {
		return errNoStandby
	}
	return nil
}
