package tools

import (
	"errors"
	"fmt"
	"time"
)

// Code says why a call failed; it is stable, is matched by on_error, and may be logged.
type Code string

// The codes.
const (
	NotFound     Code = "not_found"     // nothing there by that name
	InvalidInput Code = "invalid_input" // arguments do not fit the tool's schema, or the tool refused them
	Timeout      Code = "timeout"
	Unavailable  Code = "unavailable"  // refused, 5xx, breaker open, process could not be started
	RateLimited  Code = "rate_limited" // 429
	Denied       Code = "denied"       // 401, 403
	Conflict     Code = "conflict"     // 409: the state does not allow it
	BadResult    Code = "bad_result"   // an answer that cannot be read
	Failed       Code = "failed"       // everything else
)

// Error is a tool's failure. Its text never holds an argument or a result.
type Error struct {
	Code       Code
	Tool       string
	Detail     string        // for the operator: what happened, without values
	Retryable  bool          // trying again may help
	RetryAfter time.Duration // not before; the other side's wish, 0: none
	Uncertain  bool          // a write that may have had its effect all the same
	Err        error         `json:"-"` // cause; may hold values, so it is never printed
}

// Error names the tool, the code and the detail.
func (e *Error) Error() string {
	if e.Detail == "" {
		return fmt.Sprintf("tool %s: %s", e.Tool, e.Code)
	}
	return fmt.Sprintf("tool %s: %s: %s", e.Tool, e.Code, e.Detail)
}

// GoString is Error: the verb %#v must not print the cause either.
func (e *Error) GoString() string { return e.Error() }

// Unwrap gives the cause for errors.Is and errors.As.
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
