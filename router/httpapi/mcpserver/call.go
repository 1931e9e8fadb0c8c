package mcpserver

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/google/uuid"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/slotway/slotway/config/printable"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/httpapi/access"
)

// keyMeta is the key of a request's idempotency key in its _meta, where tools/mcptool sends it with
// writes.
const keyMeta = "slotway/idempotency-key"

// maxKey bounds an idempotency key, in bytes: the ids of later rounds of a call are longer.
const maxKey = 100

// The scopes that a caller may have.
const (
	scopeChat = "chat"
	scopeRead = "read"
)

// callerOf returns the user of a request, if it has the scope.
func callerOf(ctx context.Context, req *mcp.CallToolRequest, scope string) (userID string, err error) {
	if extra := req.GetExtra(); extra != nil && extra.TokenInfo != nil {
		if scopes := extra.TokenInfo.Scopes; scopes != nil && !slices.Contains(scopes, scope) {
			return "", errForbidden
		}
		return extra.TokenInfo.UserID, nil
	}
	if user, ok := ctx.Value(userOf{}).(string); ok && user != "" {
		return user, nil
	}
	return "", errForbidden
}

// readArgs reads a tool's arguments strictly.
func readArgs(req *mcp.CallToolRequest, into any) error {
	raw := req.Params.Arguments
	if len(raw) == 0 {
		raw = []byte("{}")
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return invalid("the arguments are not what the tool's schema says")
	}
	if _, err := dec.Token(); err != io.EOF {
		return invalid("the arguments are more than one object")
	}
	return nil
}

// call is one request for a tool that runs turns.
type call struct {
	s     *Server
	req   *mcp.CallToolRequest
	user  string
	key   string // idempotency key; "": none
	state state
}

// state is the state of a call between its rounds. The client carries it, and can do no more with it
// than with ordinary messages.
type state struct {
	Conversation string `json:"c"`
	ID           string `json:"i,omitempty"` // of the next interaction; "": a new one
	Round        int    `json:"r,omitempty"`
	Param        string `json:"p,omitempty"` // that was asked for
	Confirm      bool   `json:"y,omitempty"` // a yes was asked for
	Turn         int64  `json:"t,omitempty"` // that asked
}

// open reads what all calls that run turns have in common.
func (s *Server) open(ctx context.Context, req *mcp.CallToolRequest, conversation string) (*call, error) {
	user, err := callerOf(ctx, req, scopeChat)
	if err != nil {
		return nil, err
	}
	c := &call{s: s, req: req, user: user}
	if given, ok := req.Params.Meta[keyMeta]; ok {
		if c.key, ok = given.(string); !ok || printable.CheckID(c.key) != nil || len(c.key) > maxKey {
			return nil, invalid("_meta %s: %v; here at most %d", keyMeta, printable.ErrID, maxKey)
		}
	}
	if c.state.Conversation = conversation; conversation == "" {
		c.state.Conversation = c.newConversation()
	}
	c.state.ID = c.key
	return c, nil
}

// newConversation returns a random id, or one made of the request's key, so that sending the request
// again does not begin a second conversation.
func (c *call) newConversation() string {
	if c.key == "" {
		return uuid.NewString() // version 4, from crypto/rand: it must not be guessed
	}
	return c.s.opts.Digests.UUID("mcp", c.user, c.key, c.req.Params.Name, string(c.req.Params.Arguments))
}

// sendHandler runs send_message.
func (s *Server) sendHandler(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var args struct {
		Message      string   `json:"message"`
		Text         string   `json:"text"`
		Conversation string   `json:"conversation_id"`
		AfterTurn    *int64   `json:"after_turn"`
		Tags         []string `json:"tags"`
		Importance   int      `json:"importance"`
	}
	if err := readArgs(req, &args); err != nil {
		return nil, err
	}
	if (args.Message == "") == (args.Text == "") {
		return nil, invalid("give message, once")
	}
	if after := args.AfterTurn; after != nil && (*after < 0 || *after > 0 && args.Conversation == "") {
		return nil, invalid("after_turn is 0 or more, and above 0 goes with conversation_id")
	}
	if _, err := memory.CheckTags(args.Tags); err != nil {
		return nil, invalid("tags are at most %d texts of 1 to %d characters, without commas", memory.MaxTags, memory.MaxTag)
	}
	if args.Importance < 0 || args.Importance > memory.MaxImportance {
		return nil, invalid("importance is from 0 to %d", memory.MaxImportance)
	}
	c, err := s.open(ctx, req, args.Conversation)
	if err != nil {
		return nil, err
	}
	return c.run(ctx, router.Interaction{Text: cmp.Or(args.Message, args.Text), AfterTurn: args.AfterTurn, Tags: args.Tags, Importance: args.Importance})
}

// intentHandler runs the tool of an intent.
func (s *Server) intentHandler(name string) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		in := toolNames(s.deps.Agent())[name]
		if in == nil {
			return nil, invalid("the agent has no tool %s any more", name)
		}
		params := map[string]any{}
		if err := readArgs(req, &params); err != nil {
			return nil, err
		}
		conversation := ""
		if given, ok := params[argConversation]; ok && in.Param(argConversation) == nil {
			if conversation, ok = given.(string); !ok || conversation == "" {
				return nil, invalid("%s is no text", argConversation)
			}
			delete(params, argConversation)
		}
		c, err := s.open(ctx, req, conversation)
		if err != nil {
			return nil, err
		}
		return c.run(ctx, router.Interaction{Structured: &router.StructuredInput{Intent: in.ID, Params: params}})
	}
}

// turn runs one turn to its end, even if the client disconnects.
func (c *call) turn(ctx context.Context, in router.Interaction) (*Answer, error) {
	in.ID = c.state.ID
	in.Context = router.Context{SessionID: c.state.Conversation, UserID: c.user}
	if extra := c.req.GetExtra(); extra != nil {
		in.Context.TraceParent = extra.Header.Get("Traceparent")
	}
	if c.s.deps.Turn == nil {
		return nil, errUnavailable // neither Deps.Turn nor Routes was used
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.identified(ctx)), turnTimeout)
	defer cancel()
	reply, err := c.s.deps.Turn(ctx, in)
	var moved *router.StaleTurnError
	if errors.As(err, &moved) {
		return movedOn(c.state.Conversation, moved), nil
	}
	if err != nil {
		return nil, explain(err)
	}
	return answer(c.s.deps.Agent(), &reply), nil
}

// identified adds the caller to the context of a turn. The calls of an MCP session do not have the
// context of their requests.
func (c *call) identified(ctx context.Context) context.Context {
	extra := c.req.GetExtra()
	if extra == nil || extra.TokenInfo == nil {
		return ctx
	}
	id := access.Identity{Name: c.user, UserID: c.user, Scopes: access.Scopes}
	if given := extra.TokenInfo.Scopes; given != nil {
		id.Scopes = nil
		for _, scope := range given {
			id.Scopes = append(id.Scopes, access.Scope(scope))
		}
	}
	return access.With(ctx, id)
}

// nextID returns the id of a round's interaction: made of the key, so that the whole call may be sent
// again, or random and carried by the client.
func (c *call) nextID() string {
	if c.key == "" {
		return uuid.NewString()
	}
	return fmt.Sprintf("%s/%d", c.key, c.state.Round)
}
