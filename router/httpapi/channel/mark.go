package channel

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/slotway/slotway/memory"
)

// Mark is a view of a session: it says how much of the session has been sent to a receiver outside.
type Mark struct {
	Store memory.Backend
	Key   memory.Key
	Name  string
}

// News is the greatest age of a message or turn that is sent from a session without a mark. An imported
// session has no mark, and its history must not be sent again.
const News = time.Hour

// tierOutbox is the tier of marks.
const tierOutbox = "outbox"

// Load reads the mark; false: the session has none.
func (m Mark) Load(ctx context.Context, into any) (found bool, err error) {
	v, err := memory.FindView(ctx, m.Store, m.Key, tierOutbox, m.Name)
	if err != nil || v == nil {
		return false, err
	}
	if json.Unmarshal(v.Data, into) != nil {
		return false, fmt.Errorf("the mark %s of a session: %w", m.Name, memory.ErrCorrupt)
	}
	return true, nil
}

var (
	errGone      = &SendError{Reason: "session_gone"}
	errOvertaken = &SendError{Reason: "overtaken"} // another worker has moved the mark further
)

// Save stores the mark. upTo is the number of the last thing sent. A mark never moves back.
func (m Mark) Save(ctx context.Context, upTo int64, value any, now time.Time) error {
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	for range 3 { // the session may be cleared at the same time
		snap, err := m.Store.Load(ctx, m.Key, memory.LoadOptions{})
		if err != nil {
			return err
		}
		if snap.Version == 0 {
			return errGone
		}
		n, err := m.Store.PutViews(ctx, []memory.View{{Key: m.Key, Tier: tierOutbox, ID: m.Name, Epoch: snap.Epoch, UpTo: upTo, At: now, Data: data}})
		if err != nil || n == 1 {
			return err
		}
	}
	return errOvertaken
}
