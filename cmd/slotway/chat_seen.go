package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router"
)

// newestMessages is how many messages are read to show where a session stands.
const newestMessages = 6

// tell says something that answers to the reply which was seen last.
func (t *talker) tell(ctx context.Context, text string) (router.Reply, error) {
	reply, err := t.place.say(ctx, t.session, text, t.seen)
	if err == nil {
		t.seen, t.last = &reply.Turn, &reply
	}
	return reply, err
}

// movedOn finds the error of a session that went on elsewhere; nil: it is none.
func movedOn(err error) *router.StaleTurnError {
	var moved *router.StaleTurnError
	if errors.As(err, &moved) {
		return moved
	}
	return nil
}

// look shows what was said last in the session, and lets the next message answer to that.
// Where it cannot be read, the next message answers to whatever is asked.
func (c *console) look(ctx context.Context) error {
	// The state first: what is shown is then no older than what is said to have been seen.
	now, err := c.place.state(ctx, c.session)
	var refused *refusal
	switch {
	case errors.Is(err, memory.ErrNotFound):
		now.Turn = 0
	case errors.As(err, &refused):
		c.seen = nil
		return nil
	case err != nil:
		return err
	}
	c.seen = &now.Turn
	if now.Turn == 0 {
		return nil
	}
	return c.newest(ctx)
}

// newest shows the end of the conversation.
func (c *console) newest(ctx context.Context) error {
	messages, err := c.place.newest(ctx, c.session)
	if err != nil {
		return err
	}
	for _, m := range messages {
		if m.Role == memory.User || m.Role == memory.Agent {
			c.print(fmt.Sprintf("  %3d %-5s %s", m.Seq, m.Role, m.Text))
		}
	}
	return nil
}

// behind tells that the session went on elsewhere, and shows where to. The line is not said by
// itself: it may have answered a question that is not asked any more.
func (c *console) behind(ctx context.Context, moved *router.StaleTurnError) error {
	c.print("! The conversation went on elsewhere, and this was not said. It ends like this now:")
	err := c.newest(ctx)
	var refused *refusal
	switch {
	case moved.Newest == 0:
		c.print("  (nothing: it was cleared or erased)")
	case errors.As(err, &refused):
		c.print("  (the server does not show it: " + refused.Error() + ")")
	case err != nil:
		return err
	}
	c.seen = &moved.Newest
	c.print("  If you still mean it, say it again; the arrow up brings it back.")
	return nil
}
