package openai

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/slotway/slotway/config/printable"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/httpapi"
)

// fault is an error as OpenAI's clients expect it. Its texts are ours: they name fields and
// limits, never what somebody said.
type fault struct {
	Message string  `json:"message"`
	Type    string  `json:"type"`
	Param   *string `json:"param"`
	Code    *string `json:"code"`

	status     int
	retryAfter int  // seconds; 0: no header
	final      bool // sending it again does not help, whatever the status makes clients think
}

// Error implements error.
func (f *fault) Error() string { return *f.Code }

// Types of errors, as OpenAI's API has them (platform.openai.com/docs/guides/error-codes).
const (
	invalidRequest = "invalid_request_error"
	forbidden      = "permission_error"
	rateLimited    = "rate_limit_error"
	serverError    = "server_error"
)

// invalid is a request that cannot be taken; param names the field, "" for none.
func invalid(code, param, format string, args ...any) *fault {
	f := &fault{status: http.StatusBadRequest, Type: invalidRequest, Message: fmt.Sprintf(format, args...), Code: &code}
	if param != "" {
		f.Param = &param
	}
	return f
}

// missing is something that is not there, or is somebody else's.
func missing(code, param, format string, args ...any) *fault {
	f := invalid(code, param, format, args...)
	f.status = http.StatusNotFound
	return f
}

// again is what may be done about errors that pass. The API's own advice names a field of
// POST /chat.
const again = "Send the request again, with the same Idempotency-Key if it had one."

// codes are OpenAI's words for problems, where it has one, and our advice.
var codes = map[string]struct{ code, advice string }{
	"unauthorized":      {"invalid_api_key", ""},
	"busy":              {"rate_limit_exceeded", ""},
	"overloaded":        {"", again},
	"draining":          {"", again},
	"conflict":          {"", again},
	"store_unavailable": {"", again},
	"deadline":          {"", again},
	"body_too_large":    {"", "A whole history need not be sent: name the conversation and send the last message."},
	"bad_interaction":   {"", "A conversation's id or the Idempotency-Key: an id has " + printable.IDRule + "."},
}

// fromProblem words a problem in OpenAI's form.
func fromProblem(p *httpapi.Problem) *fault {
	known := codes[p.Code]
	detail := cmp.Or(known.advice, p.Detail)
	f := invalid(cmp.Or(known.code, p.Code), "", "%s.", p.Title)
	if detail != "" {
		f.Message += " " + detail
	}
	f.status, f.retryAfter = p.Status, p.RetryAfter
	if p.Turn != nil {
		f.Message, f.final = fmt.Sprintf("%s It stands after turn %d.", f.Message, *p.Turn), true
	}
	switch {
	case p.Status == http.StatusForbidden:
		f.Type = forbidden
	case p.Status == http.StatusTooManyRequests:
		f.Type = rateLimited
	case p.Status >= http.StatusInternalServerError:
		f.Type = serverError
	}
	return f
}

// explain finds the fault of an error.
func explain(err error) *fault {
	var f *fault
	switch {
	case errors.As(err, &f):
		return f
	case errors.Is(err, router.ErrVersionMismatch): // time and again
		err = memory.ErrConflict
	}
	return fromProblem(httpapi.Explain(err))
}

// refuse is what the API's door says.
func refuse(w http.ResponseWriter, p *httpapi.Problem) { writeFault(w, fromProblem(p)) }

func writeFault(w http.ResponseWriter, f *fault) {
	h := w.Header()
	if f.retryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(f.retryAfter))
	}
	if f.final {
		h.Set("X-Should-Retry", "false") // OpenAI's clients obey it
	}
	if f.status == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", "Bearer") // RFC 9110, 15.5.2
	}
	httpapi.WriteJSON(w, f.status, "application/json", map[string]*fault{"error": f})
}
