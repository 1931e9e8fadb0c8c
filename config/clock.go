package config

import (
	"fmt"
	"maps"
	"slices"

	"github.com/slotway/slotway/config/expr"
	"github.com/slotway/slotway/config/naming"
	"github.com/slotway/slotway/config/source"
)

// reads records names that a condition, an argument or a text reads.
func (b *builder) reads(names []string) {
	for _, name := range names {
		b.read[name] = true
	}
}

// clock determines which values of the turn's clock the definition reads.
func (b *builder) clock() {
	own := b.allNames()
	for p := range b.params {
		own[p.Name] = true
	}
	for _, name := range expr.ClockNames {
		if b.read[name] && !own[name] {
			b.agent.Clock = append(b.agent.Clock, name)
		}
	}
}

// isClock reports whether a name stands for a value of the turn's clock.
func (b *builder) isClock(name string) bool { return slices.Contains(b.agent.Clock, name) }

// suggest is naming.Suggest for a name that may be one of the clock's.
func suggest(name string, known []string) string {
	if near := naming.Nearest(name, expr.ClockNames); near != "" && naming.Nearest(name, known) == "" {
		return naming.Suggest(name, expr.ClockNames)
	}
	return naming.Suggest(name, known)
}

// lintHidden finds params and results that hide a name of the clock.
func (b *builder) lintHidden() {
	for _, p := range slices.SortedFunc(maps.Keys(b.params), func(p, q *Param) int { return comparePlaces(b.params[p], b.params[q]) }) {
		if b.params[p].Kind() == source.KindMap { // a declaration, not a reference to one
			b.hides(p.Name, b.params[p])
		}
	}
	for _, s := range slices.SortedFunc(maps.Keys(b.steps), func(s, t *Step) int { return comparePlaces(b.steps[s], b.steps[t]) }) {
		b.hides(s.Save, b.steps[s].Get("save"))
		for name := range s.Set {
			b.hides(name, b.steps[s].Get("set").Get(name))
		}
	}
}

func comparePlaces(n, m *source.Node) int {
	return source.ComparePlaces(n.Pos(), m.Pos())
}

func (b *builder) hides(name string, at *source.Node) {
	if at != nil && slices.Contains(expr.ClockNames, name) {
		b.problems.Warn(source.ClockHidden, at, fmt.Sprintf("%q means this value in the whole agent, no longer that of the clock", name), "give it another name, such as "+name+"_value")
	}
}

// checkClockArguments reports a write that gets a value of the clock: it would be another one in the
// turn that confirms the call, or that repeats it after a crash, so that the yes would not count.
func (b *builder) checkClockArguments(step *Step, n *source.Node) {
	if t := b.agent.Tools[step.Tool]; t == nil || t.Effect != EffectWrite {
		return
	}
	for key, a := range step.With {
		for _, name := range a.Names() {
			if b.isClock(name) {
				b.problems.Fail(source.ClockInWrite, n.Get("with").Get(key), fmt.Sprintf("$%s changes between the question and the write", name),
					fmt.Sprintf("save it before the confirm with a step set: {%s: $%s}, and pass $%s", key, name, key))
			}
		}
	}
}
