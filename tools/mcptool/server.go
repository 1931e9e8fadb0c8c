package mcptool

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os/exec"
	"sort"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/source"
	"github.com/slotway/slotway/tools"
	"github.com/slotway/slotway/tools/egress"
)

// connectTimeout limits connecting if the call does not.
const connectTimeout = 15 * time.Second

// stderrDelay limits how long a program's descendants may keep its standard error open after it
// ended.
const stderrDelay = 50 * time.Millisecond

// maxHeader limits the header of an answer, in bytes.
const maxHeader = 64 << 10

// Server is one MCP server with its current connection.
type Server struct {
	name      string
	transport func() mcp.Transport // returns a new one for each connection
	stderr    *stderrLog           // what its program writes to standard error

	connecting chan struct{} // holds one token; its holder may connect or close
	mu         sync.Mutex    // guards session and closed
	session    *mcp.ClientSession
	closed     bool

	watchers sync.WaitGroup // goroutines: one that connects, and one per session
}

// NewServer returns the server of a declaration; it starts and connects nothing yet. lookup returns
// the values of ${NAME} references, and of PATH for a command; guard says where a url may lead,
// nil: to public addresses and a loopback address that it names.
func NewServer(decl *config.MCPServer, lookup func(string) (string, bool), guard *egress.Guard) (*Server, error) {
	if decl == nil {
		return nil, errors.New("no such MCP server")
	}
	stderr := newStderrLog(decl.Name)
	transport, err := transportOf(decl, lookup, guard, stderr)
	if err != nil {
		return nil, fmt.Errorf("MCP server %s: %w", decl.Name, err)
	}
	s := newServer(decl.Name, transport)
	s.stderr = stderr
	return s, nil
}

func newServer(name string, transport func() mcp.Transport) *Server {
	return &Server{name: name, transport: transport, stderr: newStderrLog(name), connecting: make(chan struct{}, 1)}
}

func transportOf(decl *config.MCPServer, lookup func(string) (string, bool), guard *egress.Guard, stderr *stderrLog) (func() mcp.Transport, error) {
	switch {
	case len(decl.Command) > 0 && decl.URL != "":
		return nil, errors.New("either a command or a url, not both")
	case len(decl.Command) > 0:
		return commandOf(decl, lookup, stderr)
	case decl.URL != "":
		return endpointOf(decl, lookup, guard)
	}
	return nil, errors.New("neither a command nor a url")
}

// commandOf runs the server with PATH, LANG and the declared variables as its environment.
func commandOf(decl *config.MCPServer, lookup func(string) (string, bool), stderr *stderrLog) (func() mcp.Transport, error) {
	var argv []string
	for _, raw := range decl.Command {
		arg, err := source.Expand(raw, lookup)
		if err != nil {
			return nil, fmt.Errorf("command: %w", err)
		}
		argv = append(argv, arg)
	}
	env := []string{"LANG=C.UTF-8"}
	if path, ok := lookup("PATH"); ok {
		env = append(env, "PATH="+path)
	}
	for name, raw := range decl.Env {
		value, err := source.Expand(raw, lookup)
		if err != nil {
			return nil, fmt.Errorf("env %s: %w", name, err)
		}
		env = append(env, name+"="+value)
		stderr.secrets = append(stderr.secrets, value)
	}
	sort.Strings(env)
	stderr.local = true
	return func() mcp.Transport {
		cmd := exec.Command(argv[0], argv[1:]...)
		cmd.Env, cmd.Stderr = env, stderr
		cmd.WaitDelay = stderrDelay // for output of its descendants
		return &mcp.CommandTransport{Command: cmd, TerminateDuration: 2 * time.Second}
	}, nil
}

func endpointOf(decl *config.MCPServer, lookup func(string) (string, bool), guard *egress.Guard) (func() mcp.Transport, error) {
	endpoint, err := source.Expand(decl.URL, lookup)
	if err != nil {
		return nil, fmt.Errorf("url: %w", err)
	}
	// url.Parse quotes a URL that it cannot parse, which may hold an expanded secret.
	target, err := url.Parse(endpoint)
	if err != nil || target.Scheme != "http" && target.Scheme != "https" || target.Host == "" {
		return nil, errors.New("url: write http://HOST or https://HOST")
	}
	header := http.Header{}
	for name, raw := range decl.Headers {
		value, err := source.Expand(raw, lookup)
		if err != nil {
			return nil, fmt.Errorf("header %s: %w", name, err)
		}
		header.Set(name, value)
	}
	client := &http.Client{
		Transport: wire{header: header, next: guard.For(target.Hostname()).Transport(&http.Transport{
			ForceAttemptHTTP2: true, TLSHandshakeTimeout: 5 * time.Second, MaxConnsPerHost: 16, IdleConnTimeout: 90 * time.Second,
			MaxResponseHeaderBytes: maxHeader,
		})},
		// Headers hold credentials for one address only.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return func() mcp.Transport {
		return &mcp.StreamableClientTransport{
			Endpoint: endpoint, HTTPClient: client, MaxRetries: -1, // the registry retries
			DisableStandaloneSSE: true, MaxEventSize: tools.MaxResult,
		}
	}, nil
}

var errClosed = errors.New("closed")

// connected returns the session, and connects if there is none. Only one caller connects; the
// others wait, each no longer than its context.
func (s *Server) connected(ctx context.Context) (*mcp.ClientSession, error) {
	select {
	case s.connecting <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	s.mu.Lock()
	session, closed := s.session, s.closed
	s.mu.Unlock()
	if closed || session != nil {
		<-s.connecting
		if closed {
			return nil, errClosed
		}
		return session, nil
	}
	// With a server that hangs, the SDK goes on for seconds after ctx has ended. The caller need
	// not wait: its call was not sent.
	made := make(chan connection, 1)
	s.watchers.Go(func() {
		defer func() { <-s.connecting }()
		made <- s.connect(ctx)
	})
	select {
	case c := <-made:
		return c.session, c.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// connection is the result of connecting.
type connection struct {
	session *mcp.ClientSession
	err     error
}

// connect opens a session and keeps it. The caller holds the token.
func (s *Server) connect(ctx context.Context) connection {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	client := mcp.NewClient(&mcp.Implementation{Name: "slotway", Version: "1"}, &mcp.ClientOptions{
		Capabilities: &mcp.ClientCapabilities{}, // no roots, no sampling: the server gets nothing
	})
	session, err := client.Connect(ctx, s.transport(), nil)
	if err != nil {
		return connection{err: err}
	}
	s.mu.Lock()
	s.session = session
	s.mu.Unlock()
	s.watchers.Go(func() {
		session.Wait() // the next connection recovers from its error
		s.drop(session)
		s.stderr.close()
	})
	return connection{session: session}
}

// drop forgets a broken session, unless it was replaced already.
func (s *Server) drop(broken *mcp.ClientSession) {
	s.mu.Lock()
	ours := s.session == broken
	if ours {
		s.session = nil
	}
	s.mu.Unlock()
	if ours {
		broken.Close() // it is broken: its error tells nothing new
	}
}

// Close closes the connection, and ends the program if there is one. Later calls fail.
func (s *Server) Close() error {
	s.connecting <- struct{}{}
	defer func() { <-s.connecting }()
	s.mu.Lock()
	session := s.session
	s.session, s.closed = nil, true
	s.mu.Unlock()
	defer s.watchers.Wait()
	if session == nil {
		return nil
	}
	var status *exec.ExitError // the program ended because it was told to
	if err := session.Close(); err != nil && !errors.As(err, &status) {
		return fmt.Errorf("close MCP server %s: %w", s.name, err)
	}
	return nil
}
