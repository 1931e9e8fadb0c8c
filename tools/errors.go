package tools

import (
	"errors"
	"fmt"
	"time"
)

// Code is the reason of a failure. It is stable, on_error matches it, and it may be logged.
type Code string

// The codes.
const (
	NotFound     Code = "not_found"     // nothing exists under that name
	InvalidInput Code = "invalid_input" // the arguments do not fit the schema, or the tool refused them
	Timeout      Code = "timeout"
	Unavailable  Code = "unavailable"  // refused, 5xx, breaker open, process could not be started
	RateLimited  Code = "rate_limited" // 429
	Denied       Code = "denied"       // 401, 403
	Conflict     Code = "conflict"     // 409: the state does not allow it
	BadResult    Code = "bad_result"   // an answer that cannot be read
	Failed       Code = "failed"       // everything else
)

// Codes lists every code.
var Codes = []Code{NotFound, InvalidInput, Timeout, Unavailable, RateLimited, Denied, Conflict, BadResult, Failed}

// Error is a tool's failure. Its text never holds an argument or a result.
type Error struct {
	Code       Code
	Tool       string
	Detail     string        // for the operator: what happened, without values
	Retryable  bool          // trying again may help
	RetryAfter time.Duration // wait at least so long, at the other side's request; 0: none
	Uncertain  bool          // a write that may have had its effect nevertheless
	Err        error         `json:"-"` // cause; may hold values, so it is never printed
}

// Error names the tool, the code and the detail.
func (e *Error) Error() string {
	if e.Detail == "" {
		return fmt.Sprintf("tool %s: %s", e.Tool, e.Code)
	}
	return fmt.Sprintf("tool %s: %s: %s", e.Tool, e.Code, e.Detail)
}

// GoString returns Error: %#v must not print the cause either.
func (e *Error) GoString() string { return e.Error() }

// Unwrap returns the cause, for errors.Is and errors.As.
func (e *Error) Unwrap() error { return e.Err }

// CodeOf returns the code of err; "" for nil, Failed for an error that is no *Error.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return Failed
}
