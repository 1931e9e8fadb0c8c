package mcpserver

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// HTTPOptions configure Server.HTTP. Every zero value has a default, except for User.
type HTTPOptions struct {
	// User identifies the sender of a request; ok is false if it may not send any. nil: nobody may.
	User func(*http.Request) (userID string, ok bool)
	// Scopes returns the sender's scopes: "chat" runs turns, "read" searches and lists. A nil func, or a
	// nil list, allows all.
	Scopes func(*http.Request) []string

	MaxBody     int64         // of a request, in bytes; default 64 KiB
	MaxSessions int           // open at once; default 1000
	MaxRequests int           // under way at once, streams included; default 2000
	IdleTimeout time.Duration // without a request, after which a session ends; default 30m
}

func (o HTTPOptions) withDefaults() HTTPOptions {
	o.MaxBody = cmp.Or(o.MaxBody, 64<<10)
	o.MaxSessions = cmp.Or(o.MaxSessions, 1000)
	o.MaxRequests = cmp.Or(o.MaxRequests, 2000)
	o.IdleTimeout = cmp.Or(o.IdleTimeout, 30*time.Minute)
	return o
}

const (
	sessionHeader  = "Mcp-Session-Id"
	protocolHeader = "Mcp-Protocol-Version"
)

// httpHandler serves MCP over HTTP.
type httpHandler struct {
	s            *Server
	opts         HTTPOptions
	withSessions http.Handler  // protocols with sessions
	stateless    http.Handler  // each request by itself
	slots        chan struct{} // one for each request under way
}

// HTTP returns the handler of /mcp (streamable HTTP). It refuses Host headers that do not fit a
// loopback address; the caller checks origins.
func (s *Server) HTTP() http.Handler {
	f := &httpHandler{s: s, opts: s.opts.HTTP, slots: make(chan struct{}, s.opts.HTTP.MaxRequests)}
	same := func(*http.Request) *mcp.Server { return s.mcp }
	f.withSessions = f.identified(mcp.NewStreamableHTTPHandler(same, &mcp.StreamableHTTPOptions{
		SessionTimeout: f.opts.IdleTimeout, MaxRequestBodyBytes: f.opts.MaxBody,
	}))
	f.stateless = f.identified(mcp.NewStreamableHTTPHandler(same, &mcp.StreamableHTTPOptions{
		Stateless: true, MaxRequestBodyBytes: f.opts.MaxBody,
	}))
	return f
}

// identified passes the user to the SDK, which binds sessions to users only by the token info of its
// own middleware for bearer tokens. The caller is authenticated already, so a fixed token will do.
func (f *httpHandler) identified(next http.Handler) http.Handler {
	verify := func(_ context.Context, _ string, r *http.Request) (*auth.TokenInfo, error) {
		who, _ := r.Context().Value(identity{}).(*auth.TokenInfo)
		return who, nil
	}
	return auth.RequireBearerToken(verify, &auth.RequireBearerTokenOptions{AllowMissingExpiration: true})(next)
}

// identity is the key of the token info in a request's context.
type identity struct{}

// ServeHTTP implements http.Handler.
func (f *httpHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	who, ok := f.identify(r)
	if !ok {
		http.Error(w, "who are you? a valid key is needed", http.StatusUnauthorized)
		return
	}
	if f.s.isClosed() {
		full(w, "the server is about to end")
		return
	}
	select {
	case f.slots <- struct{}{}:
		defer func() { <-f.slots }()
	default:
		full(w, "too many requests are under way")
		return
	}
	r = r.WithContext(context.WithValue(r.Context(), identity{}, who))
	r.Header = r.Header.Clone()
	r.Header.Set("Authorization", "Bearer verified")
	if !f.bufferBody(w, r) {
		return
	}
	out := deadlineWriter{w}
	if r.Header.Get(protocolHeader) >= askInResult {
		f.stateless.ServeHTTP(out, r)
		return
	}
	if r.Method == http.MethodPost && r.Header.Get(sessionHeader) == "" && f.sessions() >= f.opts.MaxSessions {
		full(w, "too many sessions are open")
		return
	}
	f.withSessions.ServeHTTP(out, r)
}

// sessions counts the open sessions. The SDK ends those that are idle, and does not limit their number.
func (f *httpHandler) sessions() int {
	n := 0
	for session := range f.s.mcp.Sessions() {
		if session.ID() != "" { // else of a protocol without sessions
			n++
		}
	}
	return n
}

func (f *httpHandler) identify(r *http.Request) (*auth.TokenInfo, bool) {
	if f.opts.User == nil {
		return nil, false
	}
	user, ok := f.opts.User(r)
	if !ok || user == "" {
		return nil, false
	}
	info := &auth.TokenInfo{UserID: user}
	if f.opts.Scopes != nil {
		info.Scopes = f.opts.Scopes(r)
	}
	return info, true
}

// bufferBody reads the whole body, so that the server's read timeout does not end a request that
// waits for a person.
func (f *httpHandler) bufferBody(w http.ResponseWriter, r *http.Request) bool {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, f.opts.MaxBody))
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		http.Error(w, "the body is too long", http.StatusRequestEntityTooLarge)
		return false
	case err != nil:
		http.Error(w, "the body cannot be read", http.StatusBadRequest)
		return false
	}
	if r.Method == http.MethodPost && !isMessage(body) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"the body is no JSON-RPC 2.0 message"}}`)
		return false
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	// Not every writer has deadlines; those of tests do without.
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
	return true
}

// isMessage reports a body that may be a JSON-RPC message or a list of them. Of any other the SDK tells in plain
// text, which quotes it.
func isMessage(body []byte) bool {
	var one struct {
		Version string `json:"jsonrpc"`
		ID      any    `json:"id"`
	}
	if json.Unmarshal(body, &one) == nil {
		return one.Version == "2.0"
	}
	var list []json.RawMessage
	return json.Unmarshal(body, &list) == nil && len(list) > 0
}

func full(w http.ResponseWriter, why string) {
	w.Header().Set("Retry-After", strconv.Itoa(int(retryAfter/time.Second)))
	http.Error(w, why+"; try again later", http.StatusServiceUnavailable)
}

// retryAfter is when a client may try again; writeTime is how long it may take to read one write.
const (
	retryAfter = 5 * time.Second
	writeTime  = 30 * time.Second
)

// deadlineWriter gives each write its own deadline: a stream may be silent for hours, but a client that
// does not read is disconnected.
type deadlineWriter struct{ http.ResponseWriter }

// Write implements http.ResponseWriter.
func (p deadlineWriter) Write(b []byte) (int, error) {
	p.setDeadline()
	return p.ResponseWriter.Write(b)
}

// Flush implements http.Flusher.
func (p deadlineWriter) Flush() {
	p.setDeadline()
	_ = http.NewResponseController(p.ResponseWriter).Flush() // the client is gone
}

// Unwrap lets http.ResponseController find the connection.
func (p deadlineWriter) Unwrap() http.ResponseWriter { return p.ResponseWriter }

func (p deadlineWriter) setDeadline() {
	_ = http.NewResponseController(p.ResponseWriter).SetWriteDeadline(time.Now().Add(writeTime))
}

func (s *Server) isClosed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}
