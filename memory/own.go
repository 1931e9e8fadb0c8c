package memory

import (
	"context"
	"strconv"
	"strings"
	"time"
)

// Own keeps what belongs to the program and to no session: values by their names, and the inbox.
type Own interface {
	// Meta reads the values whose names begin with a prefix. It leaves out damaged ones, and then returns
	// ErrCorrupt beside the others.
	Meta(ctx context.Context, prefix string) (map[string][]byte, error)
	// AddMeta durably stores a value, unless its name has one.
	AddMeta(ctx context.Context, name string, value []byte) error

	// Receive durably stores a message that is to be handled. One that is there already stays as it is.
	Receive(ctx context.Context, m *Received) error
	// Inbox lists the messages of an agent, or of one of its conversations, that are not handled yet. It
	// leaves out damaged ones, and then returns ErrCorrupt beside the others.
	Inbox(ctx context.Context, agent, conversation string) ([]Received, error)
	// Handled removes a message.
	Handled(ctx context.Context, m *Received) error
}

// Received is a message of the inbox. Conversation, which is one of Agent's, and ID together name it; all three stay
// readable where rows are sealed.
type Received struct {
	Agent, Conversation, ID string

	At   time.Time
	Data []byte
}

// restoredMarks is how the names begin that say when a store was put back.
const restoredMarks = "restored/"

// MarkRestored says in a store that it was put back to an earlier state: what it holds from before the moment
// may have gone on since, and leads to no call and no delivery.
func MarkRestored(ctx context.Context, store Own, at time.Time) error {
	return store.AddMeta(ctx, restoredMarks+strconv.FormatInt(at.UnixMicro(), 10), nil)
}

// RestoredAt returns when a store was put back last; zero: never.
func RestoredAt(ctx context.Context, store Own) (at time.Time, err error) {
	marks, err := store.Meta(ctx, restoredMarks)
	for name := range marks {
		micros, _ := strconv.ParseInt(strings.TrimPrefix(name, restoredMarks), 10, 64) // the store has verified the row
		if t := time.UnixMicro(micros); t.After(at) {
			at = t
		}
	}
	return at, err
}
