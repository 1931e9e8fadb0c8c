package channel

import (
	"context"
	"net/http"

	"github.com/slotway/slotway/config/printable"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router/httpapi"
)

var (
	unknown = &httpapi.Problem{
		Status: http.StatusNotFound, Code: "unknown_channel", Title: "No such channel", Detail: "Check the name in the address. The operator sets a channel up in the group channels of the settings.",
	}
	unsigned = &httpapi.Problem{
		Status: http.StatusUnauthorized, Code: "bad_signature", Title: "The request is not signed by the platform",
		Detail: "Compare the secret that the settings name with the platform's. For Twilio also compare channels.twilio.url with the address in its console. Check the clock of this machine.",
	}
	unreadable = &httpapi.Problem{
		Status: http.StatusBadRequest, Code: "bad_request", Title: "The request cannot be taken", Detail: "The body does not have the form that this platform sends, or an id in it is not valid. Check that the platform posts to its own channel; openapi.json describes the channel webhook.",
	}
	tooMany = &httpapi.Problem{
		Status: http.StatusTooManyRequests, Code: "busy", Title: "Too many messages of this conversation are waiting", Detail: "Deliver it again later.", RetryAfter: 10,
	}
	notStored = &httpapi.Problem{
		Status: http.StatusServiceUnavailable, Code: "store_unavailable", Title: "The message could not be stored", Detail: "Deliver it again.", RetryAfter: 1,
	}
)

// receive stores the events of a request, and acknowledges it afterwards.
func (h *Hub) receive(a *httpapi.API, w http.ResponseWriter, r *http.Request) {
	c := h.channels[r.PathValue("channel")]
	if c == nil {
		httpapi.WriteProblem(w, unknown)
		return
	}
	body, err := a.ReadAny(w, r)
	if err != nil {
		httpapi.WriteProblem(w, httpapi.Explain(err))
		return
	}
	if err := c.Verify(r, body, h.opts.Now()); err != nil {
		// Anybody can send such requests, so the log has one in a minute.
		c.refused.Do(func() { h.report(memory.Key{}, "bad_signature", err) })
		httpapi.WriteProblem(w, unsigned)
		return
	}
	d, err := c.Parse(r, body)
	if err != nil || !h.wellFormed(c, d.Events) {
		httpapi.WriteProblem(w, unreadable)
		return
	}
	if h.full(r.Context(), c, d.Events) {
		httpapi.WriteProblem(w, tooMany)
		return
	}
	// A platform that hangs up must not interrupt the commit.
	if err := h.store(context.WithoutCancel(r.Context()), c, d.Events); err != nil {
		httpapi.WriteProblem(w, notStored)
		return
	}
	c.Acknowledge(w, &d)
}

// maxPending limits the waiting messages of a conversation.
const maxPending = 100

// full reports whether too many messages of a conversation are waiting.
func (h *Hub) full(ctx context.Context, c *connected, events []Event) bool {
	for i := range events {
		waiting, err := h.inbox.pending(ctx, h.inbox.conversation(c.Name, events[i].From.Conversation))
		if err == nil && len(waiting) >= maxPending {
			return true
		}
	}
	return false
}

// wellFormed reports whether the ids of events can name sessions and turns.
func (h *Hub) wellFormed(c *connected, events []Event) bool {
	for i := range events {
		key := h.keyOf(c.Name, events[i].From)
		for _, id := range [...]string{events[i].ID, events[i].From.User, events[i].From.Conversation, key.UserID, key.SessionID} {
			if printable.CheckID(id) != nil {
				return false
			}
		}
	}
	return true
}

func (h *Hub) store(ctx context.Context, c *connected, events []Event) error {
	for i := range events {
		e := &entry{Channel: c.Name, Event: events[i]}
		if err := h.inbox.put(ctx, e, h.opts.Now()); err != nil {
			h.report(h.keyOf(c.Name, e.From), "inbox", err)
			return err
		}
		h.queues.wake(h.inbox.conversation(c.Name, e.From.Conversation))
	}
	return nil
}
