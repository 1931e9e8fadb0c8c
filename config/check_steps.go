package config

import (
	"fmt"
	"maps"
	"slices"

	"github.com/slotway/slotway/config/source"
)

// checkSteps walks a plan in order and adds what each step fills to s. Names filled in one branch
// of a block count after the block: the author may test them for nil.
func (b *builder) checkSteps(in *Intent, steps []*Step, s *scope) {
	for _, step := range steps {
		n := b.steps[step]
		b.need(n.Get("when"), step.When.Names(), s, "%q")
		b.checkStep(in, step, n, s)
		b.checkSteps(in, step.Then, s)
		b.checkSteps(in, step.Else, s)
		if step.Kind == StepWhen {
			step.Reads = stepReads(step) // its inner steps now know what their responses read
		}
		s.learn(b, in, step)
		for _, name := range step.Writes {
			s.names[name] = true
		}
	}
}

func (b *builder) checkStep(in *Intent, step *Step, n *source.Node, s *scope) {
	switch step.Kind {
	case StepAsk:
		b.needParam(in, n.Get("ask"), step.Param)
	case StepCall:
		b.checkCall(in, step, n, s)
	case StepChoose:
		b.needParam(in, n.Get("choose"), step.Param)
		b.needArg(n.Get("from"), step.From, s)
	case StepConfirm:
		b.needText(n.Get("confirm"), step.Text, s)
		b.needText(n.Get("help"), step.Help, s)
		if step.Denied != "" {
			b.needResponse(step.Denied, n.Get("denied"), s)
		}
	case StepRespond:
		b.say(step, step.Response, n.Get("respond"), s)
	case StepGenerate:
		b.needText(n.Get("generate"), step.Text, s)
		b.say(step, step.Response, n.Get("else"), s)
	case StepRun:
		b.checkRun(in, step, n, s)
	case StepSet:
		for name, a := range step.Set {
			b.needArg(n.Get("set").Get(name), a, s)
			b.lintForgotten(in, name, n.Get("set").Get(name))
		}
	}
}

// say checks a response and adds the names in its texts to those that the step reads.
func (b *builder) say(step *Step, id string, at *source.Node, s *scope) {
	if id == "" {
		return
	}
	b.needResponse(id, at, s)
	set := map[string]bool{}
	for _, name := range step.Reads {
		set[name] = true
	}
	if r := b.agent.Response(id); r != nil {
		for _, v := range r.Variants {
			for _, name := range v.Names() {
				set[name] = true
			}
		}
	}
	step.Reads = slices.Sorted(maps.Keys(set))
}

func (b *builder) checkCall(in *Intent, step *Step, n *source.Node, s *scope) {
	if step.Tool != "" && b.agent.Tools[step.Tool] == nil {
		b.unknown(n.Get("call"), "tool", step.Tool, slices.Sorted(maps.Keys(b.agent.Tools)))
	}
	for name, a := range step.With {
		b.needArg(n.Get("with").Get(name), a, s)
	}
	b.lintUnread(step, n)
	b.checkClockArguments(step, n)
	b.needPlaceholders(step, n, s)
	b.checkOnError(in, step, n, s)
}

// lintUnread finds arguments that the query of a tool does not read. Most are keys of the step, indented too far.
func (b *builder) lintUnread(step *Step, n *source.Node) {
	t := b.agent.Tools[step.Tool]
	if t == nil || t.Query == "" {
		return
	}
	read := sqlNames(t.Query)
	for _, e := range n.Get("with").Entries() {
		if !slices.Contains(read, e.Key) {
			b.problems.Warn(source.Unused, e.Value, fmt.Sprintf("the query of tool %q has no :%s", t.Name, e.Key), "remove the argument; a key of the step is indented as with is")
		}
	}
}

// checkOnError checks what a step does about its errors.
func (b *builder) checkOnError(in *Intent, step *Step, n *source.Node, s *scope) {
	for code, o := range step.OnError {
		at := n.Get("on_error").Get(code)
		if o.Respond != "" {
			b.needResponse(o.Respond, at.Get("respond"), s, "error")
		}
		for i, name := range o.Forget {
			if i < len(at.Get("forget").Items()) {
				b.needParam(in, at.Get("forget").Items()[i], name)
			}
		}
	}
}

func (b *builder) needParam(in *Intent, at *source.Node, name string) {
	if name == "" || in.Param(name) != nil {
		return
	}
	var known []string
	for _, p := range in.AllParams() {
		known = append(known, p.Name)
	}
	if b.agent.Params[name] != nil {
		b.problems.Add(at, fmt.Sprintf("param %q is not one of this intent", name), "list it under params: required, one_of or optional")
		return
	}
	b.unknown(at, "param", name, known)
}

// guards lists the confirms that may guard a step: before the step runs, the user has said yes to one
// of them. A nil entry is a path without a confirm. A plan that has ended has an empty set.
type guards []*Step

// checkConfirms sets what each confirm covers, and reports a write that can run without one.
func (b *builder) checkConfirms(in *Intent) {
	b.walkConfirms(in, in.Plan, guards{nil})
}

func (b *builder) walkConfirms(in *Intent, steps []*Step, g guards) guards {
	for _, step := range steps {
		switch step.Kind {
		case StepConfirm:
			if step.When == nil {
				g = guards{step}
			} else {
				g = g.plus(step) // the confirm may be skipped
			}
		case StepCall:
			b.cover(in, step, g)
		case StepWhen:
			then := b.walkConfirms(in, step.Then, slices.Clone(g))
			g = then.plus(b.walkConfirms(in, step.Else, slices.Clone(g))...)
		}
		if step.End && step.When == nil {
			return guards{}
		}
	}
	return g
}

func (g guards) plus(more ...*Step) guards {
	out := slices.Clone(g)
	for _, s := range more {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

func (b *builder) cover(in *Intent, call *Step, g guards) {
	t := b.agent.Tools[call.Tool]
	if t == nil || t.Effect != EffectWrite {
		return
	}
	for _, confirm := range g {
		if confirm != nil {
			confirm.Covers = append(confirm.Covers, call.ID)
		}
	}
	if !b.root.Get("tools").Get(t.Name).Has("effect") {
		return // reported elsewhere, and it may be no write
	}
	if slices.Contains(g, nil) && in.Policy.ConfirmWrites {
		b.problems.Fail(source.Unconfirmed, b.steps[call].Get("call"), fmt.Sprintf("tool %q changes the world and can be reached without a confirm", call.Tool), "add a confirm step before it, without a condition of its own, or set confirm_writes: false")
	}
}
