package config

import (
	"fmt"

	"github.com/slotway/slotway/config/source"
)

// openAPIForm is the toolForm of an http tool that comes from an OpenAPI document.
var openAPIForm = toolForm{[]string{"openapi", "operation"}, []string{"url", "headers", "params", "result"}}

// openAPISays are keys of http tools that the document sets.
var openAPISays = []string{"method", "body", "input"}

// Derivation is a tool whose declaration names an operation of an OpenAPI document.
type Derivation struct {
	Tool      *Tool // as declared; the document sets the rest
	HasEffect bool  // the declaration sets the tool's effect

	builder             *builder
	document, operation *source.Node
}

// Fault reports a problem of the operation and its remedy.
func (d *Derivation) Fault(message, hint string) { d.builder.problems.Add(d.operation, message, hint) }

// Warn reports a problem that does not stop the agent from loading.
func (d *Derivation) Warn(message, hint string) {
	d.builder.problems.Warn(source.OpenAPIPart, d.operation, message, hint)
}

// Unknown reports an operation that is not in known.
func (d *Derivation) Unknown(known []string) {
	d.builder.unknown(d.operation, "operation", d.Tool.Operation, known)
}

// deriveOpenAPI is nil in a program without an OpenAPI reader.
var deriveOpenAPI func(*Derivation)

// RegisterOpenAPI installs a reader of OpenAPI documents: derive sets the fields of a tool from its
// operation. Importing package tools/httptool/openapi calls it, so that programs that do not import
// the package do not link the reader.
func RegisterOpenAPI(derive func(*Derivation)) { deriveOpenAPI = derive }

func fromOpenAPI(n *source.Node) bool {
	return n.Get("kind").Text() == "http" && (n.Has("openapi") || n.Has("operation"))
}

// openAPITool sets the fields of a tool from its operation.
func (b *builder) openAPITool(t *Tool, n *source.Node) {
	for _, key := range openAPISays {
		if n.Has(key) {
			b.problems.Add(n.Get(key), fmt.Sprintf("%s comes from the OpenAPI document", key), "remove it")
		}
	}
	t.OpenAPI, t.Operation = b.words(n.Get("openapi")), b.words(n.Get("operation"))
	if deriveOpenAPI == nil {
		b.problems.Add(n.Get("openapi"), "this program reads no OpenAPI documents", "import github.com/slotway/slotway/tools/httptool/openapi in it")
		return
	}
	d := &Derivation{Tool: t, HasEffect: n.Has("effect"), builder: b, document: n.Get("openapi"), operation: n.Get("operation")}
	deriveOpenAPI(d)
	if t.Input == nil {
		return
	}
	if err := compileInput(t.Input); err != "" {
		d.Fault(fmt.Sprintf("operation %q: the document's schemas are no JSON Schema: %s", t.Operation, err), "correct the document")
	}
}
