package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/printable"
	"github.com/slotway/slotway/memory"
)

// The tools beside those of the intents.
const (
	toolSend     = "send_message"
	toolSearch   = "search_memory"
	toolSessions = "list_sessions"
)

// argConversation is the argument of every tool that runs a turn.
const argConversation = "conversation_id"

// refreshed checks whether the agent has changed before each request.
func (s *Server) refreshed(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		s.Refresh()
		return next(ctx, method, req)
	}
}

// Refresh updates the tools to the current agent, and tells clients if any changed. It costs nothing
// while the agent is the same.
func (s *Server) Refresh() {
	agent := s.deps.Agent()
	s.mu.Lock()
	defer s.mu.Unlock()
	if agent.Hash == s.hash {
		return
	}
	s.hash = agent.Hash
	now := map[string][]byte{}
	for name, in := range toolNames(agent) {
		tool := intentTool(agent, name, in)
		text, err := json.Marshal(tool)
		if err != nil {
			continue // a definition holds nothing that JSON does not
		}
		if now[name] = text; !bytes.Equal(text, s.listed[name]) {
			s.mcp.AddTool(tool, s.intentHandler(name))
		}
	}
	var gone []string
	for name := range s.listed {
		if now[name] == nil {
			gone = append(gone, name)
		}
	}
	if len(gone) > 0 {
		s.mcp.RemoveTools(gone...)
	}
	s.listed = now
}

// toolNames names the tool of each task and answer of an agent: its id, with characters replaced that
// MCP does not allow.
func toolNames(agent *config.Agent) map[string]*config.Intent {
	names := map[string]*config.Intent{}
	taken := func(name string) bool {
		return names[name] != nil || slices.Contains([]string{toolSend, toolSearch, toolSessions}, name)
	}
	for _, in := range agent.Intents {
		if in.Internal || in.ID == agent.Classifier.Fallback {
			continue // it answers what nobody understood: nobody means it
		}
		base := invalidInName.ReplaceAllString(in.ID, "_")
		base = base[:min(len(base), maxName)]
		name := base
		for n := 2; taken(name); n++ {
			name = fmt.Sprintf("%s_%d", base, n)
		}
		names[name] = in
	}
	return names
}

// invalidInName matches what a tool's name must not hold (MCP, server/tools, "Tool Names"); maxName
// leaves room for a number within the limit of 128 characters.
var invalidInName = regexp.MustCompile(`[^A-Za-z0-9_.-]`)

const maxName = 120

// intentTool describes an intent as a tool.
func intentTool(agent *config.Agent, name string, in *config.Intent) *mcp.Tool {
	properties := map[string]any{}
	for _, p := range in.AllParams() {
		if userFillable(p) {
			properties[p.Name] = paramSchema(p)
		}
	}
	if properties[argConversation] == nil {
		properties[argConversation] = conversationSchema
	}
	title := strings.ReplaceAll(in.ID, "_", " ")
	if in.Description != "" {
		title = in.Description
	}
	does := effects(agent, in)
	about := title + "."
	if in.AnswerOnly {
		about += " Answers a question."
	} else if len(properties) > 1 {
		about += " What is missing is asked for."
	}
	if does.writes {
		about += " Nothing is changed before the user has said yes."
	}
	return &mcp.Tool{
		Name: name, Title: title, Description: about, Annotations: does.annotations(title),
		InputSchema:  map[string]any{"type": "object", "properties": properties, "additionalProperties": false},
		OutputSchema: answerSchema,
	}
}

var conversationSchema = map[string]any{
	"type": "string", "minLength": 1, "maxLength": printable.MaxID,
	"description": "The conversation to go on with, from an earlier result. Without it a new one begins.",
}

// userFillable reports whether a user's words may fill a param.
func userFillable(p *config.Param) bool {
	return len(p.ParamMapping) == 0 || slices.ContainsFunc(p.ParamMapping, func(s config.Source) bool {
		return s.From == "pattern" || s.From == "entity" || s.From == "text"
	})
}

// effect sums up the effects of a plan's tools.
type effect struct {
	writes bool // changes something
	open   bool // reaches beyond this service
}

// externalKinds are the kinds of tools that reach other systems.
var externalKinds = map[string]bool{"http": true, "mcp": true, "exec": true, "go": true}

func effects(agent *config.Agent, in *config.Intent) effect {
	var e effect
	add := func(name string) {
		if tool := agent.Tools[name]; tool != nil {
			e.writes = e.writes || tool.Effect != config.EffectRead
			e.open = e.open || externalKinds[tool.Kind]
		}
	}
	agent.WalkAll(in, func(step *config.Step) {
		if step.Kind == config.StepCall {
			add(step.Tool)
		}
	})
	for _, p := range in.AllParams() {
		add(p.Validation.Tool)
	}
	return e
}

// annotations follow from the definition. It does not say whether a write only adds, so a write counts
// as destructive; and calling it again with the same params runs it again.
func (e effect) annotations(title string) *mcp.ToolAnnotations {
	return &mcp.ToolAnnotations{
		Title: title, ReadOnlyHint: !e.writes, DestructiveHint: &e.writes, IdempotentHint: !e.writes, OpenWorldHint: &e.open,
	}
}

