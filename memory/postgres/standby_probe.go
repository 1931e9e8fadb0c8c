package postgres

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/slotway/slotway/memory"
)

// errNoStandby is the error of what begins while no standby confirms: nothing of it was sent.
var errNoStandby = fmt.Errorf("%w; start a standby that synchronous_standby_names names, or empty that setting and reload it: turns are refused until then", memory.ErrUnconfirmed)

// standbyProbe knows whether a standby confirms commits, so that turns fail at once instead of each
// waiting for its own timeout on a connection that others could use.
//
// A slow commit proves nothing. It makes the probe commit a record of the log on a connection of its
// own. That record needs no lock, so only the server and its standby can delay it. When it is not
// confirmed within proofTime, while the server answers others, no standby confirms. From then on what
// begins is refused before it has done anything, except commits that hold the outcome of a call: those
// are sent, and the same message finds them later. Commits under way keep the rest of their time.
//
// The record stays on its way, one at a time, and costs the server one connection however long that
// takes. Its answer tells at once that a standby is back.
type standbyProbe struct {
	probeLoop
	write  func(ctx context.Context, sent func()) error // commits a record; nil: it is confirmed
	waits  func() bool                                  // the server says that it waits for standbys
	probe  *serverProbe
	notify func(Notice)

	noStandby atomic.Bool // no standby confirms
}

// newStandbyProbe returns the standby probe of a store, which slow calls start.
func newStandbyProbe(s *Store, config *pgx.ConnConfig) *standbyProbe {
	v := &standbyProbe{write: recordWriter(config.Copy()), probe: s.probe, notify: s.opts.Notify}
	v.waits = func() bool { return s.monitor.state.Load().durability() == durabilityStandby }
	v.done, v.stop = context.WithCancel(context.Background())
	s.probe.onSlow = v.check
	return v
}

// touchLogVerbose is touchLog with the setting that lets a warning through.
const touchLogVerbose = `SELECT set_config('client_min_messages', 'warning', true), pg_logical_emit_message(true, 'slotway', '')`

// recordWriter commits a record on a new connection, and waits for as long as the server does.
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

// check commits a record where the server waits for standbys. It never waits.
func (v *standbyProbe) check() {
	if v.waits() {
		v.start(v.run)
	}
}

// run commits records until one is confirmed. A record that is lost with its connection proves
// nothing.
func (v *standbyProbe) run() {
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
}

// commitRecord commits one record and returns when it is confirmed, or lost.
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
		v.probe.check() // no other call may find out that the server is gone
		began = time.Now()
	}
}

// markNoStandby records that no standby confirms.
func (v *standbyProbe) markNoStandby() {
	if !v.noStandby.Swap(true) {
		v.notify(Notice{"standby", errNoStandby.Error()})
	}
}

// requireStandby reports errNoStandby while no standby confirms. An unreachable server comes first.
func (s *Store) requireStandby() error {
	if s.standby.noStandby.Load() && !s.probe.unreachable.Load() {
		return errNoStandby
	}
	return nil
}
