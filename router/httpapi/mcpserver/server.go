package mcpserver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router"
)

// Deps are the parts that a server needs.
type Deps struct {
	// Turn runs one turn. Its context outlives a client that disconnects. nil: the server is an
	// httpapi.Adapter and uses the API's.
	Turn func(ctx context.Context, in router.Interaction) (router.Reply, error)
	// Agent returns the current definition.
	Agent func() *config.Agent
	// Search finds what a user has said or heard; nil: search_memory is not offered. Results are shown as
	// they are, so redacted values must be masked.
	Search func(ctx context.Context, q Search) ([]Found, error)
	// Sessions lists a user's conversations, the latest first; nil: list_sessions is not offered.
	Sessions func(ctx context.Context, userID string, limit int) ([]Session, error)
}

// Search is a request of search_memory.
type Search struct {
	User          string // whose messages
	Query         string
	Limit         int
	Only          memory.Filter
	MinSimilarity *float64 // to the query, in [0,1]; nil: weak hits too
}

// Found is a message that search_memory found.
type Found struct {
	ConversationID string    `json:"conversation_id"`
	Role           string    `json:"role"`
	Text           string    `json:"text"`
	At             time.Time `json:"at"`
	Score          float64   `json:"score"` // larger is better; comparable within one search
}

// Session is a row of list_sessions.
type Session struct {
	ConversationID  string    `json:"conversation_id"`
	Title           string    `json:"title,omitempty"`
	Turns           int64     `json:"turns"`
	WaitingForParam string    `json:"waiting_for_param,omitempty"`
	UpdatedAt       time.Time `json:"updated_at"`
}

// Options configure a Server. Every zero value has a default, except for HTTP.User if the server is
// not an httpapi.Adapter.
type Options struct {
	HTTP HTTPOptions

	MaxRounds int             // questions that one call may ask in place; default 8
	Digests   *memory.Digests // makes conversation ids of the first call's key; those of the store
}

const (
	turnTimeout  = 30 * time.Second // of one turn, waiting for its conversation included
	askTimeout   = 5 * time.Minute  // that a client may take over one elicitation
	defaultLimit = 10               // of a list or a search
)

// Server offers an agent to MCP clients. It is safe for concurrent use.
type Server struct {
	deps Deps
	opts Options
	mcp  *mcp.Server

	mu     sync.Mutex        // guards what follows
	hash   string            // of the definition that the tools are of
	listed map[string][]byte // tools of the definition, by name, as they were announced
	closed bool
}

// New returns a server. It panics without Deps.Agent, which is a mistake of the program.
func New(d Deps, opts *Options) *Server {
	if d.Agent == nil {
		panic("mcpserver: a server needs an agent")
	}
	s := &Server{deps: d, listed: map[string][]byte{}}
	if opts != nil {
		s.opts = *opts
	}
	o := &s.opts
	o.MaxRounds = cmp.Or(o.MaxRounds, 8)
	o.HTTP = o.HTTP.withDefaults()
	agent := d.Agent()
	s.mcp = mcp.NewServer(&mcp.Implementation{Name: "slotway-" + agent.ID, Title: agent.Description, Version: "1"}, &mcp.ServerOptions{
		Instructions: instructions(agent),
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{ListChanged: true}},
	})
	s.mcp.AddReceivingMiddleware(s.refreshed)
	s.ownTools()
	s.Refresh()
	return s
}

func instructions(agent *config.Agent) string {
	return fmt.Sprintf("%s. Its tools may answer status needs_input: put the question in `reply` to the user, and call the tool again "+
		"with the missing param and the same conversation_id. When `needs.confirmation` is true, nothing has been changed yet: ask the user, "+
		"and send their own yes or no with send_message in the same conversation.", cmp.Or(agent.Description, agent.ID))
}

// Run serves one client over a transport, such as *mcp.StdioTransport, until the client disconnects or
// ctx ends. Everything is done for userID.
func (s *Server) Run(ctx context.Context, transport mcp.Transport, userID string) error {
	session, err := s.mcp.Connect(context.WithValue(ctx, userOf{}, userID), transport, nil)
	if err != nil {
		return fmt.Errorf("connect an MCP client: %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- session.Wait() }() // ends with the session, which Run does not outlive
	select {
	case err = <-ended:
	case <-ctx.Done():
		err = errors.Join(session.Close(), <-ended)
	}
	if ctx.Err() != nil || clientGone(err) {
		return nil // it was asked to end, or the client has gone
	}
	return err
}

// clientGone reports whether a session ended because the client disconnected, which it may do while
// the server still writes.
func clientGone(err error) bool {
	for _, gone := range []error{io.EOF, io.ErrUnexpectedEOF, io.ErrClosedPipe, os.ErrClosed, syscall.EPIPE, mcp.ErrConnectionClosed} {
		if errors.Is(err, gone) {
			return true
		}
	}
	return false
}

// userOf is the context key of the user that Run serves.
type userOf struct{}

// Close ends every session. Later requests over HTTP are refused.
func (s *Server) Close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	var all []error
	for session := range s.mcp.Sessions() {
		all = append(all, session.Close())
	}
	return errors.Join(all...)
}