// ownTools adds the tools that every agent has.
func (s *Server) ownTools() {
	agent := s.deps.Agent()
	yes, no := true, false
	s.mcp.AddTool(&mcp.Tool{
		Name: toolSend, Title: "Send a message",
		Description: "Say something to the agent in the user's own words, and get its reply. Also the way to answer its questions, such as yes or no to a confirmation.",
		InputSchema: map[string]any{"type": "object", "additionalProperties": false, "properties": map[string]any{
			"message":       map[string]any{"type": "string", "minLength": 1, "description": "What the user says."},
			"text":          map[string]any{"type": "string", "minLength": 1, "description": "The same under another name; give one of the two."},
			argConversation: conversationSchema,
			"after_turn": map[string]any{
				"type": "integer", "minimum": 0,
				"description": "The turn of the last reply that the user has seen; 0 for none. If the conversation went on since, the message is not said (error moved_on): a late yes then confirms nothing that the user has not seen.",
			},
			"tags":       tagsSchema("Tags of the message and its reply, by which they are found."),
			"importance": importanceSchema("How much the message should not be forgotten; 2 and more is kept word by word."),
		}, "oneOf": []any{map[string]any{"required": []string{"message"}}, map[string]any{"required": []string{"text"}}}},
		OutputSchema: answerSchema,
		Annotations:  &mcp.ToolAnnotations{Title: "Send a message to " + agent.ID, DestructiveHint: &yes, OpenWorldHint: &yes},
	}, s.sendHandler)
	lookup := func(title string) *mcp.ToolAnnotations {
		return &mcp.ToolAnnotations{Title: title, ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: &no, OpenWorldHint: &no}
	}
	limit := map[string]any{"type": "integer", "minimum": 1, "maximum": maxLimit, "default": defaultLimit}
	if s.deps.Search != nil {
		s.mcp.AddTool(&mcp.Tool{
			Name: toolSearch, Title: "Search memory", Annotations: lookup("Search memory"),
			Description: "Find what the user and the agent have said in earlier conversations, by words and by meaning.",
			InputSchema: map[string]any{"type": "object", "required": []string{"query"}, "additionalProperties": false, "properties": map[string]any{
				"query": map[string]any{"type": "string", "minLength": 1, "maxLength": maxQuery}, "limit": limit,
				"role":           map[string]any{"type": "string", "enum": []string{"user", "agent"}, "description": "Only what this side said."},
				"from":           momentSchema("At or after"),
				"to":             momentSchema("Before"),
				"tags":           tagsSchema("All of which the message has."),
				"min_importance": importanceSchema("At least."),
				"min_similarity": map[string]any{
					"type": "number", "minimum": 0, "maximum": 1,
					"description": "Leaves out what is less similar to the query. Without it weak hits are among the results.",
				},
			}},
			OutputSchema: listSchema("results", foundSchema),
		}, s.searchHandler)
	}
	if s.deps.Sessions != nil {
		s.mcp.AddTool(&mcp.Tool{
			Name: toolSessions, Title: "List conversations", Annotations: lookup("List conversations"),
			Description:  "The user's conversations, the latest first.",
			InputSchema:  map[string]any{"type": "object", "additionalProperties": false, "properties": map[string]any{"limit": limit}},
			OutputSchema: listSchema("sessions", sessionSchema),
		}, s.sessionsHandler)
	}
}

// listSchema is the schema of a result with one list.
func listSchema(name string, of map[string]any) map[string]any {
	return map[string]any{"type": "object", "required": []string{name}, "properties": map[string]any{
		name: map[string]any{"type": "array", "items": map[string]any{"type": "object", "properties": of, "required": slices.Sorted(maps.Keys(of))}},
	}}
}

var foundSchema = map[string]any{
	"conversation_id": map[string]any{"type": "string"}, "role": map[string]any{"type": "string"}, "text": map[string]any{"type": "string"},
	"at": map[string]any{"type": "string", "format": "date-time"}, "score": map[string]any{"type": "number", "description": "larger is better"},
}

var sessionSchema = map[string]any{
	"conversation_id": map[string]any{"type": "string"}, "turns": map[string]any{"type": "integer"},
	"updated_at": map[string]any{"type": "string", "format": "date-time"},
}

func tagsSchema(description string) map[string]any {
	return map[string]any{
		"type": "array", "maxItems": memory.MaxTags, "description": description,
		"items": map[string]any{"type": "string", "minLength": 1, "maxLength": memory.MaxTag},
	}
}

func momentSchema(description string) map[string]any {
	return map[string]any{"type": "string", "description": description + ": a day as 2006-01-02, or a time as 2006-01-02T15:04:05Z."}
}

func importanceSchema(description string) map[string]any {
	return map[string]any{"type": "integer", "minimum": 0, "maximum": memory.MaxImportance, "description": description}
}
