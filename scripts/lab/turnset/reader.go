package turnset

import "context"

// Reader understands messages to one agent.
type Reader interface {
	// Read returns the commands that a message holds, in any order. Text of a command may be empty.
	Read(ctx context.Context, state State, message string) (Reading, error)
}

// Reading is what a reader has understood.
type Reading struct {
	Commands []Command
	Why      string // how, for whoever reads wrong turns
}
