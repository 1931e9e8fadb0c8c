package httpapi

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/slotway/slotway/memory"
)

// breaking is a store whose exports break off after so many bytes.
type breaking struct {
	Store
	after int
}

var errBroken = errors.New("the store broke")

func (s breaking) Export(_ context.Context, _ memory.Key, w io.Writer) error {
	if _, err := io.WriteString(w, strings.Repeat("x", s.after)); err != nil {
		return err
	}
	return errBroken
}

// An export that breaks off half way is no answer that looks whole; one that breaks off
// before anything was sent is a problem.
func TestBrokenExport(t *testing.T) {
	w := newFixture(t)
	whole := w.api.opts.Memory.Store
	for after, want := range map[int]string{0: "500", 1000: "500", 10 << 20: "unexpected EOF"} {
		w.api.opts.Memory.Store = breaking{whole, after}
		server := httptest.NewServer(w.api)
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/v1/sessions/s/export?reveal=true", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("X-Test-User", "ann")
		res, err := server.Client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.ReadAll(res.Body)
		res.Body.Close()
		server.Close()
		got := res.Status
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, want) {
			t.Errorf("broken after %d bytes it is %q, want %q", after, got, want)
		}
		if want == "500" && res.Header.Get("Content-Type") != "application/problem+json" {
			t.Errorf("broken after %d bytes it is of type %s", after, res.Header.Get("Content-Type"))
		}
	}
}
