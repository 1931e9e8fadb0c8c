package config

import (
	"fmt"
	"strings"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config/source"
)

// lintBuiltInNames finds responses of the agent that have the name of a built-in one, or nearly so:
// a plan says the agent's own, and the built-in text stays as it is everywhere else.
func (b *builder) lintBuiltInNames() {
	for _, e := range b.root.Get("responses").Entries() {
		if b.agent.Responses[e.Key] == nil {
			continue // a replacement, or reported
		}
		if systemResponses[e.Key].bare && b.replaced[e.Key] == nil {
			b.problems.Warn(source.BuiltInName, e.Value, fmt.Sprintf("a step says this response, so it does not replace the built-in one of the name %q", e.Key),
				fmt.Sprintf("give it another name, or call it %s%s if the built-in one is meant", systemPrefix, e.Key))
		} else if id, ok := meantBuiltIn(e.Key); ok {
			b.problems.Warn(source.BuiltInName, e.Value, fmt.Sprintf("%q is a response of the agent's own and replaces no built-in one", e.Key), fmt.Sprintf("did you mean %q?", systemPrefix+id))
		}
	}
}

// meantBuiltIn returns the built-in response that a misspelt namespace leads to: sytem.help, system_help.
func meantBuiltIn(key string) (string, bool) {
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
