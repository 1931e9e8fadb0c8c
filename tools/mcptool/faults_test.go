package mcptool_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/internal/test/faulttest"
	"github.com/slotway/slotway/tools"
	"github.com/slotway/slotway/tools/mcptool"
)

// faultCodes are what a call makes of the faults; every other one breaks the connection.
var faultCodes = map[string]tools.Code{
	"hangs": tools.Timeout, "drips": tools.Timeout,
	"429 for seconds": tools.RateLimited, "429 until a date": tools.RateLimited,
}

// TestFaults goes through every fault, of the server as a whole and of its tool calls
// alone. A write is uncertain if and only if the call got there and was not turned away.
func TestFaults(t *testing.T) {
	for _, f := range faulttest.Faults() {
		t.Run(f.Name+"/connecting", func(t *testing.T) { faultyServer(t, f, false) })
		if f.Arrives {
			t.Run(f.Name+"/calling", func(t *testing.T) { faultyServer(t, f, true) })
		}
	}
}

func faultyServer(t *testing.T, f faulttest.Fault, connects bool) {
	side := &legacy{}
	pass := func(w http.ResponseWriter, r *http.Request) bool {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		if !connects || bytes.Contains(body, []byte("tools/call")) {
			return false
		}
		side.ServeHTTP(w, r)
		return true
	}
	server := faulttest.Start(t, f, pass)
	s := newServer(t, &config.MCPServer{Name: "faulty", URL: server.URL})
	spec := &tools.Spec{Name: "t", Remote: "any", Effect: config.EffectWrite, Timeout: f.Limit()}
	r := tools.New(nil)
	if err := r.Register(spec, mcptool.New(spec, s)); err != nil {
		t.Fatal(err)
	}
	_, err := r.Call(t.Context(), tools.Call{Tool: "t", IdempotencyKey: "k", Args: map[string]any{"text": canary}})
	server.Check(t, err)
	want, known := faultCodes[f.Name]
	if !known {
		want = tools.Unavailable
	}
	var failed *tools.Error
	if !errors.As(err, &failed) || failed.Code != want {
		t.Fatalf("%v, want %s", err, want)
	}
	if uncertain := connects && !strings.HasPrefix(f.Name, "429"); failed.Uncertain != uncertain {
		t.Errorf("%v: uncertain %v, want %v", err, failed.Uncertain, uncertain)
	}
	if connects && server.Asked() != 1 {
		t.Errorf("the tool was called %d times", server.Asked())
	}
	if err := r.Close(context.Background()); err != nil {
		t.Error(err)
	}
}
