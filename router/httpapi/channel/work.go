package channel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
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
		if err != nil {
			h.report(memory.Key{}, "inbox", err)
		}
		if len(list) == 0 {
			return // after an error the next look of Run tries again
		}
		e := &list[0]
		if early := later(e.at, h.begun()).Add(h.opts.Settle).Sub(h.opts.Now()); early > 0 {
			sleep(ctx, min(early, h.opts.Settle)) // clocks of replicas may differ
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
		if err != nil {
			return err
		}
		in.Text, in.AfterTurn = text, &turn
	}
	ctx, cancel := context.WithTimeout(ctx, h.opts.TurnTimeout)
	defer cancel()
	_, err := h.opts.Handle(ctx, in)
	if errors.Is(err, router.ErrStaleTurn) {
		return h.remind(ctx, key)
	}
	return err
}

// value returns the value of an option: the turn that offered it and its place there. It is not the
// text, because that can be too long for a platform, and an old button must not answer a new question.
func value(turn int64, i int) string { return strconv.FormatInt(turn, 10) + ":" + strconv.Itoa(i) }

// chosen returns the text of an option and the turn that offered it.
func (h *Hub) chosen(ctx context.Context, key memory.Key, v string) (text string, turn int64, err error) {
	left, right, _ := strings.Cut(v, ":")
	turn, err = strconv.ParseInt(left, 10, 64)
	i, err2 := strconv.Atoi(right)
	if errors.Join(err, err2) != nil || turn < 1 {
		return "", 0, fmt.Errorf("%w: the value names no option", router.ErrBadInteraction)
	}
	found, err := h.opts.Store.Turns(ctx, key, memory.Page{After: turn - 1, Limit: 1, Inactive: true})
	if err != nil && !errors.Is(err, memory.ErrNotFound) {
		return "", 0, err
	}
	var reply router.Reply
	if len(found) == 1 && found[0].Number == turn {
		if err := json.Unmarshal(found[0].Response, &reply); err != nil {
			return "", 0, fmt.Errorf("reply of turn %d: %w", turn, memory.ErrCorrupt)
		}
	}
	if i < 0 || i >= len(reply.Options) {
		return "", 0, fmt.Errorf("%w: the turn has no such option", router.ErrBadInteraction)
	}
	return reply.Options[i].Text, turn, nil
}

// remind sends the agent's newest message again after a person has pressed a button of an older one.
// A failure is only reported: the person has the message already.
func (h *Hub) remind(ctx context.Context, key memory.Key) error {
	c, to := h.addressOf(key)
	said, err := h.opts.Store.Messages(ctx, key, memory.Page{Last: true, Limit: reminded})
	if err != nil {
		return err
	}
	for i := len(said) - 1; i >= 0; i-- {
		if !sayable(&said[i]) {
			continue
		}
		for n, m := range h.parts(ctx, c, key, &said[i]) {
			m.ID += ".again." + strconv.Itoa(n)
			if err := c.Send(ctx, to, m); err != nil {
				h.report(key, "reminder", err)
				break
			}
		}
		break
	}
	return nil
}

// reminded limits the messages in which remind looks for the agent's newest one.
const reminded = 10
