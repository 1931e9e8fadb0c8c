package config

import (
	"fmt"
	"maps"
	"regexp"
	"slices"

	"github.com/slotway/slotway/config/source"
)

// Names in a text as an author writes them: {name.field}, and $name. What begins with two dollar signs, or is
// ${NAME} of the environment, is none of them.
var (
	bracedName = regexp.MustCompile(`(?:^|[^${]){(\w+)(?:\.\w+)*}`)
	dollarName = regexp.MustCompile(`(?:^|[^$])\$(\w+)`)
	innerName  = regexp.MustCompile(`[^$]\$(\w+)`) // a whole text $name is filled in
)

// literal says for a key of a tool which names in its texts stand for themselves, and the remedy.
type literal struct {
	key, hint string
	forms     []*regexp.Regexp
}

const wholeName = "only a whole text $name is filled in here; make a text of several values in the tool"

var (
	argLiterals  = []literal{{"with", wholeName, []*regexp.Regexp{bracedName, innerName}}, {"set", wholeName, []*regexp.Regexp{bracedName, innerName}}}
	toolLiterals = []literal{
		{"params", wholeName, []*regexp.Regexp{bracedName, innerName}},
		{"body", wholeName, []*regexp.Regexp{bracedName, innerName}},
		{"headers", "only ${NAME} of the environment is filled in here; send it in params or body", []*regexp.Regexp{bracedName, dollarName}},
		{"env", "only ${NAME} of the environment is filled in here; give it in command", []*regexp.Regexp{bracedName, dollarName}},
		{"query", "write :name", []*regexp.Regexp{bracedName, dollarName}},
		{"url", "write {name}", []*regexp.Regexp{dollarName}},
		{"command", "write {name}", []*regexp.Regexp{dollarName}},
	}
)

// lintLiterals finds texts of calls and tools in which the name of a value stands for itself.
func (b *builder) lintLiterals() {
	names := b.allNames()
	for _, in := range slices.Concat(b.agent.Intents, b.agent.System) {
		Walk(in.Plan, func(s *Step) {
			for _, l := range argLiterals {
				b.lintLiteral(b.steps[s].Get(l.key), names, l)
			}
		})
	}
	for _, args := range b.givenArguments() {
		maps.Copy(names, args)
	}
	for _, e := range b.root.Get("tools").Entries() {
		for _, l := range toolLiterals {
			b.lintLiteral(e.Value.Get(l.key), names, l)
		}
	}
}

// lintLiteral reports the names that the texts below a node have.
func (b *builder) lintLiteral(n *source.Node, names map[string]bool, l literal) {
	for _, e := range n.Entries() {
		b.lintLiteral(e.Value, names, l)
	}
	for _, item := range n.Items() {
		b.lintLiteral(item, names, l)
	}
	for _, form := range l.forms {
		for _, m := range form.FindAllStringSubmatch(n.Text(), -1) {
			if names[m[1]] {
				b.problems.Warn(source.LiteralName, n, fmt.Sprintf("%q is used as it is written, not as a value", m[1]), l.hint)
			}
		}
	}
}
