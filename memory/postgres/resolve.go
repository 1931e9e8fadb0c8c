package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/slotway/slotway/memory"
)

// resolve runs try until its outcome is known: nil, or an error that means that nothing was
// changed. After a try that was lost it asks the database whether it took place, before it tries
// anything else. A server that never noticed the lost connection may still be working on it, so
// that only a later try that met the row itself proves that it did not take place. When the time
// is up, the error is ErrUnknown. A change that is there but that no standby has confirmed counts
// as lost, too (standby.go).
func (s *Store) resolve(ctx context.Context, try func(context.Context) error, landed func(context.Context) (bool, error)) error {
	if err := s.requireDurability(); err != nil {
		return err
	}
	until, cancel := s.writing(ctx)
	defer cancel()
	unsure := false // a try was lost
	for n := 1; ; n++ {
		err := try(ctx)
		if err == nil {
			return nil
		}
		unsure = unsure || lost(err)
		if unsure {
			switch yes, e := s.ask(until, landed); {
			case e != nil:
				return explain(ctx, e)
			case yes:
				return nil
			}
		}
		repeat := lost(err) || again(err) || errors.Is(err, errMissed)
		switch {
		case repeat && n < maxTries && ctx.Err() == nil:
			if !errors.Is(err, errMissed) {
				pause(ctx, n)
			}
		case errors.Is(err, errMissed):
			return memory.ErrConflict
		case unsure && !refused(err):
			return explain(ctx, errOutcomeUnknown)
		default:
			return explain(ctx, err)
		}
	}
}

var errOutcomeUnknown = fmt.Errorf("%w: %w; send the same request again", memory.ErrUnavailable, ErrUnknown)

// refused reports an answer that the row itself has given.
func refused(err error) bool {
	return errors.Is(err, memory.ErrConflict) || errors.Is(err, memory.ErrStarted) || errors.Is(err, memory.ErrBadDelta)
}

// ask asks until there is an answer. What it finds counts once it is durable.
func (s *Store) ask(until context.Context, landed func(context.Context) (bool, error)) (bool, error) {
	for n := 1; ; n++ {
		yes, err := landed(until)
		if err == nil && yes {
			if err = s.waitDurable(until); err != nil && until.Err() != nil {
				s.monitor.unconfirmed.Add(1)
			}
		}
		if err == nil {
			return yes, nil
		}
		if errors.Is(err, memory.ErrCorrupt) || errors.Is(err, memory.ErrClosed) || until.Err() != nil {
			return false, errOutcomeUnknown
		}
		pause(until, n)
	}
}
