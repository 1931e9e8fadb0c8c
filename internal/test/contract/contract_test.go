package contract

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const small = `{
  "openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "tags": [{"name": "a"}],
  "paths": {
    "/things/{id}": {"post": {
      "operationId": "do", "summary": "s", "description": "d", "tags": ["a"],
      "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}, {"name": "n", "in": "query", "schema": {"type": "integer"}}],
      "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}}},
      "responses": {"200": {"description": "x", "content": {
        "application/json": {"schema": {"$ref": "#/components/schemas/Thing"}},
        "application/x-ndjson": {"schema": {"type": "string"}},
        "text/event-stream": {"schema": {"type": "string"}, "x-events": {"thing": {"$ref": "#/components/schemas/Thing"}, "text": {"type": "string"}}}}},
        "204": {"description": "none"},
        "default": {"description": "p", "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}}}
    }},
    "/files/{path}": {"get": {
      "operationId": "file", "summary": "s", "description": "d", "tags": ["a"],
      "parameters": [{"name": "path", "in": "path", "required": true, "schema": {"type": "string"}}],
      "responses": {"200": {"description": "x", "content": {"text/plain": {"schema": {"type": "string"}}}}, "default": {"description": "p"}}
    }}
  },
  "components": {"schemas": {
    "Thing": {"type": "object", "required": ["n"], "properties": {"n": {"$ref": "other.json"}}, "additionalProperties": false, "examples": [{"n": 1}]},
    "Problem": {"type": "object", "required": ["code"], "properties": {"code": {"type": "string"}}}
  }}
}`

func read(t *testing.T, document string) *Document {
	t.Helper()
	d, err := New([]byte(document), map[string][]byte{"other.json": []byte(`{"type": "integer"}`)})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestStructure(t *testing.T) {
	if problems := read(t, small).Structure(); len(problems) > 0 {
		t.Errorf("a sound document: %s", strings.Join(problems, "\n"))
	}
	cases := []struct{ name, old, changed, problem string }{
		{"a version", `"3.1.0"`, `"3.0.3"`, "not 3.1"},
		{"a dead reference", `"$ref": "#/components/schemas/Thing"}}}},`, `"$ref": "#/components/schemas/Thong"}}}},`, "Thong leads nowhere"},
		{"an id twice", `"operationId": "file"`, `"operationId": "do"`, `operationId "do"`},
		{"no summary", `"operationId": "file", "summary": "s",`, `"operationId": "file",`, "no summary"},
		{"a tag", `"tags": ["a"],
      "parameters": [{"name": "path"`, `"tags": ["b"],
      "parameters": [{"name": "path"`, "not declared"},
		{"no default", `, "default": {"description": "p"}`, ``, "no default response"},
		{"no success", `"200": {"description": "x", "content": {"text/plain"`, `"300": {"description": "x", "content": {"text/plain"`, "no response of a success"},
		{"a placeholder", `"name": "path", "in": "path"`, `"name": "way", "in": "path"`, "{path} is not described"},
		{"no schema", `"text/plain": {"schema": {"type": "string"}}`, `"text/plain": {}`, "no schema"},
		{"an example", `"examples": [{"n": 1}]`, `"examples": [{"n": "1"}]`, "the example does not hold"},
		{"a schema", `"type": "object", "required": ["code"]`, `"type": "objekt", "required": ["code"]`, "Problem: "},
		{"events", `"x-events"`, `"y-events"`, "the events are not described"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			changed := strings.Replace(small, c.old, c.changed, 1)
			if changed == small {
				t.Fatal("nothing changed")
			}
			if problems := strings.Join(read(t, changed).Structure(), "\n"); !strings.Contains(problems, c.problem) {
				t.Errorf("problems %q do not tell of %q", problems, c.problem)
			}
		})
	}
}

