package main

import (
	"fmt"

	"github.com/tiktoken-go/tokenizer"

	"github.com/slotway/slotway/memory/prompt"
	"github.com/slotway/slotway/memory/window"
)

// tokenCounter counts tokens as memory.token_counter says: by an estimate, which costs
// nothing, or exactly as a model's own encoding does.
func tokenCounter(name string) (prompt.Counter, error) {
	if name == "" || name == "estimate" {
		return window.Estimate, nil
	}
	codec, err := tokenizer.Get(tokenizer.Encoding(name))
	if err != nil {
		return nil, fmt.Errorf("memory.token_counter is %q: %w", name, err)
	}
	return func(text string) int {
		n, err := codec.Count(text)
		if err != nil {
			return window.Estimate(text)
		}
		return n
	}, nil
}
