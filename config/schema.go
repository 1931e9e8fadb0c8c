package config

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"github.com/slotway/slotway/config/naming"
	"github.com/slotway/slotway/config/source"
)

//go:embed schema.json
var schemaJSON []byte

// schemaURL lies below the address of the published schemas, which the library takes for valid. Elsewhere
// it would check ours against the schema of schemas at every start, which takes as long as compiling it
// does; TestSchemaIsASchema checks it once.
const schemaURL = "https://json-schema.org/slotway/agent.json"

// agentSchema is the schema in two forms: parsed, to look up allowed keys, and compiled.
type agentSchema struct {
	raw      any
	compiled *jsonschema.Schema
}

// loadSchema compiles the embedded schema once per process.
var loadSchema = sync.OnceValues(func() (*agentSchema, error) {
	raw, err := jsonschema.UnmarshalJSON(bytes.NewReader(schemaJSON))
	if err != nil {
		return nil, fmt.Errorf("embedded schema: %w", err)
	}
	root, ok := raw.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("embedded schema is no object")
	}
	delete(root, "$id") // so that locations are those of this file
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(schemaURL, root); err != nil {
		return nil, fmt.Errorf("embedded schema: %w", err)
	}
	compiled, err := compiler.Compile(schemaURL)
	if err != nil {
		return nil, fmt.Errorf("embedded schema: %w", err)
	}
	return &agentSchema{raw: root, compiled: compiled}, nil
})

// checkStructure validates a file against the schema and gives each finding its place.
func checkStructure(root *source.Node) (source.Problems, error) {
	schema, err := loadSchema()
	if err != nil {
		return nil, err
	}
	var problems source.Problems
	if err := schema.compiled.Validate(root.Value()); err != nil {
		var invalid *jsonschema.ValidationError
		if !errors.As(err, &invalid) {
			return nil, fmt.Errorf("validate: %w", err)
		}
		schema.collect(root, invalid, &problems)
	}
	return problems, nil
}

// collect turns the leaves of a validation error into problems.
func (s *agentSchema) collect(root *source.Node, e *jsonschema.ValidationError, ps *source.Problems) {
	at := follow(root, e.InstanceLocation)
	if _, ok := e.ErrorKind.(*kind.PropertyNames); ok {
		return // its location is overwritten later (v6.0.3 does not copy it); checkKeys reports these
	}
	if len(e.Causes) > 0 {
		for _, cause := range e.Causes {
			s.collect(root, cause, ps)
		}
		return
	}
	if k, ok := e.ErrorKind.(*kind.AdditionalProperties); ok {
		allowed := s.keysAt(e.SchemaURL)
		for _, entry := range at.Entries() {
			if slices.Contains(k.Properties, entry.Key) {
				*ps = append(*ps, entry.Unknown(allowed))
			}
		}
		return
	}
	message, hint := explain(at, e.ErrorKind)
	ps.Add(at, message, hint)
}

// keysAt returns the properties of the schema object at a location such as agent.json#/$defs/step.
func (s *agentSchema) keysAt(location string) []string {
	_, pointer, _ := strings.Cut(location, "#")
	at := s.raw
	for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		if m, ok := at.(map[string]any); ok && token != "" {
			at = m[strings.NewReplacer("~1", "/", "~0", "~").Replace(token)]
		}
	}
	m, _ := at.(map[string]any)
	properties, _ := m["properties"].(map[string]any)
	keys := make([]string, 0, len(properties))
	for key := range properties {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

func follow(n *source.Node, location []string) *source.Node {
	for _, token := range location {
		next := n.Get(token)
		if i, err := strconv.Atoi(token); n.Kind() == source.KindList && err == nil && i < len(n.Items()) {
			next = n.Items()[i]
		}
		if next == nil {
			return n
		}
		n = next
	}
	return n
}

// schemaKinds maps JSON Schema's types to the kinds of nodes.
var schemaKinds = map[string]source.Kind{
	"null": source.KindNull, "boolean": source.KindBool, "number": source.KindNum, "integer": "a whole number",
	"string": source.KindText, "array": source.KindList, "object": source.KindMap,
}

// explain returns a finding in words and its remedy.
func explain(at *source.Node, k jsonschema.ErrorKind) (message, hint string) {
	switch k := k.(type) {
	case *kind.Type:
		return explainType(at, k.Want)
	case *kind.Enum:
		return explainEnum(at, k.Want)
	case *kind.Required:
		return "lacks " + naming.JoinAnd(quoted(k.Missing)), "add the key " + naming.JoinAnd(k.Missing)
	case *kind.Minimum:
		return fmt.Sprintf("is %s, below the least value %s", at.Text(), ratText(k.Want)), "raise it"
	case *kind.Maximum:
		return fmt.Sprintf("is %s, above the greatest value %s", at.Text(), ratText(k.Want)), "lower it"
	case *kind.MinLength, *kind.MinItems, *kind.MinProperties:
		return "is empty", "fill it in or remove the key"
	case *kind.MaxLength:
		return fmt.Sprintf("has %d characters, at most %d are allowed", k.Got, k.Want), "shorten it"
	case *kind.Pattern:
		return fmt.Sprintf("%q is no name", at.Text()), "use letters, digits and _, a letter first"
	}
	return "does not fit the form", "see slotway schema"
}

func explainType(at *source.Node, want []string) (message, hint string) {
	words := make([]string, len(want))
	for i, w := range want {
		words[i] = string(schemaKinds[w])
	}
	message = fmt.Sprintf("is %s, not %s", at.Kind(), naming.JoinOr(words))
	wants := func(k string) bool { return slices.Contains(want, k) }
	switch got := at.Kind(); {
	case got == source.KindNull:
		hint = "fill it in or remove the key"
	case wants("string") && (got == source.KindNum || got == source.KindBool):
		hint = fmt.Sprintf("put it in quotes: %q", at.Text())
	case wants("array") && got == source.KindText:
		hint = fmt.Sprintf("write a list: [%s]", at.Text())
	case wants("string") && got == source.KindMap:
		hint = `put text that holds ": " or starts with { in quotes`
	case wants("boolean"):
		hint = "write true or false"
	case wants("integer") || wants("number"):
		hint = "write a number without quotes"
	case wants("object"):
		hint = `write keys with values, "key: value"`
	default:
		hint = "write " + naming.JoinOr(words)
	}
	return message, hint
}

func explainEnum(at *source.Node, want []any) (message, hint string) {
	known := make([]string, len(want))
	for i, w := range want {
		known[i] = fmt.Sprint(w)
	}
	if at.Kind() == source.KindNum {
		return fmt.Sprintf("is %s, not %s", at.Text(), naming.JoinOr(known)), "write " + naming.JoinOr(known)
	}
	return fmt.Sprintf("%q is not allowed here", at.Text()), naming.Suggest(at.Text(), known)
}

func quoted(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = strconv.Quote(n)
	}
	return out
}

func ratText(r *big.Rat) string {
	return strings.TrimRight(strings.TrimRight(r.FloatString(3), "0"), ".")
}
