package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/source"
)

// check reports references to things that do not exist.
func (b *builder) check() {
	for _, in := range slices.Concat(b.agent.Intents, b.agent.System) {
		n := b.intents[in]
		if n == nil {
			continue // a built-in intent without changes
		}
		if len(in.Plan) == 0 && !in.System {
			b.problems.Add(n, "has no plan", "add plan: with at least a respond step")
		}
		if in.System && len(in.Plan) == 0 && n.Has("plan") {
			b.problems.Add(n.Get("plan"), "is empty", "add a step or remove plan")
		}
		s := b.scopeOf(in)
		b.checkParams(in, s)
		b.checkSteps(in, in.Plan, s)
		b.checkConfirms(in)
	}
	for _, e := range b.root.Get("params").Entries() {
		if p := b.agent.Params[e.Key]; p != nil {
			b.checkParam(nil, p, &scope{names: b.allNames()})
		}
	}
	b.checkObjects()
	b.checkGiven()
	b.checkSummaries()
	b.checkNotServed()
	b.checkSystemResponses()
}

// scope is the set of names that may have a value at a point of a plan.
type scope struct {
	names    map[string]bool
	known    known
	standIns map[string]bool // names of known whose value is an example: a service may return more
}

func (s *scope) sorted() []string { return slices.Sorted(maps.Keys(s.names)) }

func (s *scope) with(more ...string) *scope {
	out := &scope{names: maps.Clone(s.names), known: s.known, standIns: s.standIns}
	for _, name := range more {
		out.names[name] = true
	}
	return out
}

// scopeOf starts with the intent's params and the session-scoped params, which an earlier task may
// have filled.
func (b *builder) scopeOf(in *Intent) *scope {
	s := &scope{names: map[string]bool{}, known: knownParams(slices.Collect(maps.Values(b.agent.Params))), standIns: map[string]bool{}}
	for _, p := range in.AllParams() {
		s.names[p.Name] = true
	}
	maps.Copy(s.known, knownParams(in.AllParams()))
	for name, p := range b.agent.Params {
		if p.Scope == ScopeSession {
			s.names[name] = true
		}
	}
	b.forgive(in, s)
	return s
}

// forgive adds the names that are missing only because of a reported problem, so that one
// misspelling is not reported at every use.
func (b *builder) forgive(in *Intent, s *scope) {
	n := b.intents[in]
	if b.broken(n.Get("params")) {
		for name := range b.agent.Params {
			s.names[name] = true
		}
	}
	for _, item := range n.Get("plan").Items() {
		if save := item.Get("save").Text(); save != "" && b.broken(item) {
			s.names[save] = true
		}
	}
}

// broken reports whether an error was found at a node or below it.
func (b *builder) broken(n *source.Node) bool {
	path := n.Path()
	return path != "" && slices.ContainsFunc(b.problems, func(p source.Problem) bool {
		rest, ok := strings.CutPrefix(p.Path, path)
		return ok && p.Severity != source.SeverityWarning && (rest == "" || rest[0] == '.' || rest[0] == '[')
	})
}

// allNames returns the names that anything in the agent fills.
func (b *builder) allNames() map[string]bool {
	names := map[string]bool{}
	for name := range b.agent.Params {
		names[name] = true
	}
	for _, in := range slices.Concat(b.agent.Intents, b.agent.System) {
		Walk(in.Plan, func(s *Step) {
			for _, name := range s.Writes {
				names[name] = true
			}
		})
	}
	return names
}

// need reports the names that nothing in scope fills.
func (b *builder) need(n *source.Node, names []string, s *scope, form string) {
	for _, name := range names {
		if !s.names[name] && !b.isClock(name) {
			b.problems.Fail(source.NothingFills, n, fmt.Sprintf("nothing fills "+form, name), suggest(name, s.sorted()))
		}
	}
}

func (b *builder) checkParams(in *Intent, s *scope) {
	saved := s.with()
	Walk(in.Plan, func(step *Step) {
		for _, name := range step.Writes {
			saved.names[name] = true
		}
	})
	for _, p := range in.AllParams() {
		if b.params[p].Kind() == source.KindMap {
			b.checkParam(in, p, saved)
		}
	}
}

// checkParam checks the declaration of a param. Its texts and conditions may use all names that the
// plans fill, since the question may come late.
func (b *builder) checkParam(in *Intent, p *Param, s *scope) {
	n := b.params[p]
	b.needText(n.Get("prompt"), p.Prompt, s)
	b.needText(n.Get("help"), p.Help, s)
	b.need(n.Get("when"), p.When.Names(), s, "%q")
	for i, t := range p.Reprompt {
		at := n.Get("reprompt")
		if i < len(at.Items()) {
			at = at.Items()[i]
		}
		if at != nil {
			b.needText(at, t, s)
		}
	}
	if v := n.Get("validation"); v != nil {
		b.needText(v.Get("invalid"), p.Validation.Invalid, s)
		b.need(v.Get("expr"), p.Validation.Expr.Names(), s.with("value"), "%q")
		for key, a := range p.Validation.With {
			b.needArg(v.Get("with").Get(key), a, s.with("value"))
		}
		b.checkValidationTool(v.Get("tool"), p.Validation.Tool)
	}
	for _, item := range n.Get("interruptions").Items() {
		if id := item.Text(); id != "" && b.agent.Intent(id) == nil {
			b.unknown(item, "intent", id, b.intentIDs())
		}
	}
	for i, source := range p.ParamMapping {
		items := n.Get("param_mapping").Items()
		if source.From == "tool" && source.Key != "" && i < len(items) {
			name, _, _ := strings.Cut(source.Key, ".")
			b.need(items[i].Get("key"), []string{name}, (&scope{names: b.allNames()}).with("result"), "%q")
		}
	}
}

func (b *builder) checkValidationTool(n *source.Node, name string) {
	if name == "" {
		return
	}
	t := b.agent.Tools[name]
	if t == nil {
		b.unknown(n, "tool", name, slices.Sorted(maps.Keys(b.agent.Tools)))
		return
	}
	if t.Effect == EffectWrite {
		b.problems.Add(n, fmt.Sprintf("tool %q changes the world, and a validation may be repeated at will", name), "name a tool with effect: read")
	}
}
