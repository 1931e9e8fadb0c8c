package config

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/expr"
	"github.com/slotway/slotway/config/naming"
	"github.com/slotway/slotway/config/source"
)

// stepForm lists the keys of a kind of step besides id, when and end.
type stepForm struct {
	kind StepKind
	keys []string
}

// stepForms lists the kinds of step by their key, in the order in which the builder tries them.
var stepForms = []stepForm{
	{StepAsk, nil},
	{StepCall, []string{"with", "save", "on_error"}},
	{StepChoose, []string{"from", "label", "value"}},
	{StepConfirm, []string{"denied", "help"}},
	{StepRespond, nil},
	{StepGenerate, []string{"else"}},
	{StepSet, nil},
	{StepHandoff, nil},
	{StepRun, []string{"with", "save", "on_error"}},
}

func (b *builder) plan(n *source.Node) []*Step {
	var steps []*Step
	for _, item := range n.Items() {
		if s := b.step(item); s != nil {
			steps = append(steps, s)
		}
	}
	return steps
}

func (b *builder) step(n *source.Node) *Step {
	if n.Kind() != source.KindMap {
		return nil
	}
	s := &Step{ID: b.words(n.Get("id")), Pos: n.Pos(), When: b.expr(n.Get("when")), End: b.flag(n.Get("end"), false)}
	form, ok := b.stepForm(n, s)
	if !ok {
		return nil
	}
	s.Kind = form.kind
	b.strayKeys(n, form)
	b.steps[s] = n
	b.stepBody(s, n)
	if s.ID == "" {
		s.ID = derivedID(s, n)
	}
	s.Reads, s.Writes = stepReads(s), stepWrites(s)
	return s
}

// stepForm determines the kind. A condition with `then` or `else` is a block, a condition beside
// another kind is a guard, and `end` alone is a step.
func (b *builder) stepForm(n *source.Node, s *Step) (stepForm, bool) {
	var found []stepForm
	for _, f := range stepForms {
		if n.Has(string(f.kind)) {
			found = append(found, f)
		}
	}
	block := n.Has("then") || n.Get("else").Kind() == source.KindList
	switch {
	case len(found) > 1:
		b.problems.Add(n, fmt.Sprintf("is both %s and %s", found[0].kind, found[1].kind), "make two steps of it")
	case len(found) == 1 && block && n.Has("then"):
		b.problems.Add(n.Get("then"), fmt.Sprintf("then does not go with %s", found[0].kind), "put the step into then, or remove then")
	case len(found) == 1:
		return found[0], true
	case block && !n.Has("when"):
		b.problems.Add(n, "then and else need a condition", "add when: an expression")
	case block:
		return stepForm{StepWhen, []string{"then", "else"}}, true
	case s.End:
		return stepForm{StepEnd, nil}, true
	case !b.strangeKey(n):
		b.problems.Add(n, "says nothing to do", "add one of "+naming.JoinOr(stepKinds())+", or then and else to when")
	}
	return stepForm{}, false
}

// strangeKey reports whether the schema has refused a key of the step, which explains a step
// without a kind.
func (b *builder) strangeKey(n *source.Node) bool {
	known := []string{"id", "when", "end", "then", "else", "with", "save", "on_error", "from", "label", "value", "denied", "help"}
	return slices.ContainsFunc(n.Keys(), func(k string) bool { return !slices.Contains(known, k) })
}

func stepKinds() []string {
	var kinds []string
	for _, f := range stepForms {
		kinds = append(kinds, string(f.kind))
	}
	return kinds
}

// strayKeys reports keys that belong to another kind of step.
func (b *builder) strayKeys(n *source.Node, form stepForm) {
	told := map[string]bool{}
	for _, f := range stepForms {
		for _, key := range f.keys {
			if n.Has(key) && !slices.Contains(form.keys, key) && !told[key] {
				told[key] = true
				b.problems.Add(n.Get(key), fmt.Sprintf("%s does not go with %s", key, form.kind), fmt.Sprintf("it belongs to %s; remove it", f.kind))
			}
		}
	}
}

