package httpapi

import (
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/telemetry"
)

// methods are the handlers of one path.
type methods map[string]http.HandlerFunc

func (m methods) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if m == nil {
		WriteProblem(w, &Problem{Status: http.StatusNotFound, Code: "not_found", Title: "No such path", Detail: "POST /chat takes messages."})
		return
	}
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	if h := m[method]; h != nil {
		h(w, r)
		return
	}
	allow := slices.Sorted(maps.Keys(m))
	if m[http.MethodGet] != nil {
		allow = append(allow, http.MethodHead)
	}
	list := strings.Join(allow, ", ")
	w.Header().Set("Allow", list)
	WriteProblem(w, &Problem{Status: http.StatusMethodNotAllowed, Code: "method_not_allowed", Title: "Method not allowed", Detail: "This path takes " + list + "."})
}

// responseWriter notes whether anything was written, for a panic afterwards, and the status.
type responseWriter struct {
	http.ResponseWriter
	started bool
	status  int
	stream  bool // each write has its own deadline instead of one for all
}

func (a *responseWriter) WriteHeader(status int) {
	if !a.started && status >= 200 {
		a.started, a.status = true, status
	}
	a.ResponseWriter.WriteHeader(status)
}

func (a *responseWriter) Write(b []byte) (int, error) {
	a.started = true
	defer a.deadline()()
	return a.ResponseWriter.Write(b)
}

// FlushError is called by http.ResponseController.
func (a *responseWriter) FlushError() error {
	a.started = true
	defer a.deadline()()
	return http.NewResponseController(a.ResponseWriter).Flush()
}

// Flush implements http.Flusher.
func (a *responseWriter) Flush() { _ = a.FlushError() }

// deadline sets a deadline for one write of a stream and returns how to lift it: any time may pass
// between two writes.
func (a *responseWriter) deadline() (lift func()) {
	if !a.stream {
		return func() {}
	}
	rc := http.NewResponseController(a.ResponseWriter)
	_ = rc.SetWriteDeadline(time.Now().Add(writeTimeout))
	return func() { _ = rc.SetWriteDeadline(time.Time{}) }
}

// Unwrap lets http.ResponseController find the connection.
func (a *responseWriter) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// recover turns a panic into an answer, or closes the connection if the answer has begun. The value of
// the panic may hold a param value, so only its location is reported.
func (a *API) recover(out *responseWriter) {
	p := recover()
	if p == nil {
		return
	}
	if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) { // it is meant to abort
		panic(p)
	}
	a.opts.Sink.Record(telemetry.Event{
		Level: telemetry.LevelError, Stage: telemetry.StageError,
		Payload: telemetry.Failure{Code: "panic", Stage: "httpapi", Message: telemetry.Scrub("recovered at "+router.PanicSite(), nil)},
	})
	if out.started {
		panic(http.ErrAbortHandler)
	}
	WriteProblem(out, internal)
}

// mustJSON is json.Marshal for values that always encode.
func mustJSON(v any) []byte {
	body, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return body
}

// WriteJSON answers with one JSON value of a media type.
func WriteJSON(w http.ResponseWriter, status int, kind string, v any) {
	body := append(mustJSON(v), '\n')
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client is gone
}
