package config

import (
	"fmt"
	"maps"
	"slices"

	"github.com/slotway/slotway/config/naming"
	"github.com/slotway/slotway/config/phrase"
	"github.com/slotway/slotway/config/shapes"
	"github.com/slotway/slotway/config/source"
)

// lintFreeText finds a text param that a write gets as the user said it: without a type, pattern or
// shape, the write could store a question or a refusal.
func (b *builder) lintFreeText() {
	told := map[string]bool{}
	for _, in := range b.agent.Intents {
		writes := b.writtenParams(in)
		for _, p := range in.AllParams() {
			tool := writes[p.Name]
			if tool == "" || told[p.Name] || !p.free() {
				continue
			}
			told[p.Name] = true
			at := b.root.Get("params").Get(p.Name)
			if at == nil {
				at = b.params[p]
			}
			b.problems.Warn(source.FreeText, at, fmt.Sprintf("whatever is said for text param %q goes into the write %q", p.Name, tool), "add shape: "+naming.JoinOr(shapes.Names)+", or a validation")
		}
	}
}

// writtenParams returns the names that an intent's writes get, each with a tool.
func (b *builder) writtenParams(in *Intent) map[string]string {
	writes := map[string]string{}
	Walk(in.Plan, func(s *Step) {
		if t := b.agent.Tools[s.Tool]; t == nil || t.Effect != EffectWrite {
			return
		}
		for _, key := range slices.Sorted(maps.Keys(s.With)) {
			for _, name := range s.With[key].Names() {
				writes[name] = s.Tool
			}
		}
	})
	return writes
}

// free reports whether nothing describes the text.
func (p *Param) free() bool {
	t, v := p.Type, p.Validation
	return t.Builtin == "text" && len(t.Patterns) == 0 && t.Bare == nil && p.Shape == "" && !p.TakesInitial() &&
		v.Tool == "" && v.Expr == nil && v.Pattern == nil && v.MinLength == 0 && v.MaxLength == 0
}

// lintTitles finds tasks that users would be offered by their id.
func (b *builder) lintTitles() {
	tasks := b.agent.Tasks()
	if len(tasks) < 2 {
		return // there is no choice to offer
	}
	for _, in := range tasks {
		if in.Title == "" && in.Description == "" {
			b.problems.Warn(source.NoTitle, b.intents[in], fmt.Sprintf("intent %q has neither title nor description, so users are offered %q", in.ID, in.Called()), `add title: a short verb phrase such as "cancel an order"`)
		}
	}
}

// lintEmpty finds placeholders that may be empty: those of an optional param that is not asked for,
// of a param with a condition, or of one of several alternatives, where no condition tests the param
// or what its own condition reads.
func (b *builder) lintEmpty(in *Intent) {
	w := emptiness{b: b, in: in, told: map[string]bool{}}
	w.walk(in.Plan, maybeEmpty(in))
}

// maybeEmpty returns the params of an intent that may be empty when its plan starts.
func maybeEmpty(in *Intent) map[string]bool {
	maybe := map[string]bool{}
	for _, p := range in.Optional {
		if p.Default == nil && !p.Ask {
			maybe[p.Name] = true
		}
	}
	for _, p := range in.AllParams() {
		if p.When != nil && (p.Default == nil || !slices.Contains(in.Optional, p)) {
			maybe[p.Name] = true
		}
	}
	for _, group := range in.OneOf {
		for _, p := range group {
			always := !slices.ContainsFunc(in.OneOf, func(other []*Param) bool { return !slices.Contains(other, p) })
			if !always && p.Default == nil && !slices.Contains(in.Required, p) {
				maybe[p.Name] = true
			}
		}
	}
	return maybe
}

// emptiness walks a plan with the names that may be empty there.
type emptiness struct {
	b    *builder
	in   *Intent
	told map[string]bool // by place and name
}

