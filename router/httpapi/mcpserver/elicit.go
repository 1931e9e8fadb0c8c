package mcpserver

import (
	"context"
	"encoding/json"
	"maps"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/slotway/slotway/router"
)

// askInResult is the first protocol version in which a server puts its questions into the result of a
// call, and the client calls again with the answers (SEP-2322). Before it the server asks during the
// call.
const askInResult = "2026-07-28"

// answerKey names the one question of a result; confirmField the field of a yes.
const (
	answerKey    = "answer"
	confirmField = "confirm"
)

// run runs the first turn of a call, or continues after an earlier result that asked, and asks the user
// as long as the client allows it.
func (c *call) run(ctx context.Context, first router.Interaction) (*mcp.CallToolResult, error) {
	again := c.req.Params.RequestState != ""
	if again {
		if err := c.resume(); err != nil {
			return nil, err
		}
	}
	var a *Answer
	var err error
	if again {
		given, _ := c.req.Params.InputResponses[answerKey].(*mcp.ElicitResult)
		in, ok := c.toInteraction(given)
		if !ok {
			return c.unanswered().result(), nil
		}
		a, err = c.turn(ctx, c.answerTo(in))
	} else {
		a, err = c.turn(ctx, first)
	}
	for err == nil && c.mayElicit(a) {
		c.state.Round++
		c.state.ID, c.state.Param, c.state.Confirm = c.nextID(), a.Needs.Param, a.Needs.Confirmation
		c.state.Turn = a.Turn
		question := elicitForm(a.Needs)
		if c.req.ProtocolVersion() >= askInResult {
			return c.result(question)
		}
		given := c.elicit(ctx, question)
		in, ok := c.toInteraction(given)
		if !ok {
			break // nobody answered: the client may, in another call
		}
		a, err = c.turn(ctx, c.answerTo(in))
	}
	if err != nil {
		return nil, err
	}
	return a.result(), nil
}

// mayElicit reports whether to ask the user during the call.
func (c *call) mayElicit(a *Answer) bool {
	if a.Needs == nil || c.state.Round >= c.s.opts.MaxRounds {
		return false
	}
	capable := c.req.ClientCapabilities()
	if capable == nil || capable.Elicitation == nil {
		return false
	}
	// A client that names neither is older than the distinction and has forms.
	return capable.Elicitation.Form != nil || capable.Elicitation.URL == nil
}

// elicit asks during the call; nil if there is no answer.
func (c *call) elicit(ctx context.Context, question *mcp.ElicitParams) *mcp.ElicitResult {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	given, err := c.req.Session.Elicit(ctx, question)
	if err != nil {
		return nil // it hung up, took too long, or sent what its own form does not allow
	}
	return given
}

// result puts a question into the call's result.
func (c *call) result(question *mcp.ElicitParams) (*mcp.CallToolResult, error) {
	text, err := json.Marshal(c.state)
	if err != nil {
		return nil, errUnavailable
	}
	return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{answerKey: question}, RequestState: string(text)}, nil
}

// resume restores the state of an earlier result.
func (c *call) resume() error {
	text := c.req.Params.RequestState
	if len(text) > 2048 || json.Unmarshal([]byte(text), &c.state) != nil || c.state.Conversation == "" || c.state.Round < 1 || c.state.Turn < 1 || c.state.Param == "" && !c.state.Confirm {
		return invalid("requestState is not as it was sent")
	}
	return nil
}

// toInteraction returns what an answer to the last question means. ok is false for a dismissed
// question, which stays open.
func (c *call) toInteraction(given *mcp.ElicitResult) (router.Interaction, bool) {
	if given == nil {
		return router.Interaction{}, false
	}
	intent := ""
	switch {
	case given.Action == "decline" && c.state.Confirm:
		intent = "deny"
	case given.Action == "decline":
		intent = "cancel"
	case given.Action != "accept":
		return router.Interaction{}, false
	case c.state.Confirm:
		yes, ok := given.Content[confirmField].(bool)
		if !ok {
			return router.Interaction{}, false
		}
		if intent = "deny"; yes {
			intent = "affirm"
		}
	default:
		value := given.Content[c.state.Param]
		if value == nil {
			return router.Interaction{}, false
		}
		return router.Interaction{Structured: &router.StructuredInput{Params: map[string]any{c.state.Param: value}}}, true
	}
	return router.Interaction{Structured: &router.StructuredInput{Intent: intent}}, true
}

// answerTo binds an answer to the turn that asked.
func (c *call) answerTo(in router.Interaction) router.Interaction {
	turn := c.state.Turn
	in.AfterTurn = &turn
	return in
}

// unanswered is the result of a call whose question was dismissed.
func (c *call) unanswered() *Answer {
	n := &Needs{Param: c.state.Param, Confirmation: c.state.Confirm, Prompt: "The question is still open."}
	if p := c.s.deps.Agent().Params[c.state.Param]; p != nil {
		n.Schema = paramSchema(p)
	}
	return &Answer{
		Status: statusNeedsInput, Reply: n.Prompt, ConversationID: c.state.Conversation, Turn: c.state.Turn, Needs: n,
		Params: map[string]any{}, ToolCalls: []router.ToolReport{},
	}
}

// elicitForm is a question as a client shows it. Forms are flat and allow fewer schemas than tools.
func elicitForm(n *Needs) *mcp.ElicitParams {
	field, property := n.Param, map[string]any{"type": "string"}
	if n.Confirmation {
		field, property = confirmField, map[string]any{"type": "boolean", "title": "Yes", "description": n.Prompt}
	} else if n.Schema != nil {
		property = formField(n.Schema)
	}
	return &mcp.ElicitParams{Mode: "form", Message: n.Prompt, RequestedSchema: map[string]any{
		"type": "object", "properties": map[string]any{field: property}, "required": []string{field},
	}}
}

// formField is a param's schema for a form. A list is a list only if it has choices, and text
// otherwise; a pattern is left out, because the agent explains better what is wrong.
func formField(schema map[string]any) map[string]any {
	field := maps.Clone(schema)
	delete(field, "pattern")
	if field["type"] != "array" {
		return field
	}
	if items, ok := field["items"].(map[string]any); ok && items["enum"] != nil {
		return field
	}
	return map[string]any{"type": "string", "title": schema["title"], "description": schema["description"]}
}
