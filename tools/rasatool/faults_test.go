package rasatool_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/internal/test/faulttest"
	"github.com/slotway/slotway/tools"
)

// TestFaults goes through every fault. A write is uncertain if and only if it may have
// happened.
func TestFaults(t *testing.T) {
	for _, f := range faulttest.Faults() {
		for _, effect := range []config.Effect{config.EffectRead, config.EffectWrite} {
			t.Run(f.Name+"/"+string(effect), func(t *testing.T) {
				server := faulttest.Start(t, f, nil)
				spec := tools.Spec{URL: server.URL, Effect: effect}
				r := tools.New(nil)
				tool := newTool(t, spec)
				spec.Name, spec.Timeout = "check", f.Limit()
				if err := r.Register(&spec, tool); err != nil {
					t.Fatal(err)
				}
				_, err := r.Call(t.Context(), tools.Call{Tool: "check", Args: map[string]any{"id": canary}, IdempotencyKey: "k"})
				server.Check(t, err)
				want, known := faulttest.Codes()[f.Name]
				if !known {
					want = tools.Failed // redirects
				}
				var failed *tools.Error
				if !errors.As(err, &failed) || failed.Code != want {
					t.Fatalf("%v, want %s", err, want)
				}
				certain := !f.Arrives || strings.HasPrefix(f.Name, "429") || strings.HasPrefix(f.Name, "307")
				if uncertain := effect == config.EffectWrite && !certain; failed.Uncertain != uncertain {
					t.Errorf("%v: uncertain %v, want %v", err, failed.Uncertain, uncertain)
				}
				if f.Arrives && server.Asked() != 1 {
					t.Errorf("asked %d times", server.Asked())
				}
			})
		}
	}
}
