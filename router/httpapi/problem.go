package httpapi

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"github.com/slotway/slotway/config/printable"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/httpapi/access"
	"github.com/slotway/slotway/router/sessions"
	"github.com/slotway/slotway/router/telemetry"
)

// Problem is a problem document (RFC 9457). Title and Detail are our own texts: they hold names,
// limits and advice, never a value that a client sent.
type Problem struct {
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail,omitempty"`
	Code   string `json:"code"`
	Turn   *int64 `json:"turn,omitempty"` // of code moved_on: the newest turn
	By     string `json:"by,omitempty"`   // of code taken: who has the conversation; "": gave no name

	RetryAfter int `json:"-"` // seconds; 0: no header
}

// Error makes a problem an error.
func (p *Problem) Error() string { return p.Code }

// internal is the problem of an unexpected error.
var internal = &Problem{Status: http.StatusInternalServerError, Code: "internal", Title: "Internal error", Detail: "The turn was not carried out; the operator's log says where it failed."}

// problems maps the errors of a turn to problems. The first match counts.
var problems = []struct {
	err error
	Problem
}{
	{access.ErrNoCredentials, Problem{Status: http.StatusUnauthorized, Code: "unauthorized", Title: "Who is asking?", Detail: "Send the header Authorization: Bearer KEY with a key of this service."}},
	{access.ErrForbidden, Problem{Status: http.StatusForbidden, Code: "forbidden", Title: "This key may not do that", Detail: "Ask the operator for a key with the scope that is needed."}},
	{access.ErrUserRequired, Problem{Status: http.StatusBadRequest, Code: "user_required", Title: "For which user?", Detail: "A service's key names the user with the header X-User-Id."}},
	{access.ErrBadUser, Problem{Status: http.StatusBadRequest, Code: "bad_user", Title: "That is no user's name", Detail: "X-User-Id is sent once: an id has " + printable.IDRule + "."}},
	{access.ErrUnavailable, Problem{Status: http.StatusServiceUnavailable, Code: "auth_unavailable", Title: "Tokens cannot be checked now", Detail: "The issuer's keys could not be fetched.", RetryAfter: 5}},
	{errStreams, Problem{Status: http.StatusServiceUnavailable, Code: "too_many_streams", Title: "Too many streams are open", Detail: "Close one, or try again later.", RetryAfter: 5}},
	{telemetry.ErrTooMany, Problem{Status: http.StatusServiceUnavailable, Code: "too_many_streams", Title: "Too many streams are open", Detail: "Close one, or try again later.", RetryAfter: 5}},
	{errFull, Problem{Status: http.StatusServiceUnavailable, Code: "overloaded", Title: "Too many turns are under way", Detail: "Send the same message again with the same message_id.", RetryAfter: 1}},
	{errDraining, Problem{Status: http.StatusServiceUnavailable, Code: "draining", Title: "The service is shutting down", Detail: "Send the same message again with the same message_id.", RetryAfter: 1}},
	{router.ErrBusy, Problem{Status: http.StatusTooManyRequests, Code: "busy", Title: "Too many messages of this conversation are waiting", Detail: "Wait for an answer before the next message.", RetryAfter: 1}},
	{router.ErrBadInteraction, Problem{Status: http.StatusBadRequest, Code: "bad_interaction", Title: "The message cannot be taken", Detail: "conversation_id or message_id: an id has " + printable.IDRule + "."}},
	{router.ErrStaleTurn, Problem{Status: http.StatusConflict, Code: "moved_on", Title: "The conversation went on elsewhere", Detail: "The message answers to another turn than the newest and was not taken. Show the newest messages, and send it as a new one if it is still meant."}},
	{router.ErrTaken, Problem{Status: http.StatusConflict, Code: "taken", Title: "Another person has this conversation", Detail: "It can be taken once that person has given it back; anybody who may hand over can give it back for them."}},
	{router.ErrNotTaken, Problem{Status: http.StatusConflict, Code: "not_taken", Title: "No person has this conversation", Detail: "Take it first."}},
	{router.ErrPanic, Problem{Status: http.StatusInternalServerError, Code: "internal", Title: "Internal error", Detail: internal.Detail}},
	{memory.ErrConflict, Problem{Status: http.StatusConflict, Code: "conflict", Title: "The conversation was changed elsewhere at the same time", Detail: "Send the same message again with the same message_id.", RetryAfter: 1}},
	{memory.ErrUnavailable, Problem{Status: http.StatusServiceUnavailable, Code: "store_unavailable", Title: "The store cannot be used now", Detail: "Send the same message again with the same message_id.", RetryAfter: 1}},
	{memory.ErrClosed, Problem{Status: http.StatusServiceUnavailable, Code: "draining", Title: "The service is shutting down", Detail: "Send the same message again with the same message_id.", RetryAfter: 1}},
	{memory.ErrCorrupt, Problem{Status: http.StatusInternalServerError, Code: "corrupt", Title: "The conversation is damaged", Detail: "A stored row does not match its checksum. Begin a new conversation; the operator may restore this one."}},
	{memory.ErrNotFound, Problem{Status: http.StatusNotFound, Code: "session_not_found", Title: "No such conversation", Detail: "GET /v1/sessions lists those that you can see."}},
	{memory.ErrNoSnapshot, Problem{Status: http.StatusConflict, Code: "nothing_to_undo", Title: "There is no turn to take back"}},
	{sessions.ErrForeign, Problem{Status: http.StatusForbidden, Code: "foreign_session", Title: "A session in it is not yours", Detail: "Every session of an import must belong to the caller's user and the served agent. Nothing was imported."}},
	{context.Canceled, Problem{Status: http.StatusServiceUnavailable, Code: "draining", Title: "The service is shutting down", Detail: "Ask again.", RetryAfter: 1}}, // or nobody waits for the answer
	{context.DeadlineExceeded, Problem{Status: http.StatusGatewayTimeout, Code: "deadline", Title: "The turn took too long", Detail: "Send the same message again with the same message_id."}},
}

// Explain returns the problem of an error.
func Explain(err error) *Problem {
	var p *Problem
	if errors.As(err, &p) {
		return p
	}
	for i := range problems {
		if !errors.Is(err, problems[i].err) {
			continue
		}
		var moved *router.StaleTurnError
		if errors.As(err, &moved) {
			told := problems[i].Problem
			told.Turn = &moved.Newest
			return &told
		}
		return &problems[i].Problem
	}
	return internal
}

// WriteProblem answers with a problem document.
func WriteProblem(w http.ResponseWriter, p *Problem) {
	if p.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(p.RetryAfter))
	}
	WriteJSON(w, p.Status, "application/problem+json", p.document())
}

// document returns the problem as it is sent.
func (p *Problem) document() *Problem {
	out := *p
	out.Type = "urn:slotway:problem:" + p.Code
	return &out
}