func (w *emptiness) walk(steps []*Step, maybe map[string]bool) {
	for _, s := range steps {
		tested := maps.Clone(maybe)
		w.look(s.When.Names(), tested)
		w.step(s, tested)
		w.walk(s.Then, maps.Clone(tested))
		w.walk(s.Else, maps.Clone(tested))
		if ends(s) {
			maps.DeleteFunc(maybe, func(name string, _ bool) bool { return !tested[name] })
		}
		for _, name := range s.Writes {
			delete(maybe, name)
		}
		if s.When == nil {
			w.askedThen(s.Writes, maybe)
		}
	}
}

// askedThen removes the required params that are asked for as soon as a result is there, since their
// condition only tests that: `when: appointment != nil`.
func (w *emptiness) askedThen(results []string, maybe map[string]bool) {
	env := map[string]any{}
	for _, name := range results {
		env[name] = map[string]any{}
	}
	for _, p := range w.in.Required {
		others := slices.ContainsFunc(p.When.Names(), func(name string) bool { return !slices.Contains(results, name) })
		if holds, err := p.When.True(env); p.When != nil && !others && err == nil && holds {
			delete(maybe, p.Name)
		}
	}
}

// look removes the names that a condition tests; one that tests an alternative tests them all.
func (w *emptiness) look(names []string, maybe map[string]bool) {
	for _, name := range names {
		delete(maybe, name)
	}
	for _, p := range w.in.AllParams() {
		if slices.ContainsFunc(p.When.Names(), func(name string) bool { return slices.Contains(names, name) }) {
			delete(maybe, p.Name)
		}
	}
	alternative := func(p *Param) bool { return slices.Contains(names, p.Name) }
	if !slices.ContainsFunc(slices.Concat(w.in.OneOf...), alternative) {
		return
	}
	for _, p := range slices.Concat(w.in.OneOf...) {
		delete(maybe, p.Name)
	}
}

// ends reports whether a plan may end with a step: after it, the condition of that step is known to
// be false.
func ends(s *Step) bool {
	return s.End || slices.ContainsFunc(s.Then, ends) || slices.ContainsFunc(s.Else, ends)
}

func (w *emptiness) step(s *Step, maybe map[string]bool) {
	n := w.b.steps[s]
	switch s.Kind {
	case StepConfirm:
		w.text(s.Text, n.Get("confirm"), maybe)
		w.text(s.Help, n.Get("help"), maybe)
		w.response(s.Denied, n.Get("denied"), maybe)
	case StepRespond, StepGenerate:
		w.response(s.Response, n, maybe)
	case StepCall:
		for _, code := range slices.Sorted(maps.Keys(s.OnError)) {
			w.response(s.OnError[code].Respond, n.Get("on_error").Get(code), maybe)
		}
	}
}

func (w *emptiness) text(t *phrase.Text, at *source.Node, maybe map[string]bool) {
	for _, name := range t.NeededNames() {
		key := at.Path() + " " + name
		if !maybe[name] || w.told[key] {
			continue
		}
		w.told[key] = true
		w.b.problems.Warn(source.MaybeEmpty, at, fmt.Sprintf("param %q may be empty here", name), fmt.Sprintf("put it in brackets with the words that belong to it: [ ... {%s}]", name))
	}
}

// response checks the texts of an agent's own response; built-in ones need no check.
func (w *emptiness) response(id string, step *source.Node, maybe map[string]bool) {
	r := w.b.agent.Responses[id]
	if r == nil {
		return
	}
	at := w.b.root.Get("responses").Get(id)
	for i, v := range r.Variants {
		place := at
		if items := at.Items(); i < len(items) {
			place = items[i]
		}
		for _, name := range v.NeededNames() {
			key := place.Path() + " " + name
			if !maybe[name] || w.told[key] {
				continue
			}
			w.told[key] = true
			w.b.problems.Warn(source.MaybeEmpty, place, fmt.Sprintf("param %q may be empty where %s says it (line %d)", name, step.Path(), step.Pos().Line), fmt.Sprintf("put it in brackets with the words that belong to it: [ ... {%s}]", name))
		}
	}
}
