package memory

import (
	"encoding/json"
	"time"
)

// Role says who wrote a message.
type Role string

// The roles.
const (
	User   Role = "user"
	Agent  Role = "agent"
	Tool   Role = "tool"
	System Role = "system"
)

// Message is one line of a conversation.
type Message struct {
	Seq        int64             `json:"seq"`  // 1, 2, 3, ... within the session; assigned by Session.Append
	Turn       int64             `json:"turn"` // the turn it belongs to, from 1
	Role       Role              `json:"role"`
	Text       string            `json:"text"`
	Timestamp  time.Time         `json:"timestamp"` // of the turn's clock, UTC, microseconds
	Metadata   map[string]string `json:"metadata,omitempty"`
	ToolCalls  []ToolCall        `json:"tool_calls,omitempty"`   // of an agent message
	ToolCallID string            `json:"tool_call_id,omitempty"` // of a tool message: the call it answers
	Name       string            `json:"name,omitempty"`         // of a tool message: the tool
	Tokens     int               `json:"tokens,omitempty"`
	Importance int               `json:"importance,omitempty"` // 0..3
	Retracted  bool              `json:"retracted,omitempty"`  // of a turn that was undone: kept, but inactive
}

// SummaryKey is the key of a tool message's Metadata that holds a summary of its result in one
// short line, with redacted values masked. Text is the result itself.
const SummaryKey = "summary"

// damagedKey is the key of a message's Metadata that marks a row that could not be read.
const damagedKey = "damaged"

// DamagedMessage is the placeholder of a message whose row is damaged or missing: it has the
// number and nothing else. It is retracted, so that readers skip it.
func DamagedMessage(seq int64) Message {
	return Message{
		Seq: seq, Role: System, Timestamp: time.Unix(0, 0).UTC(), Retracted: true, Metadata: map[string]string{damagedKey: "true"},
	}
}

// Damaged reports whether the message is a placeholder of one that could not be read.
func (m *Message) Damaged() bool { return m.Retracted && m.Metadata[damagedKey] != "" }

// ToolCall is a call as the conversation records it.
type ToolCall struct {
	ID   string          `json:"id"`
	Tool string          `json:"tool"`
	Args json.RawMessage `json:"args,omitempty"`
}
