package openapi

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

var (
	errRemote = errors.New("a $ref leads out of the agent's folder; copy what it names into a file there")
	errRead   = errors.New("it cannot be read as OpenAPI; check it with a linter for OpenAPI 3")
)

// parse returns the document of a file with all references resolved.
func parse(name string, data []byte, read func(name string) ([]byte, error)) (parsed any, err error) {
	// The document is untrusted and its parser is large: a panic counts as an error of the
	// document.
	defer func() {
		if recover() != nil {
			parsed, err = nil, errRead
		}
	}()
	var refused error // why a reference was refused, in our words
	loader := openapi3.NewLoader()
	loader.IsExternalRefsAllowed = true
	loader.ReadFromURIFunc = func(_ *openapi3.Loader, at *url.URL) ([]byte, error) {
		data, err := []byte(nil), errRemote
		if at.Scheme == "" && at.Host == "" {
			data, err = read(at.Path)
		}
		if err != nil && refused == nil {
			refused = err
		}
		return data, err
	}
	doc, err := loader.LoadFromDataWithPath(data, &url.URL{Path: filepath.ToSlash(name)})
	switch {
	case refused != nil:
		return nil, refused
	case err != nil:
		return nil, fmt.Errorf("it cannot be read as OpenAPI: %s; correct the document", firstLine(err.Error()))
	case !strings.HasPrefix(doc.OpenAPI, "3."):
		return nil, errors.New("it is no OpenAPI document of version 3; convert it to 3.0 or 3.1")
	}
	doc.InternalizeRefs(context.Background(), nil)
	return doc, nil
}

// firstLine cuts a message after its first line.
func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return strings.ReplaceAll(s, ";", ",")
}
