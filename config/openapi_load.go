package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/slotway/slotway/config/source"
)

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
