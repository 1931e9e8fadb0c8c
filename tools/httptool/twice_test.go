package httptool_test

import (
	"io"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/tools"
)

// net/http sends a request again by itself when a connection that was used before breaks
// under it, and takes an Idempotency-Key header, or the method GET, for leave to do so. A
// write must not get there twice that way.
func TestWriteIsSentOnceOverAConnectionThatBreaks(t *testing.T) {
	for name, change := range map[string]func(*tools.Spec){
		"with a body": func(s *tools.Spec) { s.Body = map[string]any{"a": 1.0} },
		"without":     func(*tools.Spec) {},
		"by GET":      func(s *tools.Spec) { s.Method = "get" },
		"idempotent":  func(s *tools.Spec) { s.Idempotent = true },
	} {
		t.Run(name, func(t *testing.T) {
			var asked atomic.Int64
			base := serve(t, func(w http.ResponseWriter, r *http.Request) {
				io.Copy(io.Discard, r.Body)
				if asked.Add(1) > 1 {
					panic(http.ErrAbortHandler) // it was done, and the connection broke
				}
				answerJSON(w, `"done"`)
			})
			s := spec(config.EffectWrite)
			change(s)
			tool := newTool(t, s, base)
			call := tools.Call{Tool: "t", Args: map[string]any{"id": value}, IdempotencyKey: "k"}
			if _, err := tool.Call(t.Context(), call); err != nil {
				t.Fatal(err)
			}
			_, err := tool.Call(t.Context(), call)
			check(t, err, tools.Error{Code: tools.Unavailable, Retryable: true, Uncertain: true})
			if n := asked.Load(); n != 2 {
				t.Errorf("the second write was sent %d times", n-1)
			}
		})
	}
}

// A redirect in answer to a write says that it may have been carried out: 303 means it
// (RFC 9110, section 15.4.4), and 301 and 302 are used so. 307 and 308 ask for the write
// to be made elsewhere.
func TestRedirectedWrites(t *testing.T) {
	for status, uncertain := range map[int]bool{301: true, 302: true, 303: true, 307: false, 308: false} {
		tool := newTool(t, spec(config.EffectWrite), serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "http://10.20.30.40/"+value)
			w.WriteHeader(status)
		}))
		_, err := tool.Call(t.Context(), tools.Call{Tool: "t", Args: map[string]any{"id": value}, IdempotencyKey: "k"})
		check(t, err, tools.Error{Code: tools.Failed, Uncertain: uncertain})
	}
	// Where the redirect leads to what the write made, nothing that is found there undoes it.
	for status, want := range map[int]tools.Error{
		404: {Code: tools.NotFound, Uncertain: true},
		429: {Code: tools.RateLimited, Retryable: true, Uncertain: true},
	} {
		tool := newTool(t, spec(config.EffectWrite), serve(t, func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				http.Redirect(w, r, "/made", http.StatusSeeOther)
				return
			}
			w.WriteHeader(status)
		}))
		_, err := tool.Call(t.Context(), tools.Call{Tool: "t", Args: map[string]any{"id": value}, IdempotencyKey: "k"})
		check(t, err, want)
	}
}
