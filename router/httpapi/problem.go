package httpapi

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/httpapi/access"
)

// Problem is a problem document (RFC 9457). Title and Detail are ours: they hold names,
// limits and advice, never what a client sent as a value.
type Problem struct {
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail,omitempty"`
	Code   string `json:"code"`

	RetryAfter int `json:"-"` // seconds; 0: no header
}

// Error makes a problem an error, so that whatever reads a request can return one.
func (p *Problem) Error() string { return p.Code }

// internal is the problem of an error that nobody foresaw.
var internal = &Problem{Status: http.StatusInternalServerError, Code: "internal", Title: "Internal error", Detail: "The turn was not carried out; the operator's log says where it failed."}

// problems maps what a turn can fail with. The first that matches counts.
var problems = []struct {
	err error
	Problem
}{
	{access.ErrNoCredentials, Problem{Status: http.StatusUnauthorized, Code: "unauthorized", Title: "Who is asking?", Detail: "Send the header Authorization: Bearer KEY with a key of this service."}},
	{access.ErrForbidden, Problem{Status: http.StatusForbidden, Code: "forbidden", Title: "This key may not do that", Detail: "Ask the operator for a key with the scope that is needed."}},
	{errFull, Problem{Status: http.StatusServiceUnavailable, Code: "overloaded", Title: "Too many turns are under way", Detail: "Send the same message again with the same message_id.", RetryAfter: 1}},
	{errDraining, Problem{Status: http.StatusServiceUnavailable, Code: "draining", Title: "The service is shutting down", Detail: "Send the same message again with the same message_id.", RetryAfter: 1}},
	{router.ErrBusy, Problem{Status: http.StatusTooManyRequests, Code: "busy", Title: "Too many messages of this conversation are waiting", Detail: "Wait for an answer before the next message.", RetryAfter: 1}},
	{router.ErrBadInteraction, Problem{Status: http.StatusBadRequest, Code: "bad_interaction", Title: "The message cannot be taken", Detail: "conversation_id and message_id have 1 to 200 bytes and no control characters."}},
	{router.ErrPanic, Problem{Status: http.StatusInternalServerError, Code: "internal", Title: "Internal error", Detail: internal.Detail}},
	{memory.ErrConflict, Problem{Status: http.StatusConflict, Code: "conflict", Title: "The conversation was changed elsewhere at the same time", Detail: "Send the same message again with the same message_id.", RetryAfter: 1}},
	{memory.ErrUnavailable, Problem{Status: http.StatusServiceUnavailable, Code: "store_unavailable", Title: "The store cannot be used now", Detail: "Send the same message again with the same message_id.", RetryAfter: 1}},
	{memory.ErrClosed, Problem{Status: http.StatusServiceUnavailable, Code: "draining", Title: "The service is shutting down", Detail: "Send the same message again with the same message_id.", RetryAfter: 1}},
	{memory.ErrCorrupt, Problem{Status: http.StatusInternalServerError, Code: "corrupt", Title: "The conversation is damaged", Detail: "A stored row does not match its checksum. Begin a new conversation; the operator may restore this one."}},
	{context.DeadlineExceeded, Problem{Status: http.StatusGatewayTimeout, Code: "deadline", Title: "The turn took too long", Detail: "Send the same message again with the same message_id."}},
}

// Explain finds the problem of an error.
func Explain(err error) *Problem {
	var p *Problem
	if errors.As(err, &p) {
		return p
	}
	for i := range problems {
		if errors.Is(err, problems[i].err) {
			return &problems[i].Problem
		}
	}
	return internal
}

// WriteProblem answers with a problem document.
func WriteProblem(w http.ResponseWriter, p *Problem) {
	if p.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(p.RetryAfter))
	}
	out := *p
	out.Type = "urn:slotway:problem:" + p.Code
	WriteJSON(w, p.Status, "application/problem+json", &out)
}
