package extract

import (
	_ "embed"
	"sync"

	"github.com/slotway/slotway/config/reference"
)

//go:embed types.yaml
var typesYAML []byte

// Reference explains the built-in types.
var Reference = sync.OnceValue(func() *reference.Area {
	texts := reference.MustTexts("classifier/extract/types.yaml", typesYAML)
	a := &reference.Area{
		Name: "types", Title: "Built-in types",
		Intro: "The types that every agent has, for `type` of a param. A type of your own has patterns or values (`slotway explain types.patterns`); " +
			"declared under the name of a built-in type, its patterns narrow that type.\n\n" +
			"The examples are answers to a question for the param, given on Wednesday, 18 November 2026, at 14:30. Most values are found in any other message too. " +
			"English has all of this; docs/howto/languages-values.md says what other languages have.",
	}
	for _, key := range texts.Keys() {
		e := texts.Fill("types", "types.", key)
		e.Type = "built-in type"
		a.Entries = append(a.Entries, e)
	}
	return a
})