func (b *builder) stepBody(s *Step, n *source.Node) {
	switch s.Kind {
	case StepAsk:
		s.Param = b.words(n.Get("ask"))
	case StepCall:
		s.Tool, s.With, s.Save = b.words(n.Get("call")), b.args(n.Get("with")), b.words(n.Get("save"))
		if n.Get("save").Kind() == source.KindMap {
			b.problems.Add(n.Get("save"), "is keys with values, not a name", "write save: NAME, the name for the whole result")
		}
		s.OnError = b.onError(n.Get("on_error"))
	case StepChoose:
		s.Param, s.From, s.Label = b.words(n.Get("choose")), b.arg(n.Get("from")), b.text(n.Get("label"))
		s.Value = b.words(n.Get("value"))
		if !n.Has("from") {
			b.problems.Add(n, "lacks the list to choose from", "add from: $name of a saved list")
		}
	case StepConfirm:
		s.Text, s.Denied, s.Help = b.text(n.Get("confirm")), b.words(n.Get("denied")), b.text(n.Get("help"))
	case StepRespond:
		s.Response = b.words(n.Get("respond"))
	case StepGenerate:
		s.Text, s.Response = b.text(n.Get("generate")), b.words(n.Get("else"))
		if s.Response == "" {
			b.problems.Add(n, "lacks an else", "add else: the response that is said without a model server")
		}
	case StepSet:
		s.Set = b.args(n.Get("set"))
		b.checkKeys(n.Get("set"), naming.IsName)
	case StepHandoff:
		s.Queue = b.words(n.Get("handoff"))
	case StepRun:
		s.Run, s.With, s.Saves = b.words(n.Get("run")), b.args(n.Get("with")), b.saves(n.Get("save"))
		s.OnError = b.onError(n.Get("on_error"))
	case StepWhen:
		s.Then, s.Else = b.plan(n.Get("then")), b.plan(n.Get("else"))
	}
}

func (b *builder) onError(n *source.Node) map[string]*OnError {
	if n.Kind() != source.KindMap {
		return nil
	}
	b.checkKeys(n, func(code string) bool { return code == "*" || naming.IsName(code) })
	out := make(map[string]*OnError, len(n.Entries()))
	for _, e := range n.Entries() {
		o := &OnError{Respond: b.words(e.Value.Get("respond")), Forget: b.wordList(e.Value.Get("forget"))}
		o.End = b.flag(e.Value.Get("end"), len(o.Forget) == 0)
		out[e.Key] = o
	}
	return out
}

// derivedID returns kind, target and a digest of the content. Of a block only the condition counts,
// so that a change inside the block does not change its ID.
func derivedID(s *Step, n *source.Node) string {
	content := n.Value()
	if s.Kind == StepWhen {
		content = conditionText(s.When)
	}
	data, err := json.Marshal(content)
	if err != nil {
		data = nil // JSON-normal values always encode
	}
	sum := sha256.Sum256(append([]byte(s.Kind), data...))
	parts := []string{string(s.Kind)}
	if target := s.Tool + s.Param + s.Response + s.Run; target != "" {
		parts = append(parts, target)
	}
	return strings.Join(append(parts, hex.EncodeToString(sum[:4])), ".")
}

func conditionText(e *expr.Expr) string {
	if e == nil {
		return ""
	}
	return e.Source
}

// uniqueSteps numbers steps of equal content from the second on, and reports repeated declared ids.
func uniqueSteps(in *Intent, b *builder) {
	seen := map[string]bool{}
	Walk(in.Plan, func(s *Step) {
		n := b.steps[s]
		if seen[s.ID] && n.Has("id") {
			b.problems.Add(n.Get("id"), fmt.Sprintf("step id %q is there already", s.ID), "rename one of them")
		}
		for base, i := s.ID, 2; seen[s.ID]; i++ {
			s.ID = fmt.Sprintf("%s.%d", base, i)
		}
		seen[s.ID] = true
	})
}

// stepReads returns the names that a step depends on; those of its response are added when the
// responses are known.
func stepReads(s *Step) []string {
	set := map[string]bool{}
	add := func(names []string) {
		for _, name := range names {
			set[name] = true
		}
	}
	add(s.When.Names())
	add(s.Text.Names())
	add(s.From.Names())
	for _, args := range []map[string]expr.Arg{s.With, s.Set} {
		for _, a := range args {
			add(a.Names())
		}
	}
	for _, inner := range slices.Concat(s.Then, s.Else) {
		add(inner.Reads)
	}
	return slices.Sorted(maps.Keys(set))
}

func stepWrites(s *Step) []string {
	set := map[string]bool{}
	for _, name := range []string{s.Save, s.Param} {
		if name != "" {
			set[name] = true
		}
	}
	for name := range s.Set {
		set[name] = true
	}
	for name := range s.Saves {
		set[name] = true
	}
	for _, inner := range slices.Concat(s.Then, s.Else) {
		for _, name := range inner.Writes {
			set[name] = true
		}
	}
	return slices.Sorted(maps.Keys(set))
}
