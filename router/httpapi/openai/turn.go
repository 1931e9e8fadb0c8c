package openai

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/window"
	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router"
)

// answer is a durable turn that is in the history index.
type answer struct {
	reply    router.Reply
	held     string // stands for the agent's silence
	text     string // what was said
	at       time.Time
	model    string
	history  string
	previous string // the response before it in its conversation; "": none
	metadata map[string]string
}

// shown returns the reply's text. A person may have the conversation: such clients show an empty answer
// as a fault.
func (a *answer) shown() string {
	if a.reply.Person != nil && a.reply.Reply == "" {
		return a.held
	}
	return a.reply.Reply
}

// heldReply says that a person has the conversation.
func (f *Adapter) heldReply() string { return planner.HeldReply(f.opts.Agent()).Text }

func (a *answer) ref() ref { return ref{a.reply.SessionID, a.reply.Turn} }

// slotwayFields are the fields beside OpenAI's: the turn as POST /chat returns it, and how it came to
// its session.
type slotwayFields struct {
	router.Reply
	History string `json:"history"`
}

func (a *answer) slotway() slotwayFields { return slotwayFields{a.reply, a.history} }

// maxMoves is how often a turn finds its session anew because another turn came first.
const maxMoves = 8

// turn finds the session of a request and runs its turn, within the API's limits. If the client
// disconnects, the search for its session ends; a turn that has begun goes on.
func (s *server) turn(w http.ResponseWriter, r *http.Request, q *request) (*answer, error) {
	leave, err := s.api.Acquire()
	if err != nil {
		return nil, err
	}
	defer leave()
	owner := s.owner(r)
	for tries := 1; ; tries++ {
		a, err := s.attempt(r.Context(), w, owner, q)
		named := q.session != "" || q.previous != ""
		if named || tries == maxMoves || !errors.Is(err, router.ErrStaleTurn) {
			return a, err
		}
	}
}

// attempt finds the session, and runs the turn if the session is still unchanged.
func (s *server) attempt(ctx context.Context, w http.ResponseWriter, owner memory.Key, q *request) (*answer, error) {
	p, err := withTimeout(ctx, func(ctx context.Context) (target, error) { return s.locate(ctx, owner, q) })
	if err != nil {
		return nil, err
	}
	w.Header().Set("X-Conversation-Id", p.key.SessionID) // also beside an error: to try again
	ctx = context.WithoutCancel(ctx)
	reply, err := s.api.Run(ctx, router.Interaction{
		ID: p.id, Text: q.text(), AfterTurn: p.after, Tags: q.tags, Importance: q.importance,
		Context: router.Context{SessionID: p.key.SessionID, UserID: p.key.UserID},
	})
	if err != nil {
		return nil, err
	}
	w.Header().Set("X-Conversation-Id", reply.SessionID) // without memory it is another
	return withTimeout(ctx, func(ctx context.Context) (*answer, error) { return s.conclude(ctx, p, q, reply) })
}

// withTimeout bounds the work besides the turn.
func withTimeout[T any](ctx context.Context, do func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	return do(ctx)
}

// conclude adds the turn to the history index before its answer is sent.
func (f *Adapter) conclude(ctx context.Context, p target, q *request, reply router.Reply) (*answer, error) {
	a := &answer{reply: reply, text: q.text(), at: f.opts.Now(), model: p.key.AgentID, history: p.history, metadata: q.metadata, held: f.heldReply()}
	p.key.SessionID = reply.SessionID
	snap, err := f.opts.Store.Load(ctx, p.key, memory.LoadOptions{RequestID: p.id})
	if err != nil {
		return nil, err
	}
	if snap.Replay != nil {
		a.at = snap.Replay.At
	}
	if p.digest != "" {
		if err := f.indexTurn(ctx, p.key, p.digest, snap.Epoch, reply.Turn); err != nil {
			return nil, err
		}
	}
	if a.history == "" {
		a.history = continued
		if reply.Turn == 1 {
			a.history = began
		}
	}
	a.previous = a.ref().previous()
	return a, nil
}

// tokens estimates the message and its reply in tokens.
func (a *answer) tokens() (in, out int) {
	return window.Estimate(a.text), window.Estimate(a.shown())
}
