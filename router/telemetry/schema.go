package telemetry

import (
	_ "embed"
	"slices"
)

//go:embed telemetry.schema.json
var schema []byte

// Schema returns the published JSON Schema (draft 2020-12) of one line. The caller owns the bytes.
func Schema() []byte { return slices.Clone(schema) }
