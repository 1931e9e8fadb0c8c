package main

import (
	"slices"
	"testing"

	"github.com/slotway/slotway/internal/test/runtimetest"
)

// onEveryStore runs a test over a shell with an agent on each store that outlives a command.
func onEveryStore(t *testing.T, agent string, do func(s *shell)) {
	runtimetest.EveryStore(t, func(t *testing.T, set ...string) {
		if slices.Contains(set, "memory.storage=inmem") {
			t.Skip("nothing outlives a command")
		}
		s := newShell(t)
		s.write("agent.yaml", agent)
		s.set = set
		do(s)
	})
}
