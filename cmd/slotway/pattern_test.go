package main

import (
	"testing"

	"github.com/slotway/slotway/config/pattern"
)

// Patterns are compiled when they are first used, which may be long after the start.
func TestPatternsCompile(t *testing.T) {
	if err := pattern.Check(); err != nil {
		t.Error(err)
	}
}
