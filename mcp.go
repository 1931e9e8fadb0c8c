package slotway

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/recall"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/httpapi/mcpserver"
	"github.com/slotway/slotway/router/sessions"
)

// ServeMCP serves a user as an MCP server on a pair of streams until ctx or the input ends. Each
// task and answer of the agent is a tool. ServeMCP closes neither stream.
func (r *Runtime) ServeMCP(ctx context.Context, in io.Reader, out io.Writer, user string) error {
	server := r.mcpServer(r.Handle, mcpserver.HTTPOptions{})
	r.mu.Lock()
	r.refresh = append(r.refresh, server.Refresh)
	r.mu.Unlock()
	err := server.Run(ctx, &mcp.IOTransport{Reader: io.NopCloser(in), Writer: keepOpen{out}}, user)
	return errors.Join(err, server.Close())
}

// keepOpen is a stream that survives the session on it.
type keepOpen struct{ io.Writer }

// Close does nothing.
func (keepOpen) Close() error { return nil }

// mcpServer returns the MCP server of the runtime. turn runs turns; nil: the HTTP API that it is
// added to runs them, within its limits.
func (r *Runtime) mcpServer(turn func(context.Context, router.Interaction) (router.Reply, error), http mcpserver.HTTPOptions) *mcpserver.Server {
	deps := mcpserver.Deps{Turn: turn, Agent: r.router.Agent, Sessions: r.mcpSessions}
	if tier, err := memory.TierOf[*recall.Tier](r.tiers); err == nil {
		deps.Search = func(ctx context.Context, asked mcpserver.Search) ([]mcpserver.Found, error) {
			return r.mcpSearch(ctx, tier, asked)
		}
	}
	return mcpserver.New(deps, &mcpserver.Options{HTTP: http, Digests: r.digests})
}

// mcpSearch searches the messages of a user, and masks the redacted values of each session.
func (r *Runtime) mcpSearch(ctx context.Context, tier *recall.Tier, asked mcpserver.Search) ([]mcpserver.Found, error) {
	q := recall.Query{
		Key: memory.Key{UserID: asked.User, AgentID: r.router.Agent().ID}, Text: asked.Query, K: asked.Limit, MinSimilarity: asked.MinSimilarity, Rerank: true,
	}
	recalled, err := tier.Search(ctx, q.Only(asked.Only))
	if err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	masks := sessions.NewMasks(r.store, r.redactor())
	found := make([]mcpserver.Found, 0, len(recalled))
	for _, hit := range recalled {
		mask, err := masks.Of(ctx, hit.Key)
		if err != nil {
			return nil, fmt.Errorf("load a session that was found: %w", err)
		}
		shown := mask.Message(hit.Message)
		if !shown.HasTags(asked.Only.Tags) {
			continue // the match was a tag that is masked
		}
		found = append(found, mcpserver.Found{
			ConversationID: hit.Key.SessionID, Role: string(shown.Role), Text: shown.Text, At: shown.Timestamp, Score: hit.Score,
		})
	}
	return found, nil
}

// mcpSessions lists a user's conversations, and masks what looks like a redacted value in their
// titles.
func (r *Runtime) mcpSessions(ctx context.Context, user string, limit int) ([]mcpserver.Session, error) {
	infos, err := r.store.Sessions(ctx, memory.Query{UserID: user, AgentID: r.router.Agent().ID, Limit: limit})
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	mask := r.redactor()
	list := make([]mcpserver.Session, len(infos))
	for i, info := range infos {
		list[i] = mcpserver.Session{
			ConversationID: info.Key.SessionID, Title: mask.MaskText(info.Title, nil),
			Turns: info.Turns, WaitingForParam: info.Waiting, UpdatedAt: info.UpdatedAt,
		}
	}
	return list, nil
}
