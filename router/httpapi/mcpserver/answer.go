package mcpserver

import (
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router"
)

// The values of Answer.Status.
const (
	statusDone       = "done"
	statusNeedsInput = "needs_input"
	statusHandoff    = "handoff"
	statusError      = "error"
)

// Answer is the structured result of every tool that runs a turn.
type Answer struct {
	Status         string               `json:"status"`
	Reply          string               `json:"reply"`
	ConversationID string               `json:"conversation_id"`
	Turn           int64                `json:"turn"`            // its number in the conversation
	Needs          *Needs               `json:"needs,omitempty"` // of status needs_input
	Params         map[string]any       `json:"params"`
	ToolCalls      []router.ToolReport  `json:"tool_calls"`
	Error          string               `json:"error,omitempty"`   // code of what went wrong
	Options        []planner.Suggestion `json:"options,omitempty"` // what can be said now
	Unheard        []router.Unheard     `json:"unheard,omitempty"` // what else the message held
}

// Needs names the param or the confirmation that an answer waits for.
type Needs struct {
	Param        string         `json:"param,omitempty"`
	Prompt       string         `json:"prompt"`
	Schema       map[string]any `json:"schema,omitempty"` // of the param
	Confirmation bool           `json:"confirmation,omitempty"`
	Tool         string         `json:"tool,omitempty"` // that waits for the confirmation
}

// answerSchema is the JSON Schema of an Answer.
var answerSchema = json.RawMessage(`{
  "type": "object",
  "required": ["status", "reply", "conversation_id", "turn", "params", "tool_calls"],
  "properties": {
    "status": {"type": "string", "enum": ["done", "needs_input", "handoff", "error"], "description": "needs_input: the reply is a question; handoff: people take over; error: the reply says what could not be done"},
    "reply": {"type": "string", "description": "what the agent says"},
    "conversation_id": {"type": "string", "description": "to go on in the same conversation"},
    "turn": {"type": "integer", "minimum": 0, "description": "the number of this reply in the conversation: the after_turn of a message that answers it"},
    "needs": {
      "type": "object",
      "required": ["prompt"],
      "properties": {
        "param": {"type": "string", "description": "the param that is asked for"},
        "prompt": {"type": "string"},
        "schema": {"type": "object", "description": "JSON Schema of the param"},
        "confirmation": {"type": "boolean", "description": "nothing is changed before the user says yes"},
        "tool": {"type": "string", "description": "what the yes is for"}
      }
    },
    "params": {"type": "object", "description": "what is known now"},
    "tool_calls": {
      "type": "array",
      "items": {
        "type": "object",
        "required": ["tool", "status"],
        "properties": {"tool": {"type": "string"}, "status": {"type": "string", "enum": ["ok", "error", "unknown"]}, "error": {"type": ["string", "null"]}}
      }
    },
    "error": {"type": "string"},
    "options": {
      "type": "array",
      "description": "what the user can say now, where there are several things to name",
      "items": {
        "type": "object",
        "required": ["title", "say"],
        "properties": {
          "title": {"type": "string"},
          "say": {"type": "string", "description": "the message that it stands for"},
          "param": {"type": "string", "description": "the param that it is a value of"}
        }
      }
    },
    "unheard": {
      "type": "array",
      "description": "parts of the message that nothing of what was done explains: say them again by themselves, or tell the user",
      "items": {
        "type": "object",
        "required": ["text", "told"],
        "properties": {
          "text": {"type": "string"},
          "told": {"type": "boolean", "description": "the reply says so already"},
          "param": {"type": "string", "description": "the param that it could be a value of"}
        }
      }
    }
  }
}`)

// answer makes the result of a tool of a turn's reply.
func answer(def *config.Agent, reply *router.Reply) *Answer {
	a := &Answer{
		Status: statusDone, Reply: reply.Reply, ConversationID: reply.SessionID, Turn: reply.Turn,
		Params: reply.Params, ToolCalls: reply.ToolCalls, Needs: needs(def, reply),
		Options: reply.Options, Unheard: reply.Unheard,
	}
	if a.Params == nil {
		a.Params = map[string]any{}
	}
	if a.ToolCalls == nil {
		a.ToolCalls = []router.ToolReport{}
	}
	if reply.Error != nil {
		a.Status, a.Error = statusError, *reply.Error
	}
	if a.Needs != nil {
		a.Status = statusNeedsInput
	}
	if reply.Handoff {
		a.Status, a.Needs = statusHandoff, nil
	}
	if reply.Person != nil && reply.Reply == "" {
		a.Reply = planner.HeldReply(def).Text
	}
	return a
}

// movedOn is the answer to a message that is no longer the newest. It is a result and not an error, so
// that a model reads it.
func movedOn(conversation string, at *router.StaleTurnError) *Answer {
	const reply = "The conversation went on elsewhere, so this was not said and nothing was changed. What was asked before may not be what is asked now: " +
		"tell the user, and send the message again only if the user still means it, with the turn of this answer as after_turn."
	return &Answer{
		Status: statusError, Error: codeMovedOn, Reply: reply, ConversationID: conversation, Turn: at.Newest,
		Params: map[string]any{}, ToolCalls: []router.ToolReport{},
	}
}

// codeMovedOn is Answer.Error of a message that answers to another turn than the newest.
const codeMovedOn = "moved_on"

// needs returns what a reply waits for; nil for nothing that a form could ask.
func needs(def *config.Agent, reply *router.Reply) *Needs {
	switch {
	case reply.Confirming != nil:
		return &Needs{Prompt: reply.Reply, Confirmation: true, Tool: *reply.Confirming}
	case reply.WaitingForParam != nil:
		n := &Needs{Param: *reply.WaitingForParam, Prompt: reply.Reply}
		if p := paramOf(def, reply.Intent, n.Param); p != nil {
			n.Schema = withOptions(paramSchema(p), n.Param, reply.Options)
		}
		return n
	}
	return nil
}

// paramOf returns the param of an intent, or of the agent.
func paramOf(def *config.Agent, intent, name string) *config.Param {
	if in := def.Intent(intent); in != nil {
		if p := in.Param(name); p != nil {
			return p
		}
	}
	return def.Params[name]
}

// result returns the answer as an MCP result: the reply as text, and all of it structured.
func (a *Answer) result() *mcp.CallToolResult {
	return &mcp.CallToolResult{
		Content:           []mcp.Content{&mcp.TextContent{Text: a.Reply}},
		StructuredContent: a, IsError: a.Status == statusError,
	}
}
