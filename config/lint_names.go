package config

import (
	"fmt"
	"strings"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config/source"
)

// lintBuiltInNames finds responses of the agent that were meant to replace a built-in one: they have its name
// with a misspelt namespace, or without one though no step says them.
func (b *builder) lintBuiltInNames() {
	said := b.saidResponses()
	for _, e := range b.root.Get("responses").Entries() {
		if b.agent.Responses[e.Key] == nil {
			continue // a replacement, or reported
		}
		if id, ok := meantBuiltIn(e.Key); ok && (id != e.Key || !said[id]) {
			b.problems.Warn(source.BuiltInName, e.Value, fmt.Sprintf("%q is a response of the agent's own and replaces no built-in one", e.Key), fmt.Sprintf("did you mean %q?", systemPrefix+id))
		}
	}
}

// meantBuiltIn returns the built-in response that a name without the namespace, or with a misspelt one, leads to:
// help, sytem.help, system_help.
func meantBuiltIn(key string) (string, bool) {
	if _, known := systemResponses[key]; known {
		return key, true
	}
	i := strings.IndexAny(key, "._-:/")
	if i < 0 || strings.HasPrefix(key, systemPrefix) {
		return "", false
	}
	id := key[i+1:]
	_, known := systemResponses[id]
	return id, known && message.Distance(strings.ToLower(key[:i]), "system", 3) < 3
}

// lintGoTools names tools that only a program which embeds Slotway has functions for.
func (b *builder) lintGoTools() {
	for _, e := range b.root.Get("tools").Entries() {
		if t := b.agent.Tools[e.Key]; t != nil && t.Kind == "go" {
			b.problems.Note(source.GoTool, e.Value, fmt.Sprintf("tool %q is a Go function, which the slotway command does not have", e.Key),
				"run the agent in the program that registers it, or give the tool another kind to try it here")
		}
	}
}
