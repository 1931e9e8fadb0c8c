package httptool

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strconv"
	"syscall"
	"time"

	"github.com/slotway/slotway/tools"
	"github.com/slotway/slotway/tools/egress"
)

// statuses maps answers that are not 2xx to codes (RFC 9110, section 15; RFC 6585).
var statuses = map[int]tools.Code{
	http.StatusBadRequest:          tools.InvalidInput,
	http.StatusUnauthorized:        tools.Denied,
	http.StatusForbidden:           tools.Denied,
	http.StatusNotFound:            tools.NotFound,
	http.StatusRequestTimeout:      tools.Timeout,
	http.StatusConflict:            tools.Conflict,
	http.StatusGone:                tools.NotFound,
	http.StatusPreconditionFailed:  tools.Conflict,
	http.StatusUnprocessableEntity: tools.InvalidInput,
	http.StatusTooManyRequests:     tools.RateLimited,
}

// seeOther are the redirects that may answer a write after it was carried out: 303 means that (RFC
// 9110, section 15.4.4), and 301 and 302 are used that way. 307 and 308 ask for the same request
// elsewhere.
var seeOther = map[int]bool{
	http.StatusMovedPermanently: true,
	http.StatusFound:            true,
	http.StatusSeeOther:         true,
}

// AnswerError is StatusError for an answer after redirects: the status at the end of a redirect
// that answered a write tells nothing about the write.
func AnswerError(tool string, resp *http.Response, now time.Time) *tools.Error {
	e := StatusError(tool, resp.StatusCode, resp.Header, now)
	for r := resp.Request; r != nil && r.Response != nil; r = r.Response.Request {
		e.Uncertain = e.Uncertain || seeOther[r.Response.StatusCode]
	}
	return e
}

// StatusError returns the error for an HTTP answer that is not 2xx. After a 5xx, and after a
// redirect that may follow a write, the write may have happened; after a 4xx it did not. now is the
// time to which a Retry-After with a date is relative.
func StatusError(tool string, status int, header http.Header, now time.Time) *tools.Error {
	e := &tools.Error{Code: tools.Failed, Tool: tool, Detail: "status " + strconv.Itoa(status)}
	if code, ok := statuses[status]; ok {
		e.Code = code
	}
	switch {
	case status >= 500:
		e.Code, e.Retryable, e.Uncertain = tools.Unavailable, true, true
	case status >= 300 && status < 400:
		e.Detail += ", a redirect that is not followed"
		e.Uncertain = seeOther[status]
	case e.Code == tools.RateLimited || e.Code == tools.Timeout:
		e.Retryable = true
	}
	e.RetryAfter = retryAfter(header.Get("Retry-After"), now)
	return e
}

// retryAfter parses both forms of the header (RFC 9110, section 10.2.3).
func retryAfter(value string, now time.Time) time.Duration {
	if n, err := strconv.Atoi(value); err == nil {
		return time.Duration(min(max(n, 0), 86400)) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}

// TransportError returns the error for a request without a complete answer. sent says whether
// anything may have reached the other side. The cause is left out: a url.Error prints the whole
// URL.
func TransportError(ctx context.Context, tool string, err error, sent bool) *tools.Error {
	if denied := egress.Denied(tool, err); denied != nil {
		denied.Uncertain = sent // a redirect was refused after the first request
		return denied
	}
	e := &tools.Error{Code: tools.Unavailable, Tool: tool, Retryable: true, Uncertain: sent}
	var dns *net.DNSError
	var timeout net.Error
	switch {
	case ctx.Err() != nil:
		e.Code, e.Detail, e.Err = tools.Timeout, "no answer in time", ctx.Err()
		e.Retryable = errors.Is(ctx.Err(), context.DeadlineExceeded)
	case errors.Is(err, syscall.ECONNREFUSED):
		e.Detail = "connection refused"
	case errors.As(err, &dns):
		e.Detail = "host not found"
	case errors.As(err, &timeout) && timeout.Timeout():
		e.Code, e.Detail = tools.Timeout, "no answer in time"
	case sent:
		e.Detail = "connection lost"
	default:
		e.Detail = "no connection"
	}
	return e
}
