package openapi

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// Kinds of value of a JSON Schema keyword. Keywords that are not listed are dropped: OpenAPI's own
// (example, xml, discriminator, ...), and those that lead out of the schema.
const (
	holdsValue = iota
	holdsSchema
	holdsSchemas   // a list
	holdsSchemaMap // schemas by name
)

var schemaKeywords = map[string]int{
	"type": holdsValue, "enum": holdsValue, "const": holdsValue, "default": holdsValue, "format": holdsValue,
	"title": holdsValue, "description": holdsValue, "required": holdsValue, "dependentRequired": holdsValue,
	"minimum": holdsValue, "maximum": holdsValue, "multipleOf": holdsValue, "exclusiveMinimum": holdsValue, "exclusiveMaximum": holdsValue,
	"minLength": holdsValue, "maxLength": holdsValue, "pattern": holdsValue, "uniqueItems": holdsValue,
	"minItems": holdsValue, "maxItems": holdsValue, "minContains": holdsValue, "maxContains": holdsValue,
	"minProperties": holdsValue, "maxProperties": holdsValue,
	"items": holdsSchema, "contains": holdsSchema, "additionalProperties": holdsSchema, "propertyNames": holdsSchema,
	"unevaluatedItems": holdsSchema, "unevaluatedProperties": holdsSchema,
	"not": holdsSchema, "if": holdsSchema, "then": holdsSchema, "else": holdsSchema,
	"allOf": holdsSchemas, "anyOf": holdsSchemas, "oneOf": holdsSchemas, "prefixItems": holdsSchemas,
	"properties": holdsSchemaMap, "patternProperties": holdsSchemaMap, "dependentSchemas": holdsSchemaMap, "$defs": holdsSchemaMap,
}

const schemaRefPrefix = "#/components/schemas/"

// schema returns a schema of the document as JSON Schema 2020-12; schemas that it refers to go to
// defs.
func (in *input) schema(ref *openapi3.SchemaRef) any {
	if ref == nil {
		return map[string]any{}
	}
	data, err := json.Marshal(ref)
	var raw any
	if err == nil {
		err = json.Unmarshal(data, &raw)
	}
	if err != nil {
		in.fault("a schema has no JSON form", "correct the document")
		return map[string]any{}
	}
	return in.convert(raw)
}

func (in *input) convert(raw any) any {
	m, ok := raw.(map[string]any)
	if !ok {
		return raw // true, false
	}
	out := map[string]any{}
	for _, key := range slices.Sorted(maps.Keys(m)) {
		holds, known := schemaKeywords[key]
		if !known {
			continue
		}
		out[key] = in.keyword(holds, m[key])
	}
	if pattern, ok := out["pattern"].(string); ok {
		// RE2 lacks some of ECMA 262's patterns; the service checks those.
		if _, err := regexp.Compile(pattern); err != nil {
			delete(out, "pattern")
		}
	}
	if ref, ok := m["$ref"].(string); ok {
		out["$ref"] = in.reference(ref)
	}
	return fromOpenAPI30(m, out)
}

func (in *input) keyword(holds int, raw any) any {
	switch holds {
	case holdsSchema:
		return in.convert(raw)
	case holdsSchemas:
		list, _ := raw.([]any)
		out := make([]any, len(list))
		for i, s := range list {
			out[i] = in.convert(s)
		}
		return out
	case holdsSchemaMap:
		m, _ := raw.(map[string]any)
		out := make(map[string]any, len(m))
		for _, name := range slices.Sorted(maps.Keys(m)) {
			out[name] = in.convert(m[name])
		}
		return out
	}
	return raw
}

// reference moves the target of a reference into defs, once.
func (in *input) reference(ref string) string {
	path, ok := strings.CutPrefix(ref, schemaRefPrefix)
	name, _, _ := strings.Cut(path, "/")
	if !ok || in.op.doc.Components == nil || in.op.doc.Components.Schemas[name] == nil {
		in.fault(fmt.Sprintf("a schema refers to %q, which is no schema of the components", ref), "move it to components.schemas")
		return "#"
	}
	if _, there := in.defs[name]; !there {
		in.defs[name] = true // a schema may refer to itself
		in.defs[name] = in.schema(in.op.doc.Components.Schemas[name])
	}
	return "#/$defs/" + path
}

// fromOpenAPI30 converts the keywords that OpenAPI 3.0 writes differently: nullable, and exclusive
// limits as flags (section 4.8.24.1 of 3.0.3).
func fromOpenAPI30(m, out map[string]any) any {
	for flag, bound := range map[string]string{"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"} {
		exclusive, isFlag := m[flag].(bool)
		if !isFlag {
			continue
		}
		delete(out, flag)
		if limit, ok := out[bound]; ok && exclusive {
			delete(out, bound)
			out[flag] = limit
		}
	}
	if nullable, _ := m["nullable"].(bool); nullable {
		return map[string]any{"anyOf": []any{out, map[string]any{"type": "null"}}}
	}
	return out
}
