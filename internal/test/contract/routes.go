package contract

import (
	"regexp"
	"slices"
	"strings"
)

// Route is one method of one path, as http.ServeMux writes it.
type Route struct{ Method, Path string }

// slot is a placeholder of a route, which may stand for several parts of a path.
var slot = regexp.MustCompile(`\{[^/}]*\}|/$`)

// form makes routes of the mux and of the document comparable: the names of placeholders do not
// count, a folder is its path with a placeholder appended, and {$} only ends a path.
func form(method, path string) string {
	path = strings.TrimSuffix(path, "{$}")
	if len(path) > 1 {
		path = slot.ReplaceAllStringFunc(path, func(s string) string {
			if s == "/" {
				return "/{}"
			}
			return "{}"
		})
	}
	return method + " " + path
}

// Undocumented returns the routes that the document lacks.
func (d *Document) Undocumented(routes []Route) []string {
	known := map[string]bool{}
	for i := range d.ops {
		known[form(d.ops[i].method, d.ops[i].path)] = true
	}
	var out []string
	for _, r := range routes {
		if !known[form(r.Method, r.Path)] {
			out = append(out, r.Method+" "+r.Path)
		}
	}
	slices.Sort(out)
	return out
}

// Unserved returns the operations that no route answers.
func (d *Document) Unserved(routes []Route) []string {
	known := map[string]bool{}
	for _, r := range routes {
		known[form(r.Method, r.Path)] = true
	}
	var out []string
	for i := range d.ops {
		if !known[form(d.ops[i].method, d.ops[i].path)] {
			out = append(out, d.ops[i].method+" "+d.ops[i].path)
		}
	}
	slices.Sort(out)
	return out
}
