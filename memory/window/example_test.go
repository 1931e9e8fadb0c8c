package window_test

import (
	"fmt"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/window"
)

func ExampleFit() {
	history := []memory.Message{
		{Turn: 1, Role: memory.User, Text: "hello"},
		{Turn: 1, Role: memory.Agent, Text: "Hello, how can I help?"},
		{Turn: 2, Role: memory.User, Text: "where is O-12345?"},
		{Turn: 2, Role: memory.Agent, Text: "It is on its way."},
	}
	for _, m := range window.Fit(history, window.Limits{MaxTurns: 8, MaxTokens: 25}) {
		fmt.Println(m.Role, m.Text)
	}
	// Output:
	// user where is O-12345?
	// agent It is on its way.
}
