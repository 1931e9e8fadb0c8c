package config

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// maxOpenAPIFiles bounds the files that one OpenAPI document consists of.
const maxOpenAPIFiles = 64

var (
	errOpenAPIRemote = errors.New("a $ref leads out of the agent's folder; copy what it names into a file there")
	errOpenAPIFiles  = fmt.Errorf("it consists of more than %d files; join them", maxOpenAPIFiles)
	errOpenAPIRead   = errors.New("it cannot be read as OpenAPI; check it with a linter for OpenAPI 3")
	errOpenAPIHome   = errors.New("an agent without a folder cannot name a file; load it from a file")
)

// openAPIDoc gives a document of OpenAPI 3.0 or 3.1 with all references inside it, read
// once for all tools that name it; nil where it cannot be had, which is reported at n.
func (b *builder) openAPIDoc(n *Node) *openapi3.T {
	rel := b.words(n)
	if rel == "" {
		return nil
	}
	if doc, ok := b.openAPI[rel]; ok {
		if doc == nil {
			b.problems.Add(n, "the document cannot be used", "correct what is reported where it is named first")
		}
		return doc
	}
	doc, err := b.loadOpenAPI(rel)
	if err != nil {
		message, hint := splitRemedy(err.Error())
		b.problems.Add(n, message, hint)
	}
	b.openAPI[rel] = doc
	return doc
}

func (b *builder) loadOpenAPI(rel string) (doc *openapi3.T, err error) {
	if b.agent.Dir == "" {
		return nil, errOpenAPIHome
	}
	root, err := os.OpenRoot(b.agent.Dir)
	if err != nil {
		return nil, fmt.Errorf("the agent's folder cannot be opened: %s; check its rights", reason(err))
	}
	defer root.Close()
	files := &openAPIFiles{root: root, left: maxExtraBytes, builder: b}
	data, err := files.read(rel)
	if err != nil {
		return nil, err
	}
	// A document is foreign text and its reader a large program: a panic is its fault.
	defer func() {
		if recover() != nil {
			doc, err = nil, errOpenAPIRead
		}
	}()
	loader := openapi3.NewLoader()
	loader.IsExternalRefsAllowed = true
	loader.ReadFromURIFunc = files.reference
	doc, err = loader.LoadFromDataWithPath(data, &url.URL{Path: filepath.ToSlash(rel)})
	switch {
	case files.refused != nil:
		return nil, files.refused
	case err != nil:
		return nil, fmt.Errorf("it cannot be read as OpenAPI: %s; correct the document", firstLine(err.Error()))
	case !strings.HasPrefix(doc.OpenAPI, "3."):
		return nil, errors.New("it is no OpenAPI document of version 3; convert it to 3.0 or 3.1")
	}
	doc.InternalizeRefs(context.Background(), nil)
	return doc, nil
}

// firstLine keeps a message on the line of its problem.
func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return strings.ReplaceAll(s, ";", ",")
}

// openAPIFiles reads the files of one document from the agent's folder, never past it.
type openAPIFiles struct {
	root    *os.Root
	left    int64 // bytes that may still be read
	count   int
	refused error // why a reference was refused, in our words
	builder *builder
}

func (f *openAPIFiles) reference(_ *openapi3.Loader, at *url.URL) ([]byte, error) {
	data, err := []byte(nil), errOpenAPIRemote
	if at.Scheme == "" && at.Host == "" {
		data, err = f.read(at.Path)
	}
	if err != nil && f.refused == nil {
		f.refused = err
	}
	return data, err
}

// read gives one file, after it was held to the bounds of all YAML: a document may not
// grow by aliases.
func (f *openAPIFiles) read(name string) ([]byte, error) {
	if f.count++; f.count > maxOpenAPIFiles {
		return nil, errOpenAPIFiles
	}
	file, err := f.root.OpenFile(path.Clean(filepath.ToSlash(name)), unblocked, 0)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %s; name a file in the agent's folder", name, reason(err))
	}
	defer file.Close()
	if err := regular(file, name); err != nil {
		return nil, fmt.Errorf("%s is %s in the agent's folder", name, reason(err))
	}
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
	if _, problems := ParseYAML(name, data); problems.Err() != nil {
		p := problems.Errors()[0]
		return nil, fmt.Errorf("%s: %s; %s", p.Pos, p.Message, p.Hint)
	}
	return data, nil
}
