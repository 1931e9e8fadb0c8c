package telemetry

import (
	_ "embed"
	"slices"
)

//go:embed telemetry.schema.json
var schema []byte

// Schema is the JSON Schema (draft 2020-12) of one line, as it is published. The bytes are
// the caller's.
func Schema() []byte { return slices.Clone(schema) }
