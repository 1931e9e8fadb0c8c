package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/expr"
	"github.com/slotway/slotway/config/naming"
	"github.com/slotway/slotway/config/source"
)

// maxRunDepth is how many sub-tasks may be under way within one another.
const maxRunDepth = 5

// saves reads the `save` of a run step: paths in the sub-task, by the names that they fill.
func (b *builder) saves(n *source.Node) map[string][]string {
	if n == nil {
		return nil
	}
	if n.Kind() != source.KindMap {
		b.problems.Add(n, "does not say what is saved of the sub-task", "write a name here and a path in the sub-task: save: {customer_id: customer.id}")
		return nil
	}
	b.checkKeys(n, naming.IsName)
	out := make(map[string][]string, len(n.Entries()))
	for _, e := range n.Entries() {
		text := b.words(e.Value)
		path, ok := expr.ParsePath(text)
		switch {
		case ok:
			out[e.Key] = path
		case strings.HasPrefix(text, "$"):
			b.problems.Add(e.Value, fmt.Sprintf("%q is a reference, and save takes a path in the sub-task", text), "write "+strings.TrimLeft(text, "$"))
		default:
			b.problems.Add(e.Value, fmt.Sprintf("%q is no path", text), "write a param or a saved name of the sub-task, such as customer.id")
		}
	}
	return out
}

// checkRun checks a run step: its sub-task, and what goes in and comes out.
func (b *builder) checkRun(in *Intent, step *Step, n *source.Node, s *scope) {
	for name, a := range step.With {
		b.needArg(n.Get("with").Get(name), a, s)
	}
	b.checkOnError(in, step, n, s)
	if step.Run == "" {
		return
	}
	sub, at := b.agent.Intent(step.Run), n.Get("run")
	switch {
	case sub == nil:
		b.unknown(at, "intent", step.Run, b.taskIDs())
		return
	case sub.System || sub.NotServed || sub.AnswerOnly:
		b.problems.Add(at, fmt.Sprintf("%q is no task, so it cannot be a part of one", step.Run), "name a task, or say its response with respond")
		return
	}
	if b.checkRunCycle(in, sub, at) {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(step.With)) {
		b.checkRunWith(in, sub, name, step.With[name], n.Get("with").Get(name))
	}
	fills := runFills(sub)
	for _, name := range slices.Sorted(maps.Keys(step.Saves)) {
		b.checkRunSave(in, sub, name, step.Saves[name], n.Get("save").Get(name), fills)
	}
}

// checkRunWith checks one value that a run step gives to its sub-task.
func (b *builder) checkRunWith(in, sub *Intent, name string, a expr.Arg, at *source.Node) {
	p := sub.Param(name)
	if p == nil {
		b.unknown(at, fmt.Sprintf("param of intent %q:", sub.ID), name, paramNames(sub))
		return
	}
	if p.Scope == ScopeSession {
		b.problems.Add(at, fmt.Sprintf("param %q belongs to the session, so the sub-task knows it already", name), "remove it here, or give the param scope: plan")
		return
	}
	switch from := b.runSource(in, a); {
	case from != nil && (from.Type != p.Type || from.List != p.List):
		b.problems.Add(at, fmt.Sprintf("param %q has type %s, and param %q of %s has type %s", from.Name, typeLabel(from), name, sub.ID, typeLabel(p)), "give both one type, or pass another value")
	case len(a.Names()) == 0 && a.Literal != nil && !p.List:
		if why := misfit(p, a.Literal); why != "" {
			b.problems.Add(at, fmt.Sprintf("is no value of param %q of %s: %s", name, sub.ID, why), "write a value that the type allows")
		}
	}
	for _, from := range a.Names() {
		b.lintUnmasked(from, name, at)
	}
}

// runSource returns the param that an argument hands on whole, nil if it is none.
func (b *builder) runSource(in *Intent, a expr.Arg) *Param {
	if len(a.Ref) != 1 {
		return nil
	}
	return in.Param(a.Ref[0])
}

// checkRunSave checks one value that a run step takes from its sub-task.
func (b *builder) checkRunSave(in, sub *Intent, name string, path []string, at *source.Node, fills []string) {
	if path[0] == RunDone && sub.Param(RunDone) == nil {
		if len(path) > 1 {
			b.problems.Add(at, "done is true or false", "write "+RunDone)
		}
		return
	}
	if !slices.Contains(fills, path[0]) {
		b.problems.Add(at, fmt.Sprintf("nothing in intent %q fills %q", sub.ID, path[0]), naming.Suggest(path[0], append(fills, RunDone)))
		return
	}
	from, to := sub.Param(path[0]), in.Param(name)
	if from != nil && len(path) > 1 && !from.List {
		b.problems.Add(at, fmt.Sprintf("param %q of %s is one value", path[0], sub.ID), "write "+path[0])
	}
	if from != nil && to != nil && len(path) == 1 && (from.Type != to.Type || from.List != to.List) {
		b.problems.Add(at, fmt.Sprintf("param %q has type %s, and param %q of %s has type %s", name, typeLabel(to), path[0], sub.ID, typeLabel(from)), "give both one type, or save it under another name")
	}
	b.lintUnmasked(path[0], name, at)
}

