package mcptool

import (
	"cmp"
	"context"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/tools"
)

// keyMeta is the key of a write's idempotency key in the request's _meta.
const keyMeta = "slotway/idempotency-key"

// Tool is one tool of a server.
type Tool struct {
	spec   *tools.Spec
	server *Server
}

var _ tools.Tool = (*Tool)(nil)

// New returns the tool of a declaration. The first call shows whether the server has it.
func New(spec *tools.Spec, server *Server) *Tool { return &Tool{spec: spec, server: server} }

// Call connects if necessary and calls the tool. Absent (nil) arguments are not sent.
func (t *Tool) Call(ctx context.Context, call tools.Call) (any, error) {
	args := make(map[string]any, len(call.Args))
	for name, v := range call.Args {
		if v != nil {
			args[name] = v
		}
	}
	params := &mcp.CallToolParams{Name: cmp.Or(t.spec.Remote, t.spec.Name), Arguments: args}
	if t.spec.Effect != config.EffectRead && call.IdempotencyKey != "" {
		params.Meta = mcp.Meta{keyMeta: call.IdempotencyKey}
	}
	number := t.server.stderr.begin(args)
	result, err := t.call(ctx, params)
	t.server.stderr.end(number, contentOf(result))
	if err != nil {
		return nil, err
	}
	if result.IsError {
		return nil, &tools.Error{Code: tools.Failed, Tool: t.spec.Name, Detail: "the server's tool reported an error", Uncertain: true}
	}
	return t.value(result)
}

// call uses the server's session, and once more a new one if the server has lost the session: then
// it did not run the tool.
func (t *Tool) call(ctx context.Context, params *mcp.CallToolParams) (*mcp.CallToolResult, error) {
	for again := true; ; again = false {
		session, err := t.server.connected(ctx)
		if err != nil {
			return nil, t.noConnection(ctx, err)
		}
		result, err := session.CallTool(ctx, params)
		if err == nil {
			return result, nil
		}
		if ctx.Err() == nil && errors.Is(err, mcp.ErrSessionMissing) {
			t.server.drop(session)
			if again {
				continue
			}
			return nil, &tools.Error{Code: tools.Unavailable, Tool: t.spec.Name, Detail: "the server does not keep its session", Retryable: true}
		}
		return nil, t.callError(ctx, session, err)
	}
}

// noConnection returns the error of a call whose server was not reached: nothing was sent.
func (t *Tool) noConnection(ctx context.Context, err error) error {
	var known *tools.Error
	switch {
	case ctx.Err() != nil:
		return &tools.Error{
			Code: tools.Timeout, Tool: t.spec.Name, Detail: "the MCP server was not reached in time",
			Retryable: errors.Is(ctx.Err(), context.DeadlineExceeded), Err: ctx.Err(),
		}
	case errors.As(err, &known):
		e := *known
		e.Tool, e.Uncertain = t.spec.Name, false
		return &e
	}
	return &tools.Error{Code: tools.Unavailable, Tool: t.spec.Name, Detail: "the MCP server cannot be reached", Retryable: true}
}

// callError returns why there is no result. A protocol error of the request itself means that the
// tool did not run; a lost connection leaves a write uncertain.
func (t *Tool) callError(ctx context.Context, session *mcp.ClientSession, err error) error {
	var known *tools.Error
	var refused *jsonrpc.Error
	switch {
	case ctx.Err() != nil:
		return &tools.Error{
			Code: tools.Timeout, Tool: t.spec.Name, Detail: "no answer in time",
			Retryable: errors.Is(ctx.Err(), context.DeadlineExceeded), Uncertain: true, Err: ctx.Err(),
		}
	case errors.As(err, &known): // before the next case: the SDK calls it a JSON-RPC error too
		e := *known
		e.Tool = t.spec.Name
		return &e
	case errors.As(err, &refused):
		code, known := refusals[refused.Code]
		if !known {
			return &tools.Error{Code: tools.Failed, Tool: t.spec.Name, Detail: "the server failed", Uncertain: true}
		}
		return &tools.Error{Code: code, Tool: t.spec.Name, Detail: "the server refused the request"}
	}
	t.server.drop(session)
	return &tools.Error{Code: tools.Unavailable, Tool: t.spec.Name, Detail: "the connection to the MCP server broke", Retryable: true, Uncertain: true}
}

// refusals are JSON-RPC's error codes that mean that the tool did not run
// (https://www.jsonrpc.org/specification, section 5.1).
var refusals = map[int64]tools.Code{
	jsonrpc.CodeParseError:     tools.Failed,
	jsonrpc.CodeInvalidRequest: tools.Failed,
	jsonrpc.CodeMethodNotFound: tools.Unavailable,
	jsonrpc.CodeInvalidParams:  tools.InvalidInput,
}

// contentOf returns everything that a result holds, even that of a tool that failed.
func contentOf(result *mcp.CallToolResult) any {
	if result == nil {
		return nil
	}
	values := []any{result.StructuredContent}
	for _, c := range result.Content {
		text, ok := c.(*mcp.TextContent)
		if !ok {
			continue
		}
		values = append(values, text.Text)
		if v, err := tools.DecodeJSON([]byte(text.Text)); err == nil {
			values = append(values, v)
		}
	}
	return values
}

// value returns the structured content, or the texts.
func (t *Tool) value(result *mcp.CallToolResult) (any, error) {
	if result.StructuredContent != nil {
		return result.StructuredContent, nil
	}
	var texts []any
	for _, c := range result.Content {
		text, ok := c.(*mcp.TextContent)
		if !ok {
			return nil, &tools.Error{Code: tools.BadResult, Tool: t.spec.Name, Detail: "content that is not text", Uncertain: true}
		}
		if v, err := tools.DecodeJSON([]byte(text.Text)); err == nil {
			texts = append(texts, v)
		} else {
			texts = append(texts, text.Text)
		}
	}
	switch len(texts) {
	case 0:
		return nil, nil
	case 1:
		return texts[0], nil
	}
	return texts, nil
}
