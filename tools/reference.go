package tools

import (
	_ "embed"
	"sync"

	"github.com/slotway/slotway/config/reference"
)

//go:embed reference.yaml
var referenceYAML []byte

// Reference explains the codes of errors.
var Reference = sync.OnceValue(func() *reference.Area {
	texts := reference.MustTexts("tools/reference.yaml", referenceYAML)
	a := &reference.Area{
		Name: "errors", Title: "Error codes of tools",
		Intro: "Every failure of a tool has one of these codes. `on_error` of a call matches them, replay files script them with `error`, and telemetry has them. " +
			"A failed call without `on_error` ends the plan with the built-in text `system.tool_failed`.",
	}
	for _, key := range texts.Keys() {
		e := texts.Fill("errors", "errors.", key)
		e.Type = "error code"
		a.Entries = append(a.Entries, e)
	}
	return a
})
