package httptool_test

import (
	"net/http"
	"testing"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/tools"
)

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
