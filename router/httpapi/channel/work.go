package channel

import (
	"context"
	"errors"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router"
)

// Pauses after a turn that failed.
const (
	firstPause = 200 * time.Millisecond
	lastPause  = time.Minute
	// maxTries is the number of attempts for a message that fails although the store works.
	maxTries = 8
)

// work handles the messages of a conversation until none is left.
func (h *Hub) work(ctx context.Context, conversation string) {
	tries, pause := 0, firstPause
	for ctx.Err() == nil {
		list, err := h.inbox.pending(ctx, conversation)
		if err != nil && ctx.Err() == nil {
			h.report(memory.Key{}, "inbox", err)
		}
		if len(list) == 0 {
			return // after an error the next look of Run tries again
		}
		e := &list[0]
		// It waits no longer if the clock of the replica that took it is ahead.
		if early := later(e.stored.At, h.begun()).Add(h.opts.Settle).Sub(h.opts.Now()); early > 0 && early <= h.opts.Settle {
			sleep(ctx, early)
			continue
		}
		err = h.handle(ctx, e)
		if err == nil || giveUp(err, tries) && ctx.Err() == nil {
			if err != nil {
				h.report(h.keyOf(e.Channel, e.From), "message_dropped", err)
			}
			err = h.inbox.drop(ctx, e)
			tries, pause = 0, firstPause
		}
		if err != nil {
			sleep(ctx, pause)
			tries++
			pause = min(2*pause, lastPause)
		}
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// giveUp reports whether the hub drops a message: no attempt can succeed, or too many have failed
// although the store works.
func giveUp(err error, tries int) bool {
	if errors.Is(err, router.ErrBadInteraction) {
		return true
	}
	return tries+1 >= maxTries && !errors.Is(err, memory.ErrUnavailable)
}

func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// handle runs the turn of a message. nil: the reply is committed, or the message needs none.
func (h *Hub) handle(ctx context.Context, e *entry) error {
	key := h.keyOf(e.Channel, e.From)
	in := router.Interaction{ID: e.ID, Text: e.Text, Context: router.Context{SessionID: key.SessionID, UserID: key.UserID}}
	if e.Value != "" {
		text, turn, err := h.chosen(ctx, key, e.Value)
		if errors.Is(err, errNotTheirs) {
			return nil
		}
		if err != nil {
			return err
		}
		in.Text, in.AfterTurn = text, &turn
	}
	ctx, cancel := context.WithTimeout(ctx, h.opts.TurnTimeout)
	defer cancel()
	_, err := h.opts.Handle(ctx, in)
	if errors.Is(err, router.ErrStaleTurn) {
		return h.remind(ctx, key, e.ID)
	}
	return err
}
