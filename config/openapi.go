package config

import (
	"fmt"

	"github.com/slotway/slotway/config/source"
)

// openAPIForm is toolForms' row of an http tool that is derived from a document.
var openAPIForm = toolForm{[]string{"openapi", "operation"}, []string{"url", "headers", "params", "result"}}

// openAPISays are keys of http tools that the document speaks for.
var openAPISays = []string{"method", "body", "input"}

// Derivation is a tool whose declaration names an operation of an OpenAPI document.
type Derivation struct {
	Tool      *Tool // as far as its declaration says; the document says the rest
	HasEffect bool  // the declaration says the tool's effect

	builder             *builder
	document, operation *source.Node
}

// Fault reports what is wrong with the operation, and what to do about it.
func (d *Derivation) Fault(message, hint string) { d.builder.problems.Add(d.operation, message, hint) }

// Warn is Fault for what does not keep the agent from running.
func (d *Derivation) Warn(message, hint string) { d.builder.problems.Warn(d.operation, message, hint) }

// Unknown reports an operation that is none of the known ones.
func (d *Derivation) Unknown(known []string) {
	d.builder.unknown(d.operation, "operation", d.Tool.Operation, known)
}

// deriveOpenAPI is nil in a program that reads no OpenAPI documents.
var deriveOpenAPI func(*Derivation)

// RegisterOpenAPI lets agents name OpenAPI documents: derive fills in what an operation says of a
// tool. Package tools/httptool/openapi calls it when it is imported, so that programs which do
// without such documents do not link a reader of them.
func RegisterOpenAPI(derive func(*Derivation)) { deriveOpenAPI = derive }

func fromOpenAPI(n *source.Node) bool {
	return n.Get("kind").Text() == "http" && (n.Has("openapi") || n.Has("operation"))
}

// openAPITool fills in what the named operation says of a tool.
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
