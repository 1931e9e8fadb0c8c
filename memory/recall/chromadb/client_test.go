package chromadb

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/slotway/slotway/memory/recall"
)

func TestOpen(t *testing.T) {
	for _, test := range []struct {
		address, collection string
		want                error
	}{
		{"http://127.0.0.1:8000", "slotway", nil},
		{"https://chroma.example/base/", "My-Agent_1", nil},
		{"", "slotway", ErrURL},
		{"127.0.0.1:8000", "slotway", ErrURL},
		{"ftp://host", "slotway", ErrURL},
		{"http://user:secret@host", "slotway", ErrURL},
		{"http://host/?key=secret", "slotway", ErrURL},
		{"http://host", "a/b", ErrCollection},
		{"http://host", "-a", ErrCollection},
		{"http://host", strings.Repeat("a", 41), ErrCollection},
	} {
		s, err := Open(test.address, test.collection, "")
		if !errors.Is(err, test.want) || (err == nil) != (test.want == nil) {
			t.Errorf("Open(%q, %q) gives %v, want %v", test.address, test.collection, err, test.want)
		}
		if err == nil && s.client.base != strings.TrimSuffix(test.address, "/")+"/api/v2/tenants/default_tenant/databases/default_database/collections" {
			t.Errorf("calls go to %s", s.client.base)
		}
	}
}

// served is a server that answers every call by one function.
func served(t *testing.T, h http.HandlerFunc) (*Store, *atomic.Int32) {
	t.Helper()
	var calls atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		h(w, r)
	}))
	t.Cleanup(server.Close)
	s, err := Open(server.URL, "slotway", "canary-key")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s, &calls
}

// TestAnswers: what a server says in an error, and the key it is called with, are told to
// nobody; and it is called once.
func TestAnswers(t *testing.T) {
	for _, test := range []struct {
		name   string
		answer http.HandlerFunc
		calls  int32
	}{
		{"down", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "canary", http.StatusServiceUnavailable) }, 1},
		{"too many", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "canary", http.StatusTooManyRequests) }, 1},
		{"refused", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "canary", http.StatusForbidden) }, 1},
		{"no JSON", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("canary")) }, 1},
		{"no id", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{"name":"canary"}`)) }, 1},
		{"elsewhere", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/canary", http.StatusFound) }, 1},
		{"cut off", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			_, _ = w.Write([]byte(`{"id":"canary`))
		}, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, calls := served(t, test.answer)
			_, err := s.Nearest(t.Context(), recall.VectorQuery{Model: "m", Vector: []float32{1}, K: 1})
			if !errors.Is(err, ErrServer) {
				t.Fatalf("a search gives %v, want ErrServer", err)
			}
			if strings.Contains(err.Error(), "canary") || strings.Contains(err.Error(), "127.0.0.1") {
				t.Errorf("the error tells %q", err)
			}
			if calls.Load() != test.calls {
				t.Errorf("%d calls, want %d", calls.Load(), test.calls)
			}
		})
	}
}

// TestForeign: a record of another scope is not an answer, whatever the server thinks.
func TestForeign(t *testing.T) {
	s, _ := served(t, func(w http.ResponseWriter, r *http.Request) {
		answer := `{"id":"c","name":"n"}`
		if strings.HasSuffix(r.URL.Path, "/query") {
			answer = `{"ids":[["x"]],"metadatas":[[{"scope":"00112233445566778899aabbccddeeff","session":"00112233445566778899aabbccddeeff"}]],"distances":[[0]]}`
		}
		_, _ = w.Write([]byte(answer))
	})
	q := recall.VectorQuery{Scope: recall.ScopeID("u", "a"), Model: "m", Vector: []float32{1}, K: 1}
	if found, err := s.Nearest(t.Context(), q); !errors.Is(err, ErrServer) {
		t.Errorf("found %v, %v", found, err)
	}
}

// TestDocumentsOfAnotherModel: the collection of documents has one model. What another process has
// created anew is found.
func TestDocumentsOfAnotherModel(t *testing.T) {
	var model atomic.Value
	model.Store("old")
	scope := recall.ScopeID("u", "a")
	s, _ := served(t, func(w http.ResponseWriter, r *http.Request) {
		answer := fmt.Sprintf(`{"id":"of %[1]s","name":"slotway","metadata":{"slotway":"slotway","model":"%[1]s","dim":1}}`, model.Load())
		if strings.HasSuffix(r.URL.Path, "/query") {
			answer = fmt.Sprintf(`{"metadatas":[[{"scope":"%s","session":"%[1]s"}]],"distances":[[0]]}`, scope)
		}
		_, _ = w.Write([]byte(answer))
	})
	found := func(by string) int {
		t.Helper()
		near, err := s.Nearest(t.Context(), recall.VectorQuery{Scope: scope, Model: by, Vector: []float32{1}, K: 1})
		if err != nil {
			t.Fatal(err)
		}
		return len(near)
	}
	if a, b := found("old"), found("new"); a != 1 || b != 0 {
		t.Errorf("found %d by the model of the collection and %d by another, want 1 and 0", a, b)
	}
	model.Store("new")
	if n := found("new"); n != 1 {
		t.Errorf("found %d after the collection was created anew, want 1", n)
	}
}

// TestLargeAnswer: an answer without end is not read to its end.
func TestLargeAnswer(t *testing.T) {
	s, _ := served(t, func(w http.ResponseWriter, _ *http.Request) {
		block := []byte(strings.Repeat(" ", 1<<20))
		for {
			if _, err := w.Write(block); err != nil {
				return
			}
		}
	})
	_, err := s.Nearest(t.Context(), recall.VectorQuery{Model: "m", Vector: []float32{1}, K: 1})
	if !errors.Is(err, ErrServer) {
		t.Errorf("a search gives %v", err)
	}
}

// TestPatience: a call that does not answer ends with its caller's patience.
func TestPatience(t *testing.T) {
	over := make(chan struct{})
	s, _ := served(t, func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-over:
		}
	})
	defer close(over)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err := s.Nearest(ctx, recall.VectorQuery{Model: "m", Vector: []float32{1}, K: 1})
	if !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, ErrServer) {
		t.Errorf("a search gives %v", err)
	}
}
