// Package openapi builds tools of kind http from documents of OpenAPI 3.0 and 3.1. Import it for
// its side effect: an agent's tools may then name a document and an operation.
package openapi

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/naming"
)

// methods are the methods that a tool may have, with their effect if it is known (RFC 9110, section
// 9.2.1; QUERY: draft-ietf-httpbis-safe-method-w-body).
var methods = map[string]config.Effect{
	http.MethodGet: config.EffectRead, http.MethodHead: config.EffectRead, "QUERY": config.EffectRead,
	http.MethodPost: "", http.MethodPut: "", http.MethodPatch: "", http.MethodDelete: "",
}

// operation is one operation of a document.
type operation struct {
	doc    *openapi3.T
	path   string
	item   *openapi3.PathItem
	method string
	*openapi3.Operation
}

func init() { config.RegisterOpenAPI(derive) }

// derive sets the fields of a tool from its operation.
func derive(d *config.Derivation) {
	doc, _ := d.Document(func(data []byte, read func(name string) ([]byte, error)) (any, error) {
		return parse(d.Tool.OpenAPI, data, read)
	}).(*openapi3.T)
	t := d.Tool
	if doc == nil || t.Operation == "" {
		return
	}
	op, known, twice := findOperation(doc, t.Operation)
	switch {
	case op == nil:
		d.Unknown(known)
		return
	case twice:
		d.Fault(fmt.Sprintf("the document has several operations %q", t.Operation), `name it by method and path, such as "GET /orders/{id}"`)
		return
	}
	effect, ok := methods[op.method]
	if !ok {
		d.Fault(fmt.Sprintf("the method of %q is %s", t.Operation, op.method), "name an operation of "+naming.JoinOr(slices.Sorted(maps.Keys(methods))))
		return
	}
	t.Method = op.method
	if !d.HasEffect {
		t.Effect = effect
	}
	t.Describe = cmp.Or(t.Describe, op.Summary, op.Description)
	setURL(d, op)
	in := &input{Derivation: d, tool: t, op: op, properties: map[string]any{}, defs: map[string]any{}}
	in.parameters()
	in.body()
	in.finish()
	lintSecurity(d, op)
}

// findOperation looks for an operationId, or a method and a path. known are all ids.
func findOperation(doc *openapi3.T, name string) (op *operation, known []string, twice bool) {
	for _, path := range slices.Sorted(maps.Keys(doc.Paths.Map())) {
		item := doc.Paths.Value(path)
		operations := item.Operations()
		for _, method := range slices.Sorted(maps.Keys(operations)) {
			o := operations[method]
			byPlace := method + " " + path
			known = append(known, cmp.Or(o.OperationID, byPlace))
			if o.OperationID != name && byPlace != name {
				continue
			}
			twice = op != nil
			op = &operation{doc: doc, path: path, item: item, method: method, Operation: o}
		}
	}
	return op, known, twice
}

// setURL joins the base, which is the tool's own url or the document's first server, and the path.
func setURL(d *config.Derivation, op *operation) {
	t := d.Tool
	base := t.URL
	if base == "" {
		base = asLiteral(op.server())
		u, err := url.Parse(base)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || len(placeholders(base)) > 0 {
			d.Fault("the document does not say where the service is", "add url: the base, such as https://api.example.com/v1 or ${BASE_URL}")
			return
		}
	}
	base, query, _ := strings.Cut(base, "?")
	t.URL = strings.TrimSuffix(base, "/") + asLiteral(op.path)
	if query != "" {
		t.URL += "?" + query
	}
}

// asLiteral hides ${ from Expand: the document is not the agent's file, and must not choose which
// environment variables are sent.
func asLiteral(s string) string { return strings.ReplaceAll(s, "${", "$${") }

// server returns the first server of the operation, else of the path, else of the document, with
// the defaults of its variables.
func (op *operation) server() string {
	var servers openapi3.Servers
	switch {
	case op.Servers != nil && len(*op.Servers) > 0:
		servers = *op.Servers
	case len(op.item.Servers) > 0:
		servers = op.item.Servers
	default:
		servers = op.doc.Servers
	}
	if len(servers) == 0 {
		return ""
	}
	at := servers[0].URL
	for name, v := range servers[0].Variables {
		if v != nil {
			at = strings.ReplaceAll(at, "{"+name+"}", v.Default)
		}
	}
	return at
}

// security returns the requirements of the operation, one of which suffices.
func (op *operation) security() openapi3.SecurityRequirements {
	if op.Security != nil {
		return *op.Security
	}
	return op.doc.Security
}

// lintSecurity finds an operation that needs a credential that the tool does not send.
func lintSecurity(d *config.Derivation, op *operation) {
	var missing string
	for _, requirement := range op.security() {
		missed := ""
		for _, name := range slices.Sorted(maps.Keys(requirement)) {
			if l := lacks(d.Tool, op.doc, name); l != "" {
				missed = l
			}
		}
		if missed == "" {
			return
		}
		missing = cmp.Or(missing, missed)
	}
	if missing != "" {
		d.Warn(fmt.Sprintf("operation %q asks for %s, which this tool does not send", d.Tool.Operation, missing),
			"set it, with the secret as ${NAME} from the environment")
	}
}

// lacks names what a security scheme needs and the tool does not set; "" for nothing.
func lacks(t *config.Tool, doc *openapi3.T, scheme string) string {
	if doc.Components == nil || doc.Components.SecuritySchemes[scheme] == nil || doc.Components.SecuritySchemes[scheme].Value == nil {
		return fmt.Sprintf("the unknown security scheme %q", scheme)
	}
	s := doc.Components.SecuritySchemes[scheme].Value
	header := "Authorization"
	switch {
	case s.Type == "apiKey" && s.In == "query":
		if _, ok := t.Params[s.Name]; ok || urlHasQuery(t, s.Name) {
			return ""
		}
		return fmt.Sprintf("the query parameter %s (url: BASE?%s=${NAME})", s.Name, s.Name)
	case s.Type == "apiKey" && s.In == "cookie":
		header = "Cookie"
	case s.Type == "apiKey":
		header = s.Name
	case s.Type == "mutualTLS":
		return "a client certificate"
	}
	if hasHeader(t, header) {
		return ""
	}
	return "the header " + header
}

func hasHeader(t *config.Tool, name string) bool {
	for h := range t.Headers {
		if strings.EqualFold(h, name) {
			return true
		}
	}
	return false
}

// urlHasQuery reports a parameter that the tool's base URL already has.
func urlHasQuery(t *config.Tool, name string) bool {
	_, query, _ := strings.Cut(t.URL, "?")
	for pair := range strings.SplitSeq(query, "&") {
		key, _, _ := strings.Cut(pair, "=")
		if key, err := url.QueryUnescape(key); err == nil && key == name {
			return true
		}
	}
	return false
}
