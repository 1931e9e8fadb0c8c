package config

import (
	"fmt"
	"slices"

	"github.com/slotway/slotway/config/source"
)

// lintForgotten finds a `set` of a declared param that is dropped with its task.
func (b *builder) lintForgotten(in *Intent, name string, n *source.Node) {
	if p := b.agent.Params[name]; p != nil && p.Scope != ScopeSession && in.Param(name) == nil {
		b.problems.Warn(source.Forgotten, n, fmt.Sprintf("param %q is forgotten when this task ends: the intent does not list it, and its scope is plan", name),
			"give the param scope: session, or list it under the intent's optional params")
	}
}

// lintDerived finds a param filled by a tool that no task can fill.
func (b *builder) lintDerived() {
	for name, p := range b.agent.Params {
		if p.Scope == ScopeSession || !slices.ContainsFunc(p.ParamMapping, func(s Source) bool { return s.From == "tool" }) {
			continue
		}
		if !slices.ContainsFunc(b.agent.Intents, func(in *Intent) bool { return in.Param(name) != nil }) {
			b.problems.Warn(source.Unfillable, b.root.Get("params").Get(name).Get("param_mapping"),
				fmt.Sprintf("no tool can fill param %q: no intent lists it, and its scope is plan", name), "give the param scope: session, or list it under an intent's optional params")
		}
	}
}
