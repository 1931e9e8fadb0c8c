package httptool_test

import (
	"errors"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/tools"
)

// net/http sends a request again by itself when a connection that was used before breaks and
// the request has an idempotency key, or a method that stands for reading. The other side
// may have acted by then, so no write may be sent twice.
func TestNoRequestIsSentTwice(t *testing.T) {
	for _, c := range []struct {
		name   string
		method string
		header string // that the tool declares
		body   any
	}{
		{name: "POST"},
		{name: "POST with a body", body: map[string]any{"a": 1}},
		{name: "PUT", method: http.MethodPut},
		{name: "GET", method: http.MethodGet},
		{name: "a key of its own", header: "X-Idempotency-Key"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var calls atomic.Int64
			base := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Idempotency-Key") != "k" {
					t.Errorf("the key is %q", r.Header.Get("Idempotency-Key"))
				}
				if calls.Add(1) > 1 {
					panic(http.ErrAbortHandler) // it has acted
				}
				answerJSON(w, "{}")
			})
			s := spec(config.EffectWrite)
			s.Method, s.Body = c.method, c.body
			if c.header != "" {
				s.Headers[c.header] = "mine"
			}
			tool := newTool(t, s, base)
			call := tools.Call{Args: map[string]any{"id": "x"}, IdempotencyKey: "k"}
			if _, err := tool.Call(t.Context(), call); err != nil {
				t.Fatal(err)
			}
			_, err := tool.Call(t.Context(), call) // on the same connection
			var te *tools.Error
			if !errors.As(err, &te) || te.Code != tools.Unavailable || !te.Uncertain {
				t.Errorf("error %v", err)
			}
			if n := calls.Load(); n != 2 {
				t.Errorf("%d requests were made for two calls", n)
			}
		})
	}
}
