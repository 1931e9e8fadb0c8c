package httptool_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/internal/test/faulttest"
	"github.com/slotway/slotway/tools"
	"github.com/slotway/slotway/tools/httptool"
)

// certain are the faults that say that a write did not take place, although it got there.
func certain(f faulttest.Fault) bool {
	return strings.HasPrefix(f.Name, "429") || strings.HasPrefix(f.Name, "307")
}

// TestFaults goes through every fault with the three kinds of tool. A write is uncertain
// if and only if it may have happened, and only a repeatable one is sent again.
func TestFaults(t *testing.T) {
	kinds := map[string]tools.Spec{
		"read":             {Effect: config.EffectRead, Retries: 1},
		"write":            {Effect: config.EffectWrite, Retries: 1},
		"idempotent write": {Effect: config.EffectWrite, Idempotent: true, Retries: 1},
	}
	for _, f := range faulttest.Faults() {
		for kind, s := range kinds {
			t.Run(f.Name+"/"+kind, func(t *testing.T) {
				server := faulttest.Start(t, f, nil)
				s.Name, s.Timeout, s.URL = "t", f.Limit(), server.URL+"/orders/{id}"
				tool, err := httptool.New(&s, environment(""), nil)
				if err != nil {
					t.Fatal(err)
				}
				r := tools.New(&tools.Options{Backoff: 1})
				if err := r.Register(&s, tool); err != nil {
					t.Fatal(err)
				}
				_, err = r.Call(t.Context(), tools.Call{Tool: "t", Args: map[string]any{"id": value}, IdempotencyKey: "k"})
				server.Check(t, err)
				want, known := faulttest.Codes()[f.Name]
				if !known {
					want = tools.Failed // redirects
				}
				if f.Name == "other JSON" {
					want = "" // any JSON is a result
				}
				if tools.CodeOf(err) != want {
					t.Errorf("%v, want %q", err, want)
				}
				var failed *tools.Error
				if !errors.As(err, &failed) {
					return
				}
				uncertain := s.Effect == config.EffectWrite && f.Arrives && !certain(f)
				if failed.Uncertain != uncertain {
					t.Errorf("%v: uncertain %v, want %v", err, failed.Uncertain, uncertain)
				}
				most := 1
				if kind != "write" && failed.Retryable && failed.RetryAfter == 0 {
					most = 2
				}
				if f.Arrives && server.Asked() != most {
					t.Errorf("asked %d times, want %d", server.Asked(), most)
				}
				if err := r.Close(context.Background()); err != nil {
					t.Error(err)
				}
			})
		}
	}
}
