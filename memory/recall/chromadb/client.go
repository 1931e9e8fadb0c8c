package chromadb

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"time"
)

const (
	maxResponse = 32 << 20               // bytes of a response
	maxAttempts = 3                      // of a call that fails for now
	retryDelay  = 100 * time.Millisecond // before the second attempt; twice as long before the third
)

// client calls the API of one server.
type client struct {
	http   *http.Client
	base   string // address of the database's collections
	header http.Header
}

func newClient(address string, o *Options) (*client, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, ErrURL
	}
	own := *o.Client
	own.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &client{
		http: &own, header: o.Header.Clone(),
		base: u.JoinPath("api", "v2", "tenants", "default_tenant", "databases", "default_database", "collections").String(),
	}, nil
}

// call makes one call to the collections API and retries it. in and out are JSON; nil: none.
// errMissing: what the path names does not exist.
func (c *client) call(ctx context.Context, method, path string, in, out any) error {
	var body []byte
	if in != nil {
		var err error
		if body, err = json.Marshal(in); err != nil {
			return fmt.Errorf("%w: a call cannot be written", ErrServer)
		}
	}
	for n := 1; ; n++ {
		again, err := c.once(ctx, method, path, body, out)
		if err == nil || !again || n == maxAttempts {
			return err
		}
		wait := time.NewTimer(time.Duration(n) * retryDelay)
		select {
		case <-wait.C:
		case <-ctx.Done():
			wait.Stop()
			return err
		}
	}
}

// once makes a call once. again reports whether a retry may help.
func (c *client) once(ctx context.Context, method, path string, body []byte, out any) (again bool, err error) {
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, bytes.NewReader(body))
	if err != nil {
		return false, fmt.Errorf("%w: a call cannot be written", ErrServer)
	}
	maps.Copy(req.Header, c.header)
	req.Header.Set("Content-Type", "application/json")
	resp, err := c.http.Do(req)
	if err != nil {
		return ctx.Err() == nil, sanitize(ctx, err)
	}
	defer func() { _ = resp.Body.Close() }() // the body was read
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxResponse+1))
	switch {
	case err != nil:
		return ctx.Err() == nil, sanitize(ctx, err)
	case resp.StatusCode == http.StatusNotFound:
		return false, errMissing
	case resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode >= 500:
		return true, fmt.Errorf("%w: status %d", ErrServer, resp.StatusCode)
	case resp.StatusCode >= 300:
		return false, fmt.Errorf("%w: status %d", ErrServer, resp.StatusCode)
	case len(data) > maxResponse:
		return false, fmt.Errorf("%w: an answer of more than %d bytes", ErrServer, maxResponse)
	}
	if out != nil && json.Unmarshal(data, out) != nil {
		return false, fmt.Errorf("%w: an answer cannot be read", ErrServer)
	}
	return false, nil
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
