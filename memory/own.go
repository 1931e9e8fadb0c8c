package memory

import (
	"context"
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

// Received is a message of the inbox. Agent, Conversation and ID together name it; they stay readable
// where rows are sealed.
type Received struct {
	Agent, Conversation, ID string

	At   time.Time
	Data []byte
}
