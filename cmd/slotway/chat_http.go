package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/httpapi/access"
)

// apiClient sends requests to a server.
type apiClient struct {
	base   *url.URL
	key    string // "": none is sent
	user   string // for whom a service acts; "": none
	client *http.Client
	sleep  func(context.Context, time.Duration) error
}

// apiRequest is one request.
type apiRequest struct {
	method, path string // path is escaped already
	query        url.Values
	body         any   // nil: none
	retry        bool  // may be sent a second time
	maxBytes     int64 // bytes of the answer; 0: maxAnswer
}

const (
	maxAnswer = 8 << 20
	maxExport = 256 << 20
	// maxWait is the longest Retry-After that is waited for without asking the person.
	maxWait = 30 * time.Second
	// answerTime is well above what a server gives a turn.
	answerTime = 2 * time.Minute
)

func newHTTPClient() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.ResponseHeaderTimeout = answerTime
	return &http.Client{
		Transport: transport,
		// The key is for this server and no other.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// statusError is an answer with an error status.
type statusError struct {
	status     int
	code, text string
	after      time.Duration // of Retry-After
	turn       int64         // of code moved_on
}

// Error returns the server's error.
func (r *statusError) Error() string {
	text := fmt.Sprintf("the server answers %d", r.status)
	if r.code != "" {
		text += " " + r.code
	}
	if r.text != "" {
		text += ": " + r.text
	}
	return text
}

// Unwrap maps an unknown session, and one that went on elsewhere, to the errors of this process.
func (r *statusError) Unwrap() error {
	switch {
	case r.status == http.StatusNotFound && r.code == "session_not_found":
		return memory.ErrNotFound
	case r.status == http.StatusConflict && r.code == "moved_on":
		return &router.StaleTurnError{Newest: r.turn}
	}
	return nil
}

// call decodes the answer into out.
func (w *apiClient) call(ctx context.Context, a apiRequest, out any) error {
	data, err := w.fetch(ctx, a)
	if err != nil {
		return err
	}
	if json.Unmarshal(data, out) != nil {
		return fmt.Errorf("%s does not answer as a Slotway service does", w.base.Host)
	}
	return nil
}

// fetch sends a request, and once more if the connection was lost or the server is overloaded.
func (w *apiClient) fetch(ctx context.Context, a apiRequest) ([]byte, error) {
	data, err := w.try(ctx, a)
	if err == nil || !a.retry || ctx.Err() != nil {
		return data, err
	}
	wait := time.Second
	var refused *statusError
	if errors.As(err, &refused) {
		if refused.status != http.StatusTooManyRequests && refused.status != http.StatusServiceUnavailable {
			return nil, err
		}
		wait = cmp.Or(refused.after, wait)
	}
	if wait > maxWait {
		return nil, fmt.Errorf("%w; try again in %s", err, wait)
	}
	if err := w.sleep(ctx, wait); err != nil {
		return nil, err
	}
	return w.try(ctx, a)
}

func (w *apiClient) try(ctx context.Context, a apiRequest) ([]byte, error) {
	req, err := w.request(ctx, a)
	if err != nil {
		return nil, err
	}
	res, err := w.client.Do(req)
	if err != nil {
		return nil, unreachable(err)
	}
	defer res.Body.Close()
	most := cmp.Or(a.maxBytes, maxAnswer)
	data, err := io.ReadAll(io.LimitReader(res.Body, most+1))
	switch {
	case err != nil:
		return nil, unreachable(err)
	case res.StatusCode < 200 || res.StatusCode > 299:
		return nil, statusErrorOf(res, data)
	case int64(len(data)) > most:
		return nil, fmt.Errorf("the answer has more than %d bytes", most)
	}
	return data, nil
}

func (w *apiClient) request(ctx context.Context, a apiRequest) (*http.Request, error) {
	var body io.Reader
	if a.body != nil {
		data, err := json.Marshal(a.body)
		if err != nil {
			return nil, errors.New("the message cannot be encoded")
		}
		body = bytes.NewReader(data)
	}
	at := w.base.JoinPath(a.path)
	at.RawQuery = a.query.Encode()
	req, err := http.NewRequestWithContext(ctx, a.method, at.String(), body)
	if err != nil {
		return nil, unreachable(err)
	}
	if a.body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if w.key != "" {
		req.Header.Set("Authorization", "Bearer "+w.key)
	}
	if w.user != "" {
		req.Header.Set(access.UserHeader, w.user)
	}
	return req, nil
}

// unreachable wraps a connection error without the URL, which may name a session.
func unreachable(err error) error {
	var at *url.Error
	if errors.As(err, &at) {
		err = at.Err
	}
	return fmt.Errorf("cannot reach the server: %w", err)
}

// statusErrorOf reads a problem document (RFC 9457), if the answer is one.
func statusErrorOf(res *http.Response, data []byte) error {
	r := &statusError{status: res.StatusCode}
	if seconds, err := strconv.Atoi(res.Header.Get("Retry-After")); err == nil && seconds > 0 {
		r.after = time.Duration(seconds) * time.Second
	}
	var p struct {
		Code, Title, Detail string
		Turn                int64
	}
	if json.Unmarshal(data, &p) == nil {
		r.code, r.text, r.turn = p.Code, p.Title, p.Turn
		if p.Detail != "" {
			r.text += ". " + p.Detail
		}
	}
	if res.StatusCode >= 300 && res.StatusCode < 400 {
		r.text = "it sends us elsewhere; give the address that it is at with --url"
	}
	return r
}
