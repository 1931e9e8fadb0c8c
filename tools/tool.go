package tools

import (
	"context"

	"github.com/slotway/slotway/config"
)

// Tool does one thing. Call must end soon after its context does.
type Tool interface {
	// Call returns a JSON-normal value (see package config/expr) or an *Error.
	Call(ctx context.Context, call Call) (any, error)
}

// Prompt is a Tool whose Call never outlives its context by more than moments, so that the registry
// needs no goroutine to abandon it. A tool that waits for a network or another process is not.
type Prompt interface {
	Tool
	Prompt() bool
}

// Call is one request to a tool.
type Call struct {
	Tool           string
	Args           map[string]any // JSON-normal; absent params are nil
	IdempotencyKey string         // of a write call; the same for every retry of it
	Caller         Caller         // set by the runtime, never from arguments
}

// Caller identifies the user of a call. It is empty if the user is not known.
type Caller struct{ UserID, AgentID, SessionID string }

// Result is the result of a registry call.
type Result struct {
	Value    any
	Attempts int
}

// Spec is the part of a tool that the registry must know: its declaration.
type Spec = config.Tool
