package httpapi

import (
	"cmp"
	"context"
	"net/http"
	"strings"

	"github.com/google/uuid"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/httpapi/access"
)

// chatReply is the answer of POST /chat: the turn, and the fields that chat clients expect.
type chatReply struct {
	router.Reply
	ConversationID string `json:"conversation_id"`
	Model          string `json:"model"`
	Provider       string `json:"provider"`
}

// chat runs one turn.
func (a *API) chat(w http.ResponseWriter, r *http.Request) {
	req, err := a.readChat(w, r)
	if err != nil {
		WriteProblem(w, Explain(err))
		return
	}
	user := access.From(r.Context()).UserID
	conversation := req.conversationID(user, a.opts.Digests)
	// Also beside an error: a client that begins a conversation needs its id to try again.
	w.Header().Set("X-Conversation-Id", conversation)
	turn := func(draft func(router.Draft)) (chatReply, error) {
		reply, err := a.Turn(r.Context(), router.Interaction{
			ID: req.messageID, Text: req.message, AfterTurn: req.afterTurn, Tags: req.tags, Importance: req.importance, Draft: draft,
			Context: router.Context{SessionID: conversation, UserID: user},
		})
		return chatReply{
			Reply: reply, ConversationID: conversation,
			Model: cmp.Or(reply.Model, a.opts.Model, a.agentID()), Provider: cmp.Or(reply.Provider, a.opts.Provider),
		}, err
	}
	if req.stream {
		StreamTurn(r.Context(), w, func(draft func(router.Draft)) (string, any, error) {
			reply, err := turn(draft)
			return reply.Reply.Reply, reply, err
		})
		return
	}
	JSON(func(http.ResponseWriter, *http.Request) (any, error) { return turn(nil) })(w, r)
}

// Turn runs one turn to its end or to its own deadline, even if the client disconnects. Its reply is
// masked for the identity of ctx. It fails at once when too many turns are under way or the service
// is shutting down.
func (a *API) Turn(ctx context.Context, in router.Interaction) (router.Reply, error) {
	leave, err := a.Acquire()
	if err != nil {
		return router.Reply{}, err
	}
	defer leave()
	return a.Run(ctx, in)
}

// Acquire takes one of the slots for turns under way, for an adapter that works before or after its
// turn. The caller calls release once.
func (a *API) Acquire() (leave func(), err error) {
	if err := a.limiter.acquire(); err != nil {
		a.limited(err)
		return nil, err
	}
	return a.limiter.release, nil
}

// Run is Turn for a caller that has acquired a slot.
func (a *API) Run(ctx context.Context, in router.Interaction) (router.Reply, error) {
	if parent, ok := ctx.Value(traceKey{}).(string); ok {
		in.Context.TraceParent = parent
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), a.opts.TurnTimeout)
	defer cancel()
	reply, err := a.turns.Handle(ctx, in)
	a.limited(err)
	if err != nil {
		return reply, err
	}
	return a.masked(ctx, reply), nil
}

// conversationID is the conversation of a request. A request that names none gets a random id; with a
// message id the conversation's id is made of that, so that sending the first message again does not
// begin a second conversation.
func (r *chatRequest) conversationID(user string, digests *memory.Digests) string {
	switch {
	case r.conversation != "":
		return r.conversation
	case r.messageID == "":
		return uuid.NewString() // version 4, from crypto/rand: it must not be guessed
	}
	return digests.UUID("conversation", user, r.messageID, r.message)
}

// StreamTurn answers with server-sent events: drafts while a generate step runs, then the reply's
// text, then what turn returns as the whole of it. The turn is durable before its reply is sent; drafts are marked as such.
// During a long turn comments are sent; if the turn then fails, the problem document is an event.
func StreamTurn(ctx context.Context, w http.ResponseWriter, turn func(draft func(router.Draft)) (text string, done any, err error)) {
	waiting := startDrafts(ctx, w)
	defer waiting.end() // also if the turn panics
	text, done, err := turn(waiting.draft)
	out := waiting.end()
	switch {
	case err == nil:
		_ = out.send(event("reply", text) + event("done", string(mustJSON(done))))
	case out.started:
		_ = out.send(event("error", string(mustJSON(Explain(err).document()))))
	default:
		WriteProblem(w, Explain(err))
	}
}

// lineEnds are the line ends of server-sent events; a data field holds one line.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

func event(name, data string) string {
	var b strings.Builder
	b.WriteString("event: " + name + "\n")
	for line := range strings.SplitSeq(lineEnds.Replace(data), "\n") {
		b.WriteString("data: " + line + "\n")
	}
	b.WriteString("\n")
	return b.String()
}