// lintUnmasked finds a redacted value that goes on under a name that is not redacted.
func (b *builder) lintUnmasked(from, to string, at *source.Node) {
	redacted := b.wordList(b.root.Get("redaction").Get("params"))
	if slices.Contains(redacted, from) && !slices.Contains(redacted, to) {
		b.problems.Warn(source.Unmasked, at, fmt.Sprintf("param %q is redacted, and %q, which gets its value, is not", from, to), fmt.Sprintf("add %s to redaction.params", to))
	}
}

// runFills returns the names that have a value in a task: its params, and what its steps write.
func runFills(in *Intent) []string {
	names := paramNames(in)
	Walk(in.Plan, func(s *Step) { names = append(names, s.Writes...) })
	slices.Sort(names)
	return slices.Compact(names)
}

// checkRunCycle reports a run step that leads back to its own task, or too deep.
func (b *builder) checkRunCycle(in, sub *Intent, at *source.Node) bool {
	path := b.longestRun(sub, []string{in.ID})
	if i := slices.Index(path, path[len(path)-1]); i < len(path)-1 {
		if i > 0 {
			return false // the cycle is further down, and reported there
		}
		b.problems.Add(at, "the task runs itself: "+strings.Join(path, " > "), "remove one of these run steps")
		return true
	}
	if len(path) > maxRunDepth+1 {
		b.problems.Add(at, fmt.Sprintf("is %d sub-tasks deep: %s; at most %d are allowed", len(path)-1, strings.Join(path, " > "), maxRunDepth), "put some of the plans together")
		return true
	}
	return false
}

// longestRun returns the longest path of run steps from an intent on, or one that ends with an
// intent which it has already.
func (b *builder) longestRun(in *Intent, path []string) []string {
	again := slices.Contains(path, in.ID)
	path = append(slices.Clone(path), in.ID)
	if again {
		return path
	}
	longest := path
	var cycle []string
	Walk(in.Plan, func(s *Step) {
		next := b.agent.Intent(s.Run)
		if s.Kind != StepRun || next == nil || cycle != nil {
			return
		}
		found := b.longestRun(next, path)
		if slices.Index(found, found[len(found)-1]) < len(found)-1 {
			cycle = found
		} else if len(found) > len(longest) {
			longest = found
		}
	})
	if cycle != nil {
		return cycle
	}
	return longest
}

// lintInternal finds internal tasks that nothing runs, those with examples, and params of theirs
// that nothing fills.
func (b *builder) lintInternal() {
	given := map[string]map[string]bool{} // by sub-task: the params that some run step gives
	for _, in := range slices.Concat(b.agent.Intents, b.agent.System) {
		Walk(in.Plan, func(s *Step) {
			if s.Kind != StepRun {
				return
			}
			if given[s.Run] == nil {
				given[s.Run] = map[string]bool{}
			}
			for name := range s.With {
				given[s.Run][name] = true
			}
		})
	}
	for _, in := range b.agent.Intents {
		n := b.intents[in]
		switch {
		case !in.Internal:
			continue
		case in.AnswerOnly:
			b.problems.Add(n.Get("answer_only"), "an answer cannot be internal", "remove answer_only or internal")
		case len(in.Examples) > 0:
			b.problems.Warn(source.RunStep, n, fmt.Sprintf("intent %q is internal, so its examples begin nothing", in.ID), "remove the examples, or internal")
		case given[in.ID] == nil:
			b.problems.Warn(source.RunStep, n, fmt.Sprintf("intent %q is internal, and no run step names it", in.ID), "add run: "+in.ID+" to a plan, or remove the intent")
		}
		b.lintUngiven(in, given[in.ID])
	}
}

// lintUngiven finds optional params of an internal task that no question, run step or tool fills.
func (b *builder) lintUngiven(in *Intent, given map[string]bool) {
	if given == nil {
		return
	}
	filled := maps.Clone(given)
	Walk(in.Plan, func(s *Step) {
		for _, name := range s.Writes {
			filled[name] = true
		}
	})
	for _, p := range in.Optional {
		fromElsewhere := slices.ContainsFunc(p.ParamMapping, func(s Source) bool { return s.From == "tool" || s.From == "context" })
		if !p.Ask && !filled[p.Name] && !fromElsewhere && p.Default == nil && p.Scope != ScopeSession {
			b.problems.Warn(source.RunStep, b.params[p], fmt.Sprintf("no run step gives param %q of internal intent %q, and nothing asks for it", p.Name, in.ID), "add it to with, or add ask: true, or remove it")
		}
	}
}
