package contract

import (
	"bytes"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// base is the URL of the document, for its references; it is never requested.
const base = "https://contract.test/"

// object is one JSON object of the document.
type object = map[string]any

// Document is an OpenAPI document. It is safe for concurrent use.
type Document struct {
	root object
	ops  []operation

	mu         sync.Mutex // guards what follows
	compiler   *jsonschema.Compiler
	schemas    map[string]*jsonschema.Schema // by JSON pointer
	violations []string
}

// operation is one method of one path.
type operation struct {
	method, path string
	match        *regexp.Regexp
	def          object
	at           string // JSON pointer
}

// New reads a document. others are the documents that it refers to, by their names beside it.
func New(document []byte, others map[string][]byte) (*Document, error) {
	d := &Document{compiler: jsonschema.NewCompiler(), schemas: map[string]*jsonschema.Schema{}}
	d.compiler.DefaultDraft(jsonschema.Draft2020)
	d.compiler.AssertFormat()
	root, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
	if err != nil {
		return nil, fmt.Errorf("read the document: %w", err)
	}
	d.root, _ = root.(object)
	if err := d.compiler.AddResource(base+"openapi.json", root); err != nil {
		return nil, fmt.Errorf("read the document: %w", err)
	}
	for name, text := range others {
		other, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		if err := d.compiler.AddResource(base+name, other); err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
	}
	paths, _ := d.root["paths"].(object)
	for path, item := range paths {
		methods, _ := item.(object)
		for method, def := range methods {
			if !slices.Contains(verbs, method) {
				continue
			}
			op, _ := def.(object)
			d.ops = append(d.ops, operation{strings.ToUpper(method), path, matcher(path), op, pointer("paths", path, method)})
		}
	}
	// Paths without a placeholder come first.
	slices.SortFunc(d.ops, func(a, b operation) int {
		return strings.Compare(strings.ReplaceAll(a.path, "{", "~")+a.method, strings.ReplaceAll(b.path, "{", "~")+b.method)
	})
	return d, nil
}

// verbs are the keys of a path that are operations.
var verbs = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace"}

var placeholder = regexp.MustCompile(`\\\{[^/]*\\\}`)

// matcher returns the expression that a path's template matches. A placeholder never spans several
// parts of a path.
func matcher(path string) *regexp.Regexp {
	return regexp.MustCompile("^" + placeholder.ReplaceAllString(regexp.QuoteMeta(path), "([^/]+)") + "$")
}

// find returns the operation that answers a request; a HEAD is answered by the GET.
func (d *Document) find(method, path string) *operation {
	if method == http.MethodHead {
		method = http.MethodGet
	}
	for i := range d.ops {
		if op := &d.ops[i]; op.method == method && op.match.MatchString(path) {
			return op
		}
	}
	return nil
}

// hasPath reports whether any operation is described for a path.
func (d *Document) hasPath(path string) bool {
	return slices.ContainsFunc(d.ops, func(op operation) bool { return op.match.MatchString(path) })
}

// resolve follows a reference within the document.
func (d *Document) resolve(v any, at string) (object, string) {
	o, _ := v.(object)
	ref, ok := o["$ref"].(string)
	if !ok || !strings.HasPrefix(ref, "#/") {
		return o, at
	}
	target, _ := d.lookup(ref[1:])
	found, _ := target.(object)
	return found, ref[1:]
}

// lookup returns what a JSON pointer (RFC 6901) names.
func (d *Document) lookup(ptr string) (any, bool) {
	var v any = d.root
	for part := range strings.SplitSeq(strings.TrimPrefix(ptr, "/"), "/") {
		o, ok := v.(object)
		if !ok {
			return nil, false
		}
		if v, ok = o[unescape.Replace(part)]; !ok {
			return nil, false
		}
	}
	return v, true
}

var (
	escape   = strings.NewReplacer("~", "~0", "/", "~1")
	unescape = strings.NewReplacer("~1", "/", "~0", "~")
)

// pointer is the JSON pointer of a part of the document.
func pointer(parts ...string) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString("/" + escape.Replace(p))
	}
	return b.String()
}

// schema compiles the schema at a pointer, once.
func (d *Document) schema(at string) (*jsonschema.Schema, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if s := d.schemas[at]; s != nil {
		return s, nil
	}
	s, err := d.compiler.Compile(base + "openapi.json#" + percent(at))
	if err == nil {
		d.schemas[at] = s
	}
	return s, err
}

// percent escapes what a URL's fragment may not hold.
func percent(ptr string) string {
	return strings.NewReplacer("%", "%25", "{", "%7B", "}", "%7D", "*", "%2A", "+", "%2B").Replace(ptr)
}

// check validates a JSON text by the schema at a pointer. Its error may quote values: it is for tests.
func (d *Document) check(at string, text []byte) error {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return fmt.Errorf("not JSON: %w", err)
	}
	s, err := d.schema(at)
	if err != nil {
		return err
	}
	return s.Validate(v)
}

// violate records a difference from the document.
func (d *Document) violate(format string, args ...any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.violations = append(d.violations, fmt.Sprintf(format, args...))
}

// Violations returns the differences from the document so far, each once, sorted.
func (d *Document) Violations() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Compact(slices.Sorted(slices.Values(d.violations)))
}
