package httpapi

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router"
)

// problem is a problem document (RFC 9457). Title and Detail are ours: they hold names,
// limits and advice, never what a client sent as a value.
type problem struct {
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail,omitempty"`
	Code   string `json:"code"`

	retryAfter int // seconds; 0: no header
}

// Error makes a problem an error, so that whatever reads a request can return one.
func (p *problem) Error() string { return p.Code }

// internal is the problem of an error that nobody foresaw.
var internal = &problem{Status: http.StatusInternalServerError, Code: "internal", Title: "Internal error", Detail: "The turn was not carried out; the operator's log says where it failed."}

// problems maps what a turn can fail with. The first that matches counts.
var problems = []struct {
	err error
	problem
}{
	{errFull, problem{Status: http.StatusServiceUnavailable, Code: "overloaded", Title: "Too many turns are under way", Detail: "Send the same message again with the same message_id.", retryAfter: 1}},
	{errDraining, problem{Status: http.StatusServiceUnavailable, Code: "draining", Title: "The service is shutting down", Detail: "Send the same message again with the same message_id.", retryAfter: 1}},
	{router.ErrBusy, problem{Status: http.StatusTooManyRequests, Code: "busy", Title: "Too many messages of this conversation are waiting", Detail: "Wait for an answer before the next message.", retryAfter: 1}},
	{router.ErrBadInteraction, problem{Status: http.StatusBadRequest, Code: "bad_interaction", Title: "The message cannot be taken", Detail: "conversation_id and message_id have 1 to 200 bytes and no control characters."}},
	{router.ErrPanic, problem{Status: http.StatusInternalServerError, Code: "internal", Title: "Internal error", Detail: internal.Detail}},
	{memory.ErrConflict, problem{Status: http.StatusConflict, Code: "conflict", Title: "The conversation was changed elsewhere at the same time", Detail: "Send the same message again with the same message_id.", retryAfter: 1}},
	{memory.ErrUnavailable, problem{Status: http.StatusServiceUnavailable, Code: "store_unavailable", Title: "The store cannot be used now", Detail: "Send the same message again with the same message_id.", retryAfter: 1}},
	{memory.ErrClosed, problem{Status: http.StatusServiceUnavailable, Code: "draining", Title: "The service is shutting down", Detail: "Send the same message again with the same message_id.", retryAfter: 1}},
	{memory.ErrCorrupt, problem{Status: http.StatusInternalServerError, Code: "corrupt", Title: "The conversation is damaged", Detail: "A stored row does not match its checksum. Begin a new conversation; the operator may restore this one."}},
	{context.DeadlineExceeded, problem{Status: http.StatusGatewayTimeout, Code: "deadline", Title: "The turn took too long", Detail: "Send the same message again with the same message_id."}},
}

// explain finds the problem of an error.
func explain(err error) *problem {
	var p *problem
	if errors.As(err, &p) {
		return p
	}
	for i := range problems {
		if errors.Is(err, problems[i].err) {
			return &problems[i].problem
		}
	}
	return internal
}

// writeProblem answers with a problem document.
func writeProblem(w http.ResponseWriter, p *problem) {
	if p.retryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(p.retryAfter))
	}
	out := *p
	out.Type = "urn:slotway:problem:" + p.Code
	writeJSON(w, p.Status, "application/problem+json", &out)
}
