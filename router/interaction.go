package router

import (
	"fmt"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/slotway/slotway/config/printable"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/planner"
)

// Interaction is one message of a user.
type Interaction struct {
	ID         string // unique for each message: the same one twice gets the same reply. "": one is made
	Text       string
	Structured *StructuredInput // in the place of Text: what a program means; nil: there is a text
	Context    Context
	Preset     *planner.Preset // set before the message is read; for replays

	// Draft is told provisional text while the turn runs, by its goroutine: it must not wait.
	// What is told is not durable until Handle returns, whose reply takes its place. nil: nobody
	// wants any. A message that was answered before has no drafts.
	Draft func(Draft)

	// Version is the session's version that the message answers to; 0: whichever it is. A
	// session at another one is ErrVersionMismatch, and nothing is run. A repeated message gets its
	// stored reply all the same. Without memory there is nothing to compare.
	Version int64

	Tags       []string // of the message and its reply, as memory.CheckTags has them
	Importance int      // of the message at least, 0 to memory.MaxImportance

	// AfterTurn is the number of the turn whose reply the sender had seen last, 0 where none
	// had been; nil: not said, and the message answers to whatever is asked when it is read.
	// Where the session stands after another turn, because one was added, taken back or
	// cleared, the error is a *StaleTurnError and nothing is committed. Repeats and a router
	// without memory are as for Version.
	AfterTurn *int64
}

// Context says whose conversation an interaction belongs to.
type Context struct {
	SessionID string // "": the interaction's id
	UserID    string // "": Options.DefaultUser

	TraceParent string // of the request that brought it (W3C Trace Context); "": none
}

// identify completes an interaction and names its session.
func (r *Router) identify(in *Interaction) (memory.Key, error) {
	if !utf8.ValidString(in.Text) {
		return memory.Key{}, fmt.Errorf("%w: text is not UTF-8", ErrBadInteraction)
	}
	if in.Structured != nil && in.Text != "" {
		return memory.Key{}, fmt.Errorf("%w: it has a text and a meaning", ErrBadInteraction)
	}
	tags, err := memory.CheckTags(in.Tags)
	if err != nil {
		return memory.Key{}, fmt.Errorf("%w: %w", ErrBadInteraction, err)
	}
	in.Tags = tags
	if in.Importance < 0 || in.Importance > memory.MaxImportance {
		return memory.Key{}, fmt.Errorf("%w: importance is from 0 to %d", ErrBadInteraction, memory.MaxImportance)
	}
	if in.AfterTurn != nil && *in.AfterTurn < 0 {
		return memory.Key{}, fmt.Errorf("%w: after_turn is negative", ErrBadInteraction)
	}
	if in.ID == "" {
		id, err := uuid.NewV7()
		if err != nil {
			return memory.Key{}, fmt.Errorf("make an interaction id: %w", err)
		}
		in.ID = id.String()
	}
	own := in.Context.SessionID == "" // the message is a conversation of its own
	if own {
		in.Context.SessionID = in.ID
	}
	if in.Context.UserID == "" {
		in.Context.UserID = r.opts.DefaultUser
	}
	key := memory.Key{UserID: in.Context.UserID, AgentID: r.id, SessionID: in.Context.SessionID}
	for _, id := range [...]struct{ of, is string }{{"session", key.SessionID}, {"user", key.UserID}, {"message", in.ID}} {
		if err := printable.CheckID(id.is); err != nil {
			return memory.Key{}, fmt.Errorf("%w: %s: %w", ErrBadInteraction, id.of, err)
		}
	}
	if memory.Reserved(key.UserID) {
		return memory.Key{}, fmt.Errorf("%w: user ids that begin with $ are the program's own", ErrBadInteraction)
	}
	if r.opts.Stateless && !own {
		// A message id counts within its conversation, also where conversations are not kept.
		key.SessionID = r.opts.Digests.UUID("message", key.UserID, key.SessionID, in.ID)
		in.Context.SessionID = key.SessionID
	}
	return key, nil
}
