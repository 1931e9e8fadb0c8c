package phrase

import (
	_ "embed"
	"slices"
	"sync"

	"github.com/slotway/slotway/config/reference"
)

//go:embed reference.yaml
var referenceYAML []byte

// Reference explains what may stand in a text of an agent.
var Reference = sync.OnceValue(func() *reference.Area {
	texts := reference.MustTexts("config/phrase/reference.yaml", referenceYAML)
	a := &reference.Area{
		Name: "templates", Title: "Templates and formats",
		Intro: "What may stand in a text that the agent says: prompts, responses, confirmations. `{name}` is a value, `{name|format}` a value in a format, " +
			"and `[a part]` is left out with its values. Texts that tools send have placeholders of their own (`slotway explain tools.url`).\n\n" +
			"The examples are in English. Texts in another language use its words for dates, lists and money.",
	}
	for _, key := range texts.Keys() {
		e := texts.Fill("templates", "templates.", key)
		if slices.Contains(formats, key) {
			e.Type = "format"
		}
		a.Entries = append(a.Entries, e)
	}
	return a
})
