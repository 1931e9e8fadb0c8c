package config

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/expr"
	"github.com/slotway/slotway/config/naming"
	"github.com/slotway/slotway/config/phrase"
	"github.com/slotway/slotway/config/source"
)

// known maps a name to what the file tells about its value at a point of a plan: an example whose
// keys are all the keys it has. A name without an entry may hold anything.
type known map[string]any

// knownParams returns the params; their values have no fields.
func knownParams(params []*Param) known {
	k := known{}
	for _, p := range params {
		if !p.List {
			k[p.Name] = ""
		}
	}
	return k
}

// learn adds what a step writes. A name that is written twice may hold either value.
func (s *scope) learn(b *builder, in *Intent, step *Step) {
	write := func(name string, value any, sure bool) {
		switch {
		case in.Param(name) != nil: // a param stays a param
		case !sure || s.names[name]:
			delete(s.known, name)
		default:
			s.known[name] = value
		}
	}
	switch step.Kind {
	case StepCall:
		if step.Save != "" {
			t := b.agent.Tools[step.Tool]
			value, sure := t.yields()
			write(step.Save, value, sure)
			if sure && t.Kind == "static" {
				s.standIns[step.Save] = true
			}
		}
	case StepRun:
		for name := range step.Saves {
			write(name, nil, false)
		}
	case StepSet:
		for name, a := range step.Set {
			write(name, a.Literal, len(a.Names()) == 0)
		}
	}
}

// yields returns an example of a tool's result if the file tells one.
func (t *Tool) yields() (any, bool) {
	switch {
	case t == nil:
		return nil, false
	case t.Kind == "static":
		return t.Value, t.Value != nil
	case t.Kind == "sql":
		row, ok := selected(t.Query)
		if t.One {
			return row, ok
		}
		return []any{row}, ok
	}
	return nil, false
}

var (
	selectList = regexp.MustCompile(`(?is)^\s*SELECT\s+(?:DISTINCT\s+)?(.*?)\sFROM\s`)
	sqlColumn  = regexp.MustCompile(`(?is)^(?:.*\sAS\s+|(?:\w+\.)*)(\w+)$`)
)

// selected returns the column names of a plain SELECT; ok is false if one of them cannot be told.
func selected(query string) (row map[string]any, ok bool) {
	m := selectList.FindStringSubmatch(withoutQuotes(query))
	if m == nil || strings.ContainsAny(m[1], "()") {
		return nil, false // a function or a subquery: its commas separate no columns
	}
	row = map[string]any{}
	for item := range strings.SplitSeq(m[1], ",") {
		name := sqlColumn.FindStringSubmatch(strings.TrimSpace(item))
		if name == nil {
			return nil, false
		}
		row[name[1]] = nil
	}
	return row, true
}

// needPaths reports paths that do not exist in the values under their names; where names the step,
// for a text that several steps say.
func (b *builder) needPaths(n *source.Node, paths [][]string, s *scope, where string) {
	for _, path := range paths {
		if at, wrong := expr.Astray(s.known, path); wrong {
			before := strings.Join(path[:at], ".")
			inside, _ := expr.Lookup(s.known, path[:at])
			report := b.problems.Add
			if s.standIns[path[0]] {
				report = func(at *source.Node, message, hint string) { b.problems.Warn(source.UnknownPath, at, message, hint) }
			}
			report(n, fmt.Sprintf("%s has no %s%s", before, path[at], where), insideHint(before, path[at], inside))
		}
	}
}

// needPlaceholders reports placeholders in a tool's command or URL whose path does not exist in the
// argument of a call.
func (b *builder) needPlaceholders(step *Step, n *source.Node, s *scope) {
	t := b.agent.Tools[step.Tool]
	if t == nil {
		return
	}
	for _, source := range append([]string{t.URL}, t.Command...) {
		for _, part := range expandedTemplate(source).Parts {
			if len(part.Path) < 2 {
				continue
			}
			if ref := step.With[part.Path[0]].Ref; ref != nil {
				path := append(slices.Clone(ref), part.Path[1:]...)
				b.needPaths(n.Get("with").Get(part.Path[0]), [][]string{path}, s, fmt.Sprintf(", which {%s} of tool %s names", strings.Join(part.Path, "."), t.Name))
			}
		}
	}
}

// checkSummaries reports paths of a tool's summary that do not exist in its result.
func (b *builder) checkSummaries() {
	for _, name := range slices.Sorted(maps.Keys(b.agent.Tools)) {
		t := b.agent.Tools[name]
		value, sure := t.yields()
		items := b.root.Get("tools").Get(name).Get("summary").Items()
		if !sure || len(items) != len(t.Summary) {
			continue
		}
		for i, text := range t.Summary {
			path := append([]string{"result"}, strings.Split(text, ".")...)
			if at, wrong := expr.Astray(map[string]any{"result": value}, path); wrong {
				inside, _ := expr.Lookup(map[string]any{"result": value}, path[:at])
				hint := insideHint(strings.Join(path[1:at], "."), path[at], inside)
				hint = strings.Replace(hint, "write .", "write ", 1) // the result itself has no name
				b.problems.Warn(source.UnknownPath, items[i], fmt.Sprintf("the result of tool %s has no %s", name, strings.Join(path[1:at+1], ".")), hint)
			}
		}
	}
}

func insideHint(before, name string, inside any) string {
	switch v := inside.(type) {
	case map[string]any:
		return naming.Suggest(name, slices.Sorted(maps.Keys(v)))
	case []any:
		return fmt.Sprintf("it is a list; write %s.0.%s", before, name)
	}
	return "it is one value; write " + before
}

// needText and needArg report names and paths of a text or an argument that nothing fills.
func (b *builder) needText(n *source.Node, t *phrase.Text, s *scope) {
	b.need(n, t.Names(), s, "{%s}")
	b.needPaths(n, t.Paths(), s, "")
}

func (b *builder) needArg(n *source.Node, a expr.Arg, s *scope) {
	b.need(n, a.Names(), s, "$%s")
	b.needPaths(n, a.Paths(), s, "")
}
