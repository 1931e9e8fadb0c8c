package llm_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/slotway/slotway/tools"
	"github.com/slotway/slotway/tools/llm"
)

const canary = "CANARY-77"

func serve(t *testing.T, h http.HandlerFunc) *llm.Client {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	c, err := llm.New(llm.Options{BaseURL: s.URL + "/v1", Model: "small", APIKey: "key-" + canary, Retries: -1})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestGenerate(t *testing.T) {
	type message struct{ Role, Content string }
	var got struct {
		Model    string
		Messages []message
	}
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/chat/completions" || r.Header.Get("Authorization") != "Bearer key-"+canary {
			t.Errorf("asked %s with %q", r.URL.Path, r.Header.Get("Authorization"))
		}
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
			t.Error(err)
		}
		io.WriteString(w, `{"choices":[{"message":{"role":"assistant","content":"Hello."}}]}`)
	})
	text, err := c.Generate(t.Context(), "be short", []llm.Message{{"user", "hi"}, {"agent", "yes?"}, {"user", "well"}})
	if err != nil || text != "Hello." {
		t.Fatalf("%q, %v", text, err)
	}
	want := []message{{"system", "be short"}, {"user", "hi"}, {"assistant", "yes?"}, {"user", "well"}}
	if diff := cmp.Diff(want, got.Messages); diff != "" || got.Model != "small" {
		t.Errorf("model %q, messages (-want +got):\n%s", got.Model, diff)
	}
}

func TestFailures(t *testing.T) {
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(code)
			fmt.Fprintf(w, `{"error":{"message":"you said %s"}}`, canary)
		}
	}
	text := func(s string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, s) }
	}
	tests := []struct {
		name    string
		handler http.HandlerFunc
		code    tools.Code
	}{
		{"key", status(401), tools.Denied},
		{"model", status(404), tools.NotFound},
		{"rate", status(429), tools.RateLimited},
		{"down", status(503), tools.Unavailable},
		{"redirect", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://192.0.2.1/"+canary, http.StatusTemporaryRedirect)
		}, tools.Failed},
		{"half", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "999")
			io.WriteString(w, canary)
			panic(http.ErrAbortHandler)
		}, tools.Unavailable},
		{"huge", text(`{"choices":[{"message":{"content":"` + strings.Repeat("x", tools.MaxResult) + `"}}]}`), tools.BadResult},
		{"no JSON", text("<html>" + canary), tools.BadResult},
		{"other JSON", text(`{"choices":"` + canary + `"}`), tools.BadResult},
		{"no choice", text(`{"choices":[]}`), tools.BadResult},
		{"empty", text(`{"choices":[{"message":{"content":""}}]}`), tools.BadResult},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := serve(t, tt.handler).Generate(t.Context(), "", []llm.Message{{"user", canary}})
			if tools.CodeOf(err) != tt.code || err == nil {
				t.Fatalf("%v, want %s", err, tt.code)
			}
			if s := fmt.Sprintf("%v %+v %#v", err, err, err); strings.Contains(s, canary) || strings.Contains(s, "127.0.0.1") {
				t.Errorf("the error leaks: %s", s)
			}
		})
	}
}

func TestCancelled(t *testing.T) {
	arrived := make(chan struct{})
	c := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body) // the server notices a lost client only after the body
		close(arrived)
		<-r.Context().Done()
	})
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-arrived; cancel() }()
	if _, err := c.Generate(ctx, "", nil); tools.CodeOf(err) != tools.Timeout {
		t.Errorf("%v, want timeout", err)
	}
}

func TestRefused(t *testing.T) {
	for _, o := range []llm.Options{{}, {BaseURL: "http://localhost"}, {Model: "m"}} {
		if _, err := llm.New(o); err == nil {
			t.Errorf("New(%+v): accepted", o)
		}
	}
	c := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("a request was made") })
	if _, err := c.Generate(t.Context(), "", []llm.Message{{"tool", "x"}}); tools.CodeOf(err) != tools.InvalidInput {
		t.Errorf("%v, want invalid_input", err)
	}
}
