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
	"os"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/httpapi"
	"github.com/slotway/slotway/router/httpapi/access"
)

// remoteBackend uses the HTTP API of a server.
type remoteBackend struct {
	apiClient
	messageTags
}

// remoteBackend returns the server of the flags.
func (c *chatFlags) remoteBackend(cmd *cobra.Command) (*remoteBackend, error) {
	if c.redact {
		return nil, usagef("--redact cannot be used with --url: only the server knows which values to mask")
	}
	if c.fresh {
		return nil, usagef("--fresh does not go with --url: what the server remembers is its own")
	}
	if !c.clock.IsZero() {
		return nil, usagef("--clock does not go with --url: the server has its own clock")
	}
	base, err := url.Parse(c.url)
	if err != nil || (base.Scheme != "http" && base.Scheme != "https") || base.Host == "" || base.User != nil {
		return nil, usagef("--url takes http://HOST:PORT or https://HOST")
	}
	r := &remoteBackend{messageTags: c.messageTags, apiClient: apiClient{base: base, key: os.Getenv(c.keyEnv), sleep: sleep, client: newHTTPClient()}}
	if r.key == "" && cmd.Flags().Changed("key-env") {
		return nil, usagef("the variable %s, which --key-env names, is empty", c.keyEnv)
	}
	if cmd.Flags().Changed("user") {
		r.user = c.user
	}
	if r.key != "" && base.Scheme == "http" && httpapi.LoopbackHost(base.Hostname()+":80") == "" {
		fmt.Fprintln(cmd.ErrOrStderr(), "slotway: warning: the key goes over the network unencrypted; use https://")
	}
	return r, nil
}

// sleep waits for d, or for ctx.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// greet names only the host if the key may not read the agent.
func (r *remoteBackend) greet(ctx context.Context) (string, error) {
	var agent struct {
		Description string `json:"description"`
	}
	err := r.call(ctx, apiRequest{method: http.MethodGet, path: "/v1/agent", retry: true}, &agent)
	var refused *statusError
	if errors.As(err, &refused) && (refused.status == http.StatusForbidden || refused.status == http.StatusNotFound) {
		err = nil
	}
	if err != nil || agent.Description == "" {
		return "An agent at " + r.base.Host, err
	}
	return agent.Description, nil
}

// ownProvider is the provider in replies of a service that no model took part in.
const ownProvider = "slotway"

// send sends the same message id both times, so that the turn runs once.
func (r *remoteBackend) send(ctx context.Context, session, text string, after *int64) (router.Reply, error) {
	body := map[string]any{"message": text, "conversation_id": session, "message_id": uuid.NewString(), "after_turn": after}
	if len(r.tags) > 0 { // a server of an older release does not know the field
		body["tags"] = r.tags
	}
	if r.importance > 0 {
		body["importance"] = r.importance
	}
	var reply router.Reply
	err := r.call(ctx, apiRequest{method: http.MethodPost, path: "/chat", retry: true, body: body}, &reply)
	if reply.Provider == ownProvider {
		reply.Model, reply.Provider = "", "" // no model server: a turn told here names none
	}
	return reply, err
}

// pageSize is the number of sessions or messages per request.
const pageSize = "200"

func (r *remoteBackend) sessions(ctx context.Context) ([]memory.Info, error) {
	var out []memory.Info
	query := url.Values{"limit": {pageSize}}
	for {
		var page struct {
			Sessions []struct {
				ID        string    `json:"session_id"`
				Turns     int64     `json:"turns"`
				UpdatedAt time.Time `json:"updated_at"`
			} `json:"sessions"`
			Next *int64 `json:"next_offset"`
		}
		if err := r.call(ctx, apiRequest{method: http.MethodGet, path: "/v1/sessions", query: query, retry: true}, &page); err != nil {
			return nil, err
		}
		for _, s := range page.Sessions {
			out = append(out, memory.Info{Key: memory.Key{SessionID: s.ID}, Turns: s.Turns, UpdatedAt: s.UpdatedAt})
		}
		if page.Next == nil || len(page.Sessions) == 0 {
			return out, nil
		}
		query.Set("offset", strconv.FormatInt(*page.Next, 10))
	}
}

func (r *remoteBackend) history(ctx context.Context, session string) ([]memory.Message, error) {
	var out []memory.Message
	query := url.Values{"limit": {pageSize}}
	for {
		page, next, err := r.messages(ctx, session, query)
		if err != nil {
			return nil, err
		}
		out = append(out, page...)
		if next == nil || len(page) == 0 {
			return out, nil
		}
		query.Set("after", strconv.FormatInt(*next, 10))
	}
}

// messages reads one page; next is the number of its last message if there are more.
func (r *remoteBackend) messages(ctx context.Context, session string, query url.Values) (list []memory.Message, next *int64, err error) {
	var page struct {
		Messages []struct {
			Seq  int64       `json:"seq"`
			Role memory.Role `json:"role"`
			Text string      `json:"text"`
		} `json:"messages"`
		Next *int64 `json:"next_after"`
	}
	err = r.call(ctx, apiRequest{method: http.MethodGet, path: sessionPath(session, "/messages"), query: query, retry: true}, &page)
	for _, m := range page.Messages {
		list = append(list, memory.Message{Seq: m.Seq, Role: m.Role, Text: m.Text})
	}
	return list, page.Next, err
}

func (r *remoteBackend) recent(ctx context.Context, session string) ([]memory.Message, error) {
	list, _, err := r.messages(ctx, session, url.Values{"last": {"true"}, "limit": {strconv.Itoa(recentMessages)}})
	return list, err
}

func (r *remoteBackend) state(ctx context.Context, session string) (sessionStatus, error) {
	var k sessionStatus
	err := r.call(ctx, apiRequest{method: http.MethodGet, path: sessionPath(session, "/state"), retry: true}, &k)
	return k, err
}

// export requests the whole session, or, if the key may not have that, one with redacted values
// masked.
func (r *remoteBackend) export(ctx context.Context, session string, w io.Writer) (string, error) {
	a := apiRequest{method: http.MethodGet, path: sessionPath(session, "/export"), query: url.Values{"reveal": {"true"}}, retry: true, maxBytes: maxExport}
	data, err := r.fetch(ctx, a)
	note := ""
	var refused *statusError
	if errors.As(err, &refused) && refused.status == http.StatusForbidden {
		a.query, note = nil, "; redacted values are masked in it, so it cannot be imported: this key may not see them"
		data, err = r.fetch(ctx, a)
	}
	if err == nil {
		_, err = w.Write(data)
	}
	return note, err
}

func (r *remoteBackend) clear(ctx context.Context, session string) (int, error) {
	var out struct{ Cleared int }
	err := r.call(ctx, apiRequest{method: http.MethodPost, path: sessionPath(session, "/clear"), body: struct{}{}}, &out)
	return out.Cleared, err
}

// undo is not retried: a second request would undo another turn.
func (r *remoteBackend) undo(ctx context.Context, session string) (int64, int, error) {
	var out struct {
		Turn  int64
		Calls []json.RawMessage
	}
	err := r.call(ctx, apiRequest{method: http.MethodPost, path: sessionPath(session, "/undo"), body: struct{}{}}, &out)
	return out.Turn, len(out.Calls), err
}

func (r *remoteBackend) forget(ctx context.Context, session string) error {
	_, err := r.fetch(ctx, apiRequest{method: http.MethodDelete, path: sessionPath(session, "")})
	return err
}

func sessionPath(session, what string) string {
	return "/v1/sessions/" + url.PathEscape(session) + what
}

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
