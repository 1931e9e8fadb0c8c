package channel

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/slotway/slotway/memory"
)

// inbox holds messages that are acknowledged and not handled yet.
type inbox struct {
	store   memory.Own
	agent   string
	digests *memory.Digests
	from    time.Time // what came before is dropped
}

// entry is a message in the inbox.
type entry struct {
	Channel string `json:"channel"`
	Event
	stored memory.Received
}

// conversation returns the name that a conversation has in the inbox.
func (b *inbox) conversation(channel, id string) string {
	return b.digests.UUID("inbox", b.agent, channel, id)
}

// put stores an entry durably. A second delivery does not replace the first one, which would lose its
// place in the order.
func (b *inbox) put(ctx context.Context, e *entry, now time.Time) error {
	data, err := json.Marshal(e)
	if err != nil {
		return err
	}
	return b.store.Receive(ctx, &memory.Received{
		Agent: b.agent, Conversation: b.conversation(e.Channel, e.From.Conversation), ID: b.digests.UUID("event", e.ID), At: now, Data: data,
	})
}

// pending lists the entries of a conversation, or all, in the order of handling. It leaves out
// unreadable entries, and then returns ErrCorrupt beside the others.
func (b *inbox) pending(ctx context.Context, conversation string) ([]entry, error) {
	received, err := b.store.Inbox(ctx, b.agent, conversation)
	if err != nil && !errors.Is(err, memory.ErrCorrupt) {
		return nil, err
	}
	list := make([]entry, 0, len(received))
	for i := range received {
		if received[i].At.Before(b.from) {
			err = cmp.Or(err, b.store.Handled(ctx, &received[i]))
			continue
		}
		e := entry{stored: received[i]}
		if json.Unmarshal(e.stored.Data, &e) != nil {
			err = fmt.Errorf("an entry of the inbox: %w", memory.ErrCorrupt)
			continue
		}
		list = append(list, e)
	}
	slices.SortFunc(list, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.place(), b.place()), a.stored.At.Compare(b.stored.At), cmp.Compare(a.stored.ID, b.stored.ID))
	})
	return list, err
}

// place returns the sort key of an entry within its conversation.
func (e *entry) place() int64 { return cmp.Or(e.Order, e.stored.At.UnixMicro()) }

// drop removes a handled entry.
func (b *inbox) drop(ctx context.Context, e *entry) error { return b.store.Handled(ctx, &e.stored) }
