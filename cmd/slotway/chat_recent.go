package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router"
)

// recentMessages is the number of messages that show where a session is.
const recentMessages = 6

// send sends a message that answers the last reply shown.
func (t *chatSession) send(ctx context.Context, text string) (router.Reply, error) {
	reply, err := t.backend.send(ctx, t.session, text, t.afterTurn)
	if err == nil {
		t.afterTurn, t.last = &reply.Turn, &reply
	}
	return reply, err
}

// movedOn returns the error of a session that went on elsewhere; nil for any other error.
func movedOn(err error) *router.StaleTurnError {
	var moved *router.StaleTurnError
	if errors.As(err, &moved) {
		return moved
	}
	return nil
}

// showEnd shows the last messages of the session, which the next message then answers. If they cannot
// be read, the next message answers whatever is asked.
func (c *console) showEnd(ctx context.Context) error {
	// The state first: what is shown is then no older than what is said to have been seen.
	now, err := c.backend.state(ctx, c.session)
	var refused *statusError
	switch {
	case errors.Is(err, memory.ErrNotFound):
		now.Turn = 0
	case errors.As(err, &refused):
		c.afterTurn = nil
		return nil
	case err != nil:
		return err
	}
	c.afterTurn = &now.Turn
	if now.Turn == 0 {
		return nil
	}
	return c.showRecent(ctx)
}

// showRecent prints the end of the conversation.
func (c *console) showRecent(ctx context.Context) error {
	messages, err := c.backend.recent(ctx, c.session)
	if err != nil {
		return err
	}
	for _, m := range messages {
		if m.Role == memory.User || m.Role == memory.Agent {
			c.print(fmt.Sprintf("  %3d %-5s %s", m.Seq, m.Speaker(), m.Text))
		}
	}
	return nil
}

// movedOn reports that the session went on elsewhere and shows its end. It does not send the line
// again, which may have answered a question that is no longer asked.
func (c *console) movedOn(ctx context.Context, moved *router.StaleTurnError) error {
	c.print("! The conversation went on elsewhere, and this was not said. It ends like this now:")
	err := c.showRecent(ctx)
	var refused *statusError
	switch {
	case moved.Newest == 0:
		c.print("  (nothing: it was cleared or erased)")
	case errors.As(err, &refused):
		c.print("  (the server does not show it: " + refused.Error() + ")")
	case err != nil:
		return err
	}
	c.afterTurn = &moved.Newest
	c.print("  If you still mean it, say it again; the arrow up brings it back.")
	return nil
}
