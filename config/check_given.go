package config

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/expr"
	"github.com/slotway/slotway/config/naming"
	"github.com/slotway/slotway/config/source"
)

// checkGiven reports placeholders of a tool's templates that no call gives: they would be empty in
// every request. It skips tools that nothing calls, and those from an OpenAPI document.
func (b *builder) checkGiven() {
	given := b.givenArguments()
	for _, name := range slices.Sorted(maps.Keys(b.agent.Tools)) {
		t, n := b.agent.Tools[name], b.root.Get("tools").Get(name)
		args := given[name]
		if args == nil || t.OpenAPI != "" || b.broken(n) {
			continue
		}
		if properties, ok := t.Input["properties"].(map[string]any); ok {
			for property := range properties {
				args[property] = true
			}
		}
		s := &scope{names: args}
		for i, source := range t.Command {
			if items := n.Get("command").Items(); i < len(items) {
				braces := "write {{%s}} for the braces themselves"
				if strings.Contains(source, "$${") {
					braces = "write $${{%s}} for a ${ and its braces themselves"
				}
				b.needGiven(items[i], expandedTemplate(source).Names(), s, "{%s}", braces)
			}
		}
		b.needGiven(n.Get("url"), expandedTemplate(t.URL).Names(), s, "{%s}", "")
		b.needGiven(n.Get("query"), sqlNames(t.Query), s, ":%s", "")
		for key, a := range t.Params {
			b.needGiven(n.Get("params").Get(key), a.Names(), s, "$%s", "")
		}
		b.needGiven(n.Get("body"), expr.Arg{Literal: t.Body}.Names(), s, "$%s", "")
	}
}

func (b *builder) needGiven(n *source.Node, names []string, s *scope, form, or string) {
	if n == nil {
		return
	}
	for _, name := range names {
		if s.names[name] {
			continue
		}
		hint := naming.Suggest(name, s.sorted())
		if or != "" {
			hint += "; " + fmt.Sprintf(or, name)
		}
		b.problems.Add(n, fmt.Sprintf("no call of the tool gives "+form, name), hint)
	}
}

// givenArguments returns the names of the arguments of every tool that a plan calls.
func (b *builder) givenArguments() map[string]map[string]bool {
	given := map[string]map[string]bool{}
	add := func(tool string, with map[string]expr.Arg) {
		if given[tool] == nil {
			given[tool] = map[string]bool{}
		}
		for name := range with {
			given[tool][name] = true
		}
	}
	validates := func(p *Param) {
		switch v := p.Validation; {
		case v.Tool == "":
		case v.With == nil:
			add(v.Tool, map[string]expr.Arg{p.Name: {}})
		default:
			add(v.Tool, v.With)
		}
	}
	for _, p := range b.agent.Params {
		validates(p)
	}
	for _, in := range slices.Concat(b.agent.Intents, b.agent.System, b.agent.Elements) {
		for _, p := range in.AllParams() {
			validates(p)
		}
		Walk(in.Plan, func(s *Step) {
			if s.Kind == StepCall {
				add(s.Tool, s.With)
			}
		})
	}
	return given
}

// expandedTemplate parses a template with an x for each variable. A template that cannot be
// expanded is reported elsewhere, and is empty here.
func expandedTemplate(text string) *expr.Template {
	expanded, err := source.Expand(text, func(string) (string, bool) { return "x", true })
	if err != nil {
		expanded = ""
	}
	return expr.ParseTemplate(expanded)
}

var (
	sqlComments = regexp.MustCompile(`(?s)--[^\n]*|/\*.*?\*/`)
	sqlName     = regexp.MustCompile(`(?:^|[^:\w]):([A-Za-z_]\w*)`)
)

// sqlNames returns the names of a query's placeholders, outside of quotes and comments.
func sqlNames(query string) []string {
	var names []string
	for _, m := range sqlName.FindAllStringSubmatch(sqlComments.ReplaceAllString(withoutQuotes(query), " "), -1) {
		if !slices.Contains(names, m[1]) {
			names = append(names, m[1])
		}
	}
	return names
}
