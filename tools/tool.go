package tools

import (
	"context"

	"github.com/slotway/slotway/config"
)

// Tool does one thing. Call must end soon after its context does.
type Tool interface {
	// Call returns a JSON-normal value (config.Arg's document says which) or an *Error.
	Call(ctx context.Context, call Call) (any, error)
}

// Call is one request to a tool.
type Call struct {
	Tool           string
	Args           map[string]any // JSON-normal; absent params are nil
	IdempotencyKey string         // of a write call; the same for every retry of it
	Caller         Caller         // set by the runtime, never from arguments
}

// Caller says for whom a call is made. It is empty where nobody is known.
type Caller struct{ UserID, AgentID, SessionID string }

// Result is what a registry call gave.
type Result struct {
	Value    any
	Attempts int
}

// Spec is what the registry must know of a tool: its declaration's policy.
type Spec = config.Tool