func TestRoutes(t *testing.T) {
	d := read(t, small)
	all := []Route{{"POST", "/things/{name}"}, {"GET", "/files/{path...}"}}
	if a, b := d.Undocumented(all), d.Unserved(all); len(a)+len(b) > 0 {
		t.Errorf("undocumented %v, unserved %v", a, b)
	}
	if diff := cmp.Diff([]string{"GET /things/{id}"}, d.Undocumented([]Route{{"GET", "/things/{id}"}, {"GET", "/files/"}})); diff != "" {
		t.Errorf("Undocumented (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]string{"POST /things/{id}"}, d.Unserved(all[1:])); diff != "" {
		t.Errorf("Unserved (-want +got)\n%s", diff)
	}
}

// What differs from the document is told, and nothing else is.
func TestWatch(t *testing.T) {
	const json, problem, stream = "application/json", "application/problem+json", "text/event-stream"
	cases := []struct {
		name, method, target, sent string
		status                     int
		kind, body                 string
		violation                  string // part of it; "": none
	}{
		{"right", "POST", "/things/1?n=2", `{"n":1}`, 200, json, `{"n":2}`, ""},
		{"a field more", "POST", "/things/1", `{"n":1}`, 200, json, `{"n":2,"m":1}`, "additional properties 'm'"},
		{"a type by reference", "POST", "/things/1", `{"n":1}`, 200, json, `{"n":"2"}`, "got string, want integer"},
		{"no JSON", "POST", "/things/1", `{"n":1}`, 200, json, `{`, "not JSON"},
		{"another type", "POST", "/things/1", `{"n":1}`, 200, "text/html", `<p>`, `type "text/html" is not described`},
		{"another status", "POST", "/things/1", `{"n":1}`, 201, json, `{"n":2}`, "no status that the document knows"},
		{"no body", "POST", "/things/1", `{"n":1}`, 204, "", ``, ""},
		{"a problem", "POST", "/things/1", `{"m":1}`, 400, problem, `{"code":"x"}`, ""},
		{"half a problem", "POST", "/things/1", `{"m":1}`, 400, problem, `{}`, "missing property 'code'"},
		{"a wrong body is taken", "POST", "/things/1", `{"m":1}`, 200, json, `{"n":2}`, "a body was accepted"},
		{"a parameter is taken", "POST", "/things/1?m=2", `{"n":1}`, 200, json, `{"n":2}`, "the query parameter m"},
		{"lines", "POST", "/things/1", `{"n":1}`, 200, "application/x-ndjson", "{}\n{}\n", ""},
		{"a bad line", "POST", "/things/1", `{"n":1}`, 200, "application/x-ndjson", "{}\n{\n", "a line is not JSON"},
		{"events", "POST", "/things/1", `{"n":1}`, 200, stream, ": hi\n\nevent: thing\ndata: {\"n\":1}\n\nevent: text\ndata: a{\n\nevent: thing\ndata: {", ""},
		{"an event", "POST", "/things/1", `{"n":1}`, 200, stream, "event: thing\ndata: {}\n\n", "missing property 'n'"},
		{"an unknown event", "POST", "/things/1", `{"n":1}`, 200, stream, "event: other\ndata: {}\n\n", "the event other is not described"},
		{"another path", "GET", "/nothing", ``, 404, problem, `{"code":"x"}`, ""},
		{"another path answers", "GET", "/nothing", ``, 200, json, `{}`, "not in the document"},
		{"another method", "DELETE", "/things/1", ``, 405, problem, `{}`, "missing property 'code'"},
		{"a preflight", "OPTIONS", "/things/1", ``, 204, "", ``, ""},
		{"HEAD", "HEAD", "/files/a", ``, 200, "text/plain", ``, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			d := read(t, small)
			r := httptest.NewRequest(c.method, c.target, strings.NewReader(c.sent))
			r.Header.Set("Content-Type", json)
			out := httptest.NewRecorder()
			d.Watch(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				w.Header().Set("Content-Type", c.kind)
				w.WriteHeader(c.status)
				if c.body != "" {
					_, _ = io.WriteString(w, c.body)
				}
				_ = http.NewResponseController(w).Flush()
			})).ServeHTTP(out, r)
			got := strings.Join(d.Violations(), "\n")
			if (c.violation == "") != (got == "") || !strings.Contains(got, c.violation) {
				t.Errorf("violations %q, want %q", got, c.violation)
			}
			if out.Code != c.status || out.Body.String() != c.body {
				t.Errorf("the answer is another: %d %s", out.Code, out.Body)
			}
		})
	}
}

// A route that the document does not have is told by Undocumented, not by its answers.
func TestWatchLeavesRoutesToUndocumented(t *testing.T) {
	d, mux := read(t, small), http.NewServeMux()
	mux.HandleFunc("/own", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
	mux.HandleFunc("/things/{id}", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
	for _, path := range []string{"/own", "/things/1"} {
		d.Watch(mux).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, path, nil))
	}
	if got := d.Violations(); len(got) != 1 {
		t.Errorf("violations %q, want one, of the method", got)
	}
}
