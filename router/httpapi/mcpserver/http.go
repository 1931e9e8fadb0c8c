package mcpserver

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
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

	// MaxUserSessions bounds the open sessions of one user: another one closes the least recently used.
	// Default 64; negative: MaxSessions alone.
	MaxUserSessions int
}

func (o HTTPOptions) withDefaults() HTTPOptions {
	o.MaxBody = cmp.Or(o.MaxBody, 64<<10)
	o.MaxSessions = cmp.Or(o.MaxSessions, 1000)
	o.MaxRequests = cmp.Or(o.MaxRequests, 2000)
	o.MaxUserSessions = cmp.Or(o.MaxUserSessions, 64)
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
	table        *sessionTable
}

// HTTP returns the handler of /mcp (streamable HTTP). It refuses Host headers that do not fit a
// loopback address; the caller checks origins.
func (s *Server) HTTP() http.Handler {
	f := &httpHandler{s: s, opts: s.opts.HTTP, slots: make(chan struct{}, s.opts.HTTP.MaxRequests), table: newSessionTable(s.mcp, s.opts.HTTP)}
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
	out := &deadlineWriter{ResponseWriter: w}
	if r.Header.Get(protocolHeader) >= askInResult {
		f.stateless.ServeHTTP(out, r)
		return
	}
	f.inSession(out, r, who.UserID)
}

// inSession serves a request of a protocol with sessions. Only a message makes a session busy, as in
// the SDK: clients keep a stream open all the time.
func (f *httpHandler) inSession(w http.ResponseWriter, r *http.Request, user string) {
	id := r.Header.Get(sessionHeader)
	switch {
	case r.Method != http.MethodPost:
	case id == "":
		if why := f.table.reserve(user); why != "" {
			full(w, why)
			return
		}
		defer func() { f.table.opened(user, w.Header().Get(sessionHeader)) }()
	default:
		done, ok := f.table.use(id, user)
		if !ok {
			http.Error(w, "session not found", http.StatusNotFound) // as the SDK says it
			return
		}
		defer done()
	}
	f.withSessions.ServeHTTP(w, r)
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

// isMessage reports a body that may be a JSON-RPC message or a list of them. For any other body the
// SDK's error would quote it.
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
//
// The SDK's error texts quote the request; the quotes are removed.
type deadlineWriter struct {
	http.ResponseWriter
	refusal bool // an error text is being written
}

// WriteHeader implements http.ResponseWriter.
func (p *deadlineWriter) WriteHeader(status int) {
	p.setDeadline()
	p.refusal = status >= http.StatusBadRequest && strings.HasPrefix(p.Header().Get("Content-Type"), "text/plain")
	p.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (p *deadlineWriter) Write(b []byte) (int, error) {
	p.setDeadline()
	if !p.refusal {
		return p.ResponseWriter.Write(b)
	}
	told := quoted.ReplaceAllLiteral(b, []byte(`"..."`))
	if bytes.HasPrefix(b, []byte("malformed payload")) {
		told = []byte("malformed payload: this is no JSON-RPC 2.0 message\n")
	}
	if _, err := p.ResponseWriter.Write(told); err != nil {
		return 0, err
	}
	return len(b), nil
}

// quoted matches what %q makes of a text.
var quoted = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// Flush implements http.Flusher.
func (p *deadlineWriter) Flush() {
	p.setDeadline()
	_ = http.NewResponseController(p.ResponseWriter).Flush() // the client is gone
}

// Unwrap lets http.ResponseController find the connection.
func (p *deadlineWriter) Unwrap() http.ResponseWriter { return p.ResponseWriter }

func (p *deadlineWriter) setDeadline() {
	_ = http.NewResponseController(p.ResponseWriter).SetWriteDeadline(time.Now().Add(writeTime))
}

func (s *Server) isClosed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}
