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
	ID         string // unique for each message: the same id twice gets the same reply. "": Handle makes one
	Text       string
	Structured *StructuredInput // replaces Text
	Context    Context
	Preset     *planner.Preset // set before the message is read; for replays

	// HandOver makes it no message of the user but what a person does with the conversation. Whoever
	// sends it must be allowed to speak as a person of the service.
	HandOver *HandOver

	// Draft receives provisional text while the turn runs. Handle calls it in its own goroutine,
	// so it must not block. The reply replaces all drafts. A message that was answered before has
	// none. nil: no drafts.
	Draft func(Draft)

	Tags       []string // of the message and its reply, as memory.CheckTags has them
	Importance int      // of the message at least, 0 to memory.MaxImportance

	// AfterTurn is the number of the last turn whose reply the sender had seen, 0 if there was
	// none; nil: the message answers whatever is asked when it is read. If another turn is the
	// newest, because one was added, undone or cleared, Handle returns a *StaleTurnError and
	// commits nothing. A repeated message gets its stored reply all the same, and a stateless router
	// ignores AfterTurn.
	AfterTurn *int64
}

// Context names the conversation of an interaction.
type Context struct {
	SessionID string // "": the interaction's id
	UserID    string // "": Options.DefaultUser

	TraceParent string // of the request that brought it (W3C Trace Context); "": none
}

// identify checks and completes an interaction, and returns the key of its session.
func (r *Router) identify(in *Interaction) (memory.Key, error) {
	if !utf8.ValidString(in.Text) {
		return memory.Key{}, fmt.Errorf("%w: text is not UTF-8", ErrBadInteraction)
	}
	if in.Structured != nil && in.Text != "" {
		return memory.Key{}, fmt.Errorf("%w: it has a text and a structured input; send one of them", ErrBadInteraction)
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
	if in.HandOver != nil {
		if err := r.checkHandOver(in); err != nil {
			return memory.Key{}, err
		}
	}
	if in.ID == "" {
		id, err := uuid.NewV7()
		if err != nil {
			return memory.Key{}, fmt.Errorf("make an interaction id: %w", err)
		}
		in.ID = id.String()
	}
	own := in.Context.SessionID == "" // each message is a conversation of its own
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
		// Message ids are unique within a conversation only, also if conversations are not stored.
		key.SessionID = r.opts.Digests.UUID("message", key.UserID, key.SessionID, in.ID)
		in.Context.SessionID = key.SessionID
	}
	return key, nil
}
