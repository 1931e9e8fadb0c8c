package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

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

// maxOpenAPIFiles limits the files of one OpenAPI document.
const maxOpenAPIFiles = 64

var (
	errOpenAPIFiles = fmt.Errorf("it consists of more than %d files; join them", maxOpenAPIFiles)
	errOpenAPIHome  = errors.New("an agent without a folder cannot name a file; load it from a file")
)

// Document returns the document that the tool names, in the form that parse returns; tools that
// name the same document share it. read returns the files of the agent's folder that the document
// refers to, never those outside. If the document cannot be read, Document reports why and returns
// nil.
func (d *Derivation) Document(parse func(data []byte, read func(name string) ([]byte, error)) (any, error)) any {
	b, name := d.builder, d.Tool.OpenAPI
	if name == "" {
		return nil
	}
	if doc, ok := b.openAPI[name]; ok {
		if doc == nil {
			b.problems.Add(d.document, "the document cannot be used", "correct what is reported where it is named first")
		}
		return doc
	}
	doc, err := b.readOpenAPI(name, parse)
	if err != nil {
		message, hint := source.SplitRemedy(err.Error())
		b.problems.Add(d.document, message, hint)
		doc = nil
	}
	b.openAPI[name] = doc
	return doc
}

func (b *builder) readOpenAPI(name string, parse func(data []byte, read func(name string) ([]byte, error)) (any, error)) (any, error) {
	if b.agent.Dir == "" {
		return nil, errOpenAPIHome
	}
	root, err := os.OpenRoot(b.agent.Dir)
	if err != nil {
		return nil, fmt.Errorf("the agent's folder cannot be opened: %s; check its rights", reason(err))
	}
	defer root.Close()
	files := &openAPIFiles{root: root, left: maxExtraBytes, builder: b}
	data, err := files.read(name)
	if err != nil {
		return nil, err
	}
	return parse(data, files.read)
}

// openAPIFiles reads the files of one document from the agent's folder, never from outside.
type openAPIFiles struct {
	root    *os.Root
	left    int64 // bytes that may still be read
	count   int
	builder *builder
}

// read returns one file after checking the limits of YAML files: a document may not grow by
// aliases.
func (f *openAPIFiles) read(name string) ([]byte, error) {
	if f.count++; f.count > maxOpenAPIFiles {
		return nil, errOpenAPIFiles
	}
	file, err := source.OpenIn(f.root, name)
	if errors.Is(err, source.ErrNotAFile) {
		return nil, fmt.Errorf("%s is %s in the agent's folder", name, reason(err))
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %s; name a file in the agent's folder", name, reason(err))
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, f.left+1))
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %s; check it", name, reason(err))
	}
	if f.left -= int64(len(data)); f.left < 0 {
		return nil, fmt.Errorf("it has more than %d bytes; keep the operations that are used", maxExtraBytes)
	}
	f.builder.external = append(f.builder.external, data...)
	if json.Valid(data) {
		return data, nil
	}
	if _, problems := source.Parse(name, data); problems.Err() != nil {
		p := problems.Errors()[0]
		return nil, fmt.Errorf("%s: %s; %s", p.Pos, p.Message, p.Hint)
	}
	return data, nil
}
