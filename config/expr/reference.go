package expr

import (
	_ "embed"
	"slices"
	"sync"

	"github.com/slotway/slotway/config/reference"
)

//go:embed reference.yaml
var referenceYAML []byte

// Reference explains what may stand in a condition.
var Reference = sync.OnceValue(func() *reference.Area {
	texts := reference.MustTexts("config/expr/reference.yaml", referenceYAML)
	a := &reference.Area{
		Name: "expressions", Title: "Expressions",
		Intro: "What may stand in a condition: `when` of a step or a param, and `expr` of a validation. A condition is text of at most 2,000 bytes in the language of " +
			"[expr](https://expr-lang.org), without its dates, ranges, `let` and method calls.\n\n" +
			"Every example below is true for `n: 3`, `half: 2.5`, `yes: true`, `name: Ann`, `order: {id: O-1, status: pending, total: 20, tags: [a, b]}`, " +
			"`orders: [{id: O-1, open: true}, {id: O-2}]`, `list: [x, y, z]` and `nobody` without a value.",
	}
	for _, key := range texts.Keys() {
		e := texts.Fill("expressions", "expressions.", key)
		if e.Type == "" {
			e.Type = kindOfKey(key)
		}
		a.Entries = append(a.Entries, e)
	}
	return a
})

// kindOfKey says whether a key of the reference is a function or an operator.
func kindOfKey(key string) string {
	if f, ok := exprFunctions[key]; ok {
		return [...]string{1: "function of one value", 2: "function of two values"}[f.takes]
	}
	if _, ok := clockForms[key]; ok {
		return "value of the turn's clock"
	}
	if slices.Contains(exprPredicates, key) {
		return "function of a list"
	}
	switch key {
	case "literals", "names", "fields", "nil":
		return ""
	}
	return "operator"
}
