package httptool

import (
	"io"
	"net/http"
	"strings"
)

// keyNames are the headers that make net/http repeat a request.
var keyNames = []string{"Idempotency-Key", "X-Idempotency-Key"}

// repeated are the methods that net/http repeats whatever the headers.
var repeated = map[string]bool{http.MethodGet: true, http.MethodHead: true, http.MethodOptions: true, http.MethodTrace: true}

// sendOnce keeps net/http from repeating a write when a used connection breaks: the other side may
// have acted already, and only the registry knows whether it may act twice. net/http looks for the
// key in its canonical spelling, and never repeats a request whose body it cannot read again; names
// of headers have no case (RFC 9110, section 5.1).
func sendOnce(req *http.Request) {
	keyed := false
	for _, name := range keyNames {
		if values := req.Header[name]; len(values) > 0 {
			keyed = true
			req.Header[strings.ToLower(name)] = values
			delete(req.Header, name)
		}
	}
	if keyed && req.Body == nil && repeated[req.Method] {
		req.Body = io.NopCloser(strings.NewReader(""))
	}
}
