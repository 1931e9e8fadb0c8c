package httpapi

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/slotway/slotway/router"
)

// chatReply is the answer of POST /chat: the turn, and what chat clients look for.
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
		writeProblem(w, explain(err))
		return
	}
	if err := a.gate.enter(); err != nil {
		writeProblem(w, explain(err))
		return
	}
	defer a.gate.leave()
	user := a.opts.User(r)
	conversation := req.conversationID(user)
	// Also beside an error: whoever began a conversation needs its id to try again.
	w.Header().Set("X-Conversation-Id", conversation)
	reply, err := a.turn(r.Context(), router.Interaction{
		ID: req.messageID, Text: req.message, Context: router.Context{SessionID: conversation, UserID: user},
	})
	if err != nil {
		writeProblem(w, explain(err))
		return
	}
	out := chatReply{Reply: reply, ConversationID: conversation, Model: a.opts.Model, Provider: a.opts.Provider}
	if req.stream {
		writeStream(w, out)
		return
	}
	writeJSON(w, http.StatusOK, "application/json", out)
}

// turn runs to its end or to its own deadline, whether or not the client is still there.
func (a *API) turn(ctx context.Context, in router.Interaction) (router.Reply, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), a.opts.TurnTimeout)
	defer cancel()
	return a.turns.Handle(ctx, in)
}

// conversationID is the conversation that a request belongs to. One that names none
// begins one with a random id; but where it has a message id the conversation's follows
// from that, so that sending the first message again does not begin a second one.
func (r *chatRequest) conversationID(user string) string {
	switch {
	case r.conversation != "":
		return r.conversation
	case r.messageID == "":
		return uuid.NewString() // version 4, from crypto/rand: it is handed out
	}
	var name []byte
	for _, part := range []string{user, r.messageID, r.message} {
		name = append(name, strconv.Itoa(len(part))+":"+part...)
	}
	return uuid.NewHash(sha256.New(), uuid.Nil, name, 8).String()
}

// writeStream answers with server-sent events: the reply's text, then the whole turn. A
// turn is durable before anything of it is told, so there is nothing to send earlier.
func writeStream(w http.ResponseWriter, out chatReply) {
	body := encode(out)
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	_, _ = fmt.Fprint(w, event("reply", out.Reply.Reply), event("done", string(body)))
	_ = http.NewResponseController(w).Flush()
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
