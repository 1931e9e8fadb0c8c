package channel

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Client sends requests to platforms. It follows no redirect, so that credentials reach only the
// address that the operator has set.
type Client struct{ http http.Client }

// Limits of a request to a platform.
const (
	sendTime  = 15 * time.Second
	maxAnswer = 1 << 20
	longestAt = time.Hour // the longest Retry-After that counts
)

// NewClient returns a client with the default transport of net/http, which uses the proxies of the
// environment.
func NewClient() *Client {
	return &Client{http.Client{
		Timeout:       sendTime,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// APIURL returns the address of a platform's API without a slash at the end: the one that is set, else the
// usual one.
func APIURL(set, usual string) string { return strings.TrimSuffix(cmp.Or(set, usual), "/") }

// Do sends a request of a channel and returns the status and the body of the response. Errors are
// *SendError: no response came, or one that only asks to try later (429 and 5xx).
func (c *Client) Do(ctx context.Context, method, url string, header http.Header, body []byte) (status int, answer []byte, err error) {
	req, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(body))
	if err != nil {
		return 0, nil, &SendError{Reason: "bad_address"} // err quotes the address, which may contain a token
	}
	maps.Copy(req.Header, header)
	resp, err := c.http.Do(req)
	if err != nil {
		var dial *net.OpError
		connected := !errors.As(err, &dial) || dial.Op != "dial"
		return 0, nil, &SendError{Reason: map[bool]string{false: "unreachable", true: "no_answer"}[connected], Unknown: connected}
	}
	defer func() { _ = resp.Body.Close() }() // the body was read
	answer, err = io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	switch {
	case resp.StatusCode == http.StatusTooManyRequests:
		return 0, nil, &SendError{Reason: "rate_limited", After: RetryAfter(resp.Header, time.Now())}
	case resp.StatusCode == http.StatusServiceUnavailable:
		return 0, nil, &SendError{Reason: "unavailable", After: RetryAfter(resp.Header, time.Now())}
	case resp.StatusCode >= 300 && resp.StatusCode < 400:
		return 0, nil, &SendError{Reason: "redirected"} // the address in the settings is not that of the API
	case resp.StatusCode >= 500:
		return 0, nil, &SendError{Reason: "server_error", Unknown: true}
	case err != nil && resp.StatusCode < 300:
		return 0, nil, &SendError{Reason: "no_answer", Unknown: true}
	}
	return resp.StatusCode, answer, nil
}

// RetryAfter reads the header Retry-After: seconds, or a date (RFC 9110, section 10.2.3). 0: the
// response has none.
func RetryAfter(h http.Header, now time.Time) time.Duration {
	text := h.Get("Retry-After")
	wait := time.Duration(0)
	if n, err := strconv.Atoi(text); err == nil {
		wait = time.Duration(n) * time.Second
	} else if at, err := http.ParseTime(text); err == nil {
		wait = at.Sub(now)
	}
	return min(max(wait, 0), longestAt)
}
