package replay

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/expr"
	"github.com/slotway/slotway/config/pattern"
)

// sampleOf makes up a result of a tool: the fields that the agent uses of it, each with the value
// that a condition compares it with, else with a text to replace.
func sampleOf(a *config.Agent, tool string) any {
	s := &sampler{agent: a}
	for _, in := range slices.Concat(a.Intents, a.System) {
		names := map[string]bool{}
		config.Walk(in.Plan, func(step *config.Step) {
			if step.Tool == tool && step.Kind == config.StepCall {
				names[cmp.Or(step.Save, lastResult)] = true
			}
		})
		config.Walk(in.Plan, func(step *config.Step) { s.step(step, names) })
	}
	if t := a.Tools[tool]; t != nil {
		for _, path := range t.Summary {
			s.add(strings.Split(path, "."), nil)
		}
	}
	if v := s.root.value(); v != nil {
		return v
	}
	return map[string]any{}
}

// lastResult is the name of the result of the newest call.
const lastResult = "result"

// sampler collects the paths of a result.
type sampler struct {
	agent *config.Agent
	root  field
}

// field is a place in a result.
type field struct {
	fields map[string]*field
	list   *field // the element of a list
	known  any    // the value that a condition names; nil: none
}

// add adds a path; known is the value there, nil if nothing tells.
func (s *sampler) add(path []string, known any) {
	at := &s.root
	for _, part := range path {
		if _, err := strconv.Atoi(part); err == nil {
			if at.list == nil {
				at.list = &field{}
			}
			at = at.list
			continue
		}
		if at.fields == nil {
			at.fields = map[string]*field{}
		}
		if at.fields[part] == nil {
			at.fields[part] = &field{}
		}
		at = at.fields[part]
	}
	if at.known == nil {
		at.known = known
	}
}

// value returns the made-up value of a place.
func (f *field) value() any {
	switch {
	case f.list != nil:
		return []any{f.list.value()}
	case len(f.fields) > 0:
		out := map[string]any{}
		for name, inner := range f.fields {
			out[name] = inner.value()
		}
		return out
	}
	return f.known
}

// step adds what a step uses of the results under names.
func (s *sampler) step(step *config.Step, names map[string]bool) {
	use := func(paths [][]string) {
		for _, p := range paths {
			if names[p[0]] {
				s.add(p[1:], "...")
			}
		}
	}
	s.condition(step.When, names)
	use(step.Text.Paths())
	for _, id := range s.says(step) {
		for _, v := range s.variants(id) {
			use(v)
		}
	}
	for _, args := range []map[string]expr.Arg{step.With, step.Set} {
		for _, arg := range args {
			use(arg.Paths())
		}
	}
	s.choice(step, names)
}

func (s *sampler) says(step *config.Step) []string {
	ids := []string{step.Response, step.Denied}
	for _, o := range step.OnError {
		ids = append(ids, o.Respond)
	}
	return ids
}

func (s *sampler) variants(id string) [][][]string {
	var out [][][]string
	if r := s.agent.Response(id); id != "" && r != nil {
		for _, v := range r.Variants {
			out = append(out, v.Paths())
		}
	}
	return out
}

// choice adds the list that a choose step offers, with the fields of its elements.
func (s *sampler) choice(step *config.Step, names map[string]bool) {
	from := step.From.Ref
	if len(from) == 0 || !names[from[0]] {
		return
	}
	element := append(slices.Clone(from[1:]), "0")
	if step.Value != "" {
		s.add(append(slices.Clone(element), step.Value), "...")
	}
	for _, name := range step.Label.Names() {
		s.add(append(slices.Clone(element), name), "...")
	}
	if step.Value == "" && step.Label == nil {
		s.add(element, "...")
	}
}

// compared finds a path in a condition, and the literal that it must be equal to.
var compared = pattern.Must(`([\pL_][\pL\pN_]*)((?:\??\.[\pL_][\pL\pN_]*)+)(?:\s*==\s*("[^"]*"|'[^']*'|-?\d+(?:\.\d+)?|true|false))?`)

// condition adds the fields that a condition reads.
func (s *sampler) condition(when *expr.Expr, names map[string]bool) {
	if when == nil {
		return
	}
	for _, m := range compared.FindAllStringSubmatch(when.Source, -1) {
		if !names[m[1]] {
			continue
		}
		path := strings.Split(strings.TrimPrefix(strings.ReplaceAll(m[2], "?", ""), "."), ".")
		var known any = "..."
		if m[3] != "" {
			known = literal(m[3])
		}
		s.add(path, known)
	}
}

// literal returns the value of a literal of a condition.
func literal(text string) any {
	if f, err := strconv.ParseFloat(text, 64); err == nil {
		return f
	}
	if b, err := strconv.ParseBool(text); err == nil {
		return b
	}
	return strings.Trim(text, `"'`)
}
