package config

import (
	"bytes"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// The schema itself fits the schema of schemas, which nothing checks at a start: see schemaURL.
func TestSchemaIsASchema(t *testing.T) {
	for address, wrong := range map[string]bool{"agent.json": false, "broken.json": true} {
		raw, err := jsonschema.UnmarshalJSON(bytes.NewReader(schemaJSON))
		if err != nil {
			t.Fatal(err)
		}
		root := raw.(map[string]any)
		delete(root, "$id")
		if wrong {
			root["required"] = "id"
		}
		compiler := jsonschema.NewCompiler()
		if err := compiler.AddResource(address, root); err != nil {
			t.Fatal(err)
		}
		if _, err := compiler.Compile(address); (err != nil) != wrong {
			t.Errorf("%s: %v", address, err)
		}
	}
}
