package contract

import (
	"bytes"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
)

const (
	eventStream = "text/event-stream"
	maxKept     = 4 << 20 // bytes of a body that is looked at; a larger one is not
)

// Watch passes requests to h and compares each request and its answer with the document afterwards.
func (d *Document) Watch(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		in := &tee{body: r.Body}
		r.Body = in
		out := &recorder{ResponseWriter: w}
		h.ServeHTTP(out, r) // one that panics has cut the connection: that is no answer
		d.compare(r, in.kept.Bytes(), out)
	})
}

// tee keeps what a handler reads of a request.
type tee struct {
	body io.ReadCloser
	kept bytes.Buffer
}

func (t *tee) Read(p []byte) (int, error) {
	n, err := t.body.Read(p)
	t.kept.Write(p[:n])
	return n, err
}

func (t *tee) Close() error { return t.body.Close() }

// recorder keeps what a handler answers.
type recorder struct {
	http.ResponseWriter
	status int
	kept   bytes.Buffer
}

func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(p []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	if r.kept.Len() <= maxKept {
		r.kept.Write(p)
	}
	return r.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController find the connection.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

func (d *Document) compare(r *http.Request, sent []byte, out *recorder) {
	if out.status == 0 {
		out.status = http.StatusOK
	}
	op := d.find(r.Method, r.URL.EscapedPath())
	if op == nil {
		d.elsewhere(r, out)
		return
	}
	where := r.Method + " " + op.path + ": " + strconv.Itoa(out.status)
	if out.status < 300 {
		d.request(where, op, r, sent)
	}
	responses, _ := op.def["responses"].(object)
	status := strconv.Itoa(out.status)
	if _, ok := responses[status]; !ok && out.status >= 400 {
		status = "default"
	}
	def, at := d.resolve(responses[status], op.at+pointer("responses", status))
	if def == nil {
		d.violate("%s is no status that the document knows", where)
		return
	}
	d.body(where, def, at, r.Method, out)
}

// elsewhere expects a problem document for a path or method that the document lacks. A preflight of a
// browser is answered without a body, and routes that the document lacks are reported by Undocumented.
func (d *Document) elsewhere(r *http.Request, out *recorder) {
	if r.Method == http.MethodOptions && out.status == http.StatusNoContent {
		return
	}
	if r.Pattern != "" && r.Pattern != "/" && !d.hasPath(r.URL.EscapedPath()) {
		return
	}
	kind, _, _ := mime.ParseMediaType(out.Header().Get("Content-Type"))
	if out.status < 400 || kind != "application/problem+json" {
		d.violate("%s of a path or method that is not in the document: %d %s", r.Method, out.status, kind)
		return
	}
	if err := d.check("/components/schemas/Problem", out.kept.Bytes()); err != nil && r.Method != http.MethodHead {
		d.violate("%s of a path or method that is not in the document: %v", r.Method, err)
	}
}

// request compares an accepted request with the document.
func (d *Document) request(where string, op *operation, r *http.Request, sent []byte) {
	known := map[string]bool{}
	for _, p := range d.params(op) {
		if name, _ := p.def["name"].(string); p.def["in"] == "query" {
			known[name] = true
		}
	}
	for name := range r.URL.Query() {
		if !known[name] {
			d.violate("%s: the query parameter %s is accepted and not described", where, name)
		}
	}
	body, at := d.resolve(op.def["requestBody"], op.at+"/requestBody")
	content, _ := body["content"].(object)
	if len(content) == 0 || len(sent) == 0 {
		return
	}
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if content[kind] == nil {
		d.violate("%s: a body of type %q is accepted and not described", where, kind)
		return
	}
	if isJSON(kind) {
		if err := d.check(at+pointer("content", kind, "schema"), sent); err != nil {
			d.violate("%s: a body was accepted that the document does not allow: %v", where, err)
		}
	}
}

func isJSON(kind string) bool {
	return kind == "application/json" || strings.HasSuffix(kind, "+json")
}

// body compares an answer's body with its description.
func (d *Document) body(where string, def object, at, method string, out *recorder) {
	content, _ := def["content"].(object)
	kind, _, _ := mime.ParseMediaType(out.Header().Get("Content-Type"))
	text := out.kept.Bytes()
	switch {
	case len(content) == 0 && len(text) > 0:
		d.violate("%s has a body and the document has none", where)
	case len(content) == 0 || method == http.MethodHead || len(text) > maxKept:
	case content[kind] == nil:
		d.violate("%s: a body of type %q is not described", where, kind)
	case kind == eventStream:
		d.stream(where, at+pointer("content", kind, "x-events"), text)
	case kind == "application/x-ndjson":
		for line := range bytes.SplitSeq(bytes.TrimSpace(text), []byte("\n")) {
			if !json.Valid(line) {
				d.violate("%s: a line is not JSON", where)
			}
		}
	case isJSON(kind):
		if err := d.check(at+pointer("content", kind, "schema"), text); err != nil {
			d.violate("%s: %v", where, err)
		}
	}
}

// stream compares the events of a stream with their descriptions, the last one only if it is complete.
func (d *Document) stream(where, at string, text []byte) {
	described, _ := d.lookup(at)
	events, _ := described.(object)
	blocks := strings.Split(string(text), "\n\n")
	for _, block := range blocks[:len(blocks)-1] {
		name, data, ok := parse(block)
		if !ok || data == "[DONE]" {
			continue
		}
		if events[name] == nil && events["*"] != nil {
			name = "*"
		}
		schema, _ := events[name].(object)
		if schema == nil {
			d.violate("%s: the event %s is not described", where, name)
			continue
		}
		if schema["type"] == "string" {
			continue
		}
		if err := d.check(at+pointer(name), []byte(data)); err != nil {
			d.violate("%s: the event %s: %v", where, name, err)
		}
	}
}

// parse reads one event; ok is false for a comment.
func parse(block string) (name, data string, ok bool) {
	name = "message"
	var lines []string
	for line := range strings.SplitSeq(block, "\n") {
		key, value, found := strings.Cut(line, ":")
		if !found || key == "" {
			continue
		}
		value = strings.TrimPrefix(value, " ")
		switch key {
		case "event":
			name = value
		case "data":
			lines = append(lines, value)
		}
	}
	return name, strings.Join(lines, "\n"), len(lines) > 0
}
