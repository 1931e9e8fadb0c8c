package openai

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/slotway/slotway/config/printable"
	"github.com/slotway/slotway/router/httpapi"
)

// apiError is an error in OpenAI's form. Its texts are ours: they name fields and limits and quote
// nothing.
type apiError struct {
	Message string  `json:"message"`
	Type    string  `json:"type"`
	Param   *string `json:"param"`
	Code    *string `json:"code"`

	status     int
	retryAfter int  // seconds; 0: no header
	noRetry    bool // sending it again does not help, although clients may retry the status
}

// Error implements error.
func (f *apiError) Error() string { return *f.Code }

// Types of errors, as OpenAI's API has them (platform.openai.com/docs/guides/error-codes).
const (
	invalidRequest = "invalid_request_error"
	forbidden      = "permission_error"
	rateLimited    = "rate_limit_error"
	serverError    = "server_error"
)

// invalid is a request that cannot be taken; param names the field, "" for none.
func invalid(code, param, format string, args ...any) *apiError {
	f := &apiError{status: http.StatusBadRequest, Type: invalidRequest, Message: fmt.Sprintf(format, args...), Code: &code}
	if param != "" {
		f.Param = &param
	}
	return f
}

// notFound is something that does not exist or belongs to another user.
func notFound(code, param, format string, args ...any) *apiError {
	f := invalid(code, param, format, args...)
	f.status = http.StatusNotFound
	return f
}

// conflict is a request that does not fit the state of its session: sending it again does not help.
func conflict(code, format string, args ...any) *apiError {
	f := invalid(code, "", format, args...)
	f.status, f.noRetry = http.StatusConflict, true
	return f
}

// retryAdvice is for errors that pass. The API's own advice names a field of POST /chat.
const retryAdvice = "Send the request again, with the same Idempotency-Key if it had one."

// openAICodes are OpenAI's codes for problems, if it has one, and our advice.
var openAICodes = map[string]struct{ code, advice string }{
	"unauthorized":      {"invalid_api_key", ""},
	"busy":              {"rate_limit_exceeded", ""},
	"overloaded":        {"", retryAdvice},
	"draining":          {"", retryAdvice},
	"conflict":          {"", retryAdvice},
	"store_unavailable": {"", retryAdvice},
	"deadline":          {"", retryAdvice},
	"body_too_large":    {"", "A whole history need not be sent: name the conversation and send the last message."},
	"bad_interaction":   {"", "A conversation's id or the Idempotency-Key: an id has " + printable.IDRule + "."},
}

// fromProblem converts a problem to OpenAI's form.
func fromProblem(p *httpapi.Problem) *apiError {
	known := openAICodes[p.Code]
	detail := cmp.Or(known.advice, p.Detail)
	f := invalid(cmp.Or(known.code, p.Code), "", "%s.", p.Title)
	if detail != "" {
		f.Message += " " + detail
	}
	f.status, f.retryAfter = p.Status, p.RetryAfter
	if p.Turn != nil {
		f.Message, f.noRetry = fmt.Sprintf("%s It stands after turn %d.", f.Message, *p.Turn), true
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

// toAPIError returns the OpenAI form of an error.
func toAPIError(err error) *apiError {
	var f *apiError
	if errors.As(err, &f) {
		return f
	}
	return fromProblem(httpapi.Explain(err))
}

// refuse writes a problem that the API itself found.
func refuse(w http.ResponseWriter, p *httpapi.Problem) { writeFault(w, fromProblem(p)) }

func writeFault(w http.ResponseWriter, f *apiError) {
	h := w.Header()
	if f.retryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(f.retryAfter))
	}
	if f.noRetry {
		h.Set("X-Should-Retry", "false") // OpenAI's clients obey it
	}
	if f.status == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", "Bearer") // RFC 9110, 15.5.2
	}
	httpapi.WriteJSON(w, f.status, "application/json", map[string]*apiError{"error": f})
}
