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
	"github.com/slotway/slotway/memory/transfer"
)

// inbox holds messages that are acknowledged and not handled yet. They are views of one session that
// belongs to the program, so that one lookup finds those of a conversation, or all after a restart.
type inbox struct {
	store   memory.Backend
	key     memory.Key
	digests *memory.Digests
}

// entry is a message in the inbox.
type entry struct {
	Channel string `json:"channel"`
	Event
	id string    // of its view
	at time.Time // when it arrived
}

// tierInbox is the tier of the inbox's views.
const tierInbox = "inbox"

// idDigits is the number of digits for a conversation, and for a message, in the id of a view.
const idDigits = 32

func newInbox(store memory.Backend, agent string, digests *memory.Digests) *inbox {
	return &inbox{store: store, key: memory.Key{UserID: "$slotway", AgentID: agent, SessionID: "inbox"}, digests: digests}
}

// open creates the session of the inbox the first time.
func (b *inbox) open(ctx context.Context, at time.Time) error {
	snap, err := b.store.Load(ctx, b.key, memory.LoadOptions{})
	if err != nil || snap.Version > 0 {
		return err
	}
	if err := transfer.Create(ctx, b.store, b.key, memory.About{}, at); err != nil && !errors.Is(err, memory.ErrConflict) {
		return err // a conflict: another replica was first
	}
	return nil
}

// conversation returns the prefix of the ids of a conversation's entries.
func (b *inbox) conversation(channel, id string) string {
	return b.digests.Hex("inbox", channel, id)[:idDigits]
}

var errNotStored = errors.New("the message could not be stored: the session of the inbox is gone; restart the service, which creates it again")

// put stores an entry durably. A second delivery does not replace the first one, which would lose its
// place in the order.
func (b *inbox) put(ctx context.Context, e *entry, now time.Time) error {
	data, err := json.Marshal(e)
	if err != nil {
		return err
	}
	v := memory.View{
		Key: b.key, Tier: tierInbox, At: now, Data: data,
		ID:   b.conversation(e.Channel, e.From.Conversation) + b.digests.Hex("event", e.ID)[:idDigits],
		UpTo: -now.UnixMicro(), // a later view reaches less far, so it does not replace this one
	}
	n, err := b.store.PutViews(ctx, []memory.View{v})
	if err != nil || n == 1 {
		return err
	}
	first, err := memory.FindView(ctx, b.store, b.key, tierInbox, v.ID)
	if err == nil && first == nil {
		err = errNotStored
	}
	return err
}

// pending lists the entries of a conversation, or all, in the order of handling. It leaves out
// unreadable entries, and then returns ErrCorrupt beside the others.
func (b *inbox) pending(ctx context.Context, conversation string) ([]entry, error) {
	views, err := b.store.Views(ctx, memory.ViewsOf(b.key, tierInbox, conversation))
	if err != nil {
		return nil, err
	}
	var bad error
	list := make([]entry, 0, len(views))
	for i := range views {
		e := entry{id: views[i].ID, at: views[i].At}
		if json.Unmarshal(views[i].Data, &e) != nil {
			bad = fmt.Errorf("an entry of the inbox: %w", memory.ErrCorrupt)
			continue
		}
		list = append(list, e)
	}
	slices.SortFunc(list, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.place(), b.place()), a.at.Compare(b.at), cmp.Compare(a.id, b.id))
	})
	return list, bad
}

// place returns the sort key of an entry within its conversation.
func (e *entry) place() int64 { return cmp.Or(e.Order, e.at.UnixMicro()) }

// drop removes a handled entry.
func (b *inbox) drop(ctx context.Context, e *entry) error {
	_, err := b.store.DropViews(ctx, memory.ViewsOf(b.key, tierInbox, e.id))
	return err
}
