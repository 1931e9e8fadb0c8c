package channel

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router"
)

// value returns the value of an option: the turn that offered it, its place there, and a digest of the
// conversation. It is not the text, because that can be too long for a platform, and an old button must
// not answer a new question, nor a button in a group the question of another person.
func (h *Hub) value(key memory.Key, turn int64, i int) string {
	return strconv.FormatInt(turn, 10) + ":" + strconv.Itoa(i) + ":" + h.optionDigest(key)
}

func (h *Hub) optionDigest(key memory.Key) string {
	return h.opts.Digests.Hex("option", key.UserID, key.AgentID, key.SessionID)[:12]
}

// errNotTheirs: a person has pressed a button of somebody else's conversation. It does nothing.
var errNotTheirs = errors.New("the option belongs to another conversation")

// chosen returns the text of an option and the turn that offered it.
func (h *Hub) chosen(ctx context.Context, key memory.Key, v string) (text string, turn int64, err error) {
	parts := strings.Split(v, ":")
	if len(parts) != 3 {
		return "", 0, fmt.Errorf("%w: the value names no option", router.ErrBadInteraction)
	}
	turn, err = strconv.ParseInt(parts[0], 10, 64)
	i, err2 := strconv.Atoi(parts[1])
	if errors.Join(err, err2) != nil || turn < 1 || i < 0 {
		return "", 0, fmt.Errorf("%w: the value names no option", router.ErrBadInteraction)
	}
	if parts[2] != h.optionDigest(key) {
		return "", 0, errNotTheirs
	}
	found, err := h.opts.Store.Turns(ctx, key, memory.Page{After: turn - 1, Limit: 1, Inactive: true})
	if err != nil && !errors.Is(err, memory.ErrNotFound) {
		return "", 0, err
	}
	var reply router.Reply
	if len(found) == 1 && found[0].Number == turn {
		if reply, err = router.StoredReply(key.SessionID, &found[0]); err != nil {
			return "", 0, err
		}
	}
	if i >= len(reply.Options) {
		return "", 0, fmt.Errorf("%w: the turn has no such option", router.ErrBadInteraction)
	}
	return reply.Options[i].Text, turn, nil
}

// remind sends the agent's newest message again after a person has pressed a button of an older one.
// A failure is only reported: the person has the message already.
func (h *Hub) remind(ctx context.Context, key memory.Key, press string) error {
	c, to := h.addressOf(key)
	said, err := h.opts.Store.Messages(ctx, key, memory.Page{Last: true, Limit: reminded})
	if err != nil {
		return err
	}
	for i := len(said) - 1; i >= 0; i-- {
		if !sayable(&said[i]) {
			continue
		}
		for _, m := range h.parts(ctx, c, key, &said[i]) {
			m.ID = h.opts.Digests.UUID("reminder", m.ID, press) // the platform may deliver the press again
			if err := errors.Join(c.pace.Wait(ctx), c.Send(ctx, to, m)); err != nil {
				h.report(key, "reminder", err)
				return nil
			}
		}
		return nil
	}
	return nil
}

// reminded limits the messages in which remind looks for the agent's newest one.
const reminded = 10
