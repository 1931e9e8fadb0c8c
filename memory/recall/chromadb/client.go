package chromadb

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
)

// maxResponse is the most bytes of a response.
const maxResponse = 32 << 20

// client calls the API of one server.
type client struct {
	http  *http.Client
	base  string // address of the database's collections
	token string
}

func newClient(address, token string) (*client, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, ErrURL
	}
	web, bare := u.Scheme == "http" || u.Scheme == "https", u.User == nil && u.RawQuery == "" && u.Fragment == ""
	if !web || !bare || u.Host == "" {
		return nil, ErrURL
	}
	return &client{
		http:  &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
		base:  u.JoinPath("api", "v2", "tenants", "default_tenant", "databases", "default_database", "collections").String(),
		token: token,
	}, nil
}

// call makes one call to the collections API. in and out are JSON; nil: none. errMissing: what the
// path names does not exist.
func (c *client) call(ctx context.Context, method, path string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return fmt.Errorf("%w: a call cannot be written", ErrServer)
	}
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("%w: a call cannot be written", ErrServer)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header["Idempotency-Key"] = nil // not sent: it lets the transport repeat a call that a stale connection lost
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return sanitize(ctx, err)
	}
	defer func() { _ = resp.Body.Close() }() // the body was read
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxResponse+1))
	switch {
	case err != nil:
		return sanitize(ctx, err)
	case resp.StatusCode == http.StatusNotFound:
		return errMissing
	case resp.StatusCode >= 300:
		return fmt.Errorf("%w: status %d", ErrServer, resp.StatusCode)
	case len(data) > maxResponse:
		return fmt.Errorf("%w: an answer of more than %d bytes", ErrServer, maxResponse)
	}
	if out != nil && json.Unmarshal(data, out) != nil {
		return fmt.Errorf("%w: an answer cannot be read", ErrServer)
	}
	return nil
}

// sanitize returns a transport error without the address, which may be secret.
func sanitize(ctx context.Context, err error) error {
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Errorf("%w: %w", ErrServer, context.DeadlineExceeded)
	case ctx.Err() != nil:
		return fmt.Errorf("%w: %w", ErrServer, ctx.Err())
	}
	return fmt.Errorf("%w: it cannot be reached", ErrServer)
}
