package recorded_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/tools"
	"github.com/slotway/slotway/tools/llm"
	"github.com/slotway/slotway/tools/llm/recorded"
)

// where are the two ways to the recordings: the options of a client that uses one.
var where = map[string]func(testing.TB, string) llm.Options{
	"client": func(tb testing.TB, path string) llm.Options {
		return llm.Options{BaseURL: "http://model.invalid/v1", HTTPClient: recorded.Client(tb, path)}
	},
	"server": func(tb testing.TB, path string) llm.Options {
		return llm.Options{BaseURL: recorded.Server(tb, path) + "/v1"}
	},
}

func open(t *testing.T, opts llm.Options, model string) *llm.Client {
	t.Helper()
	opts.Model, opts.APIKey = model, "any"
	c, err := llm.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestChat(t *testing.T) {
	for name, use := range where {
		t.Run(name, func(t *testing.T) {
			c := open(t, use(t, "testdata/chat.txtar"), "small")
			for range 2 { // the last recording is good for ever
				text, err := c.Generate(t.Context(), "Answer in one word.", []llm.Message{{Role: "user", Text: "Which day follows Monday?"}})
				if err != nil || text != "Tuesday" {
					t.Errorf("%q, %v", text, err)
				}
			}
			there := []llm.Message{{Role: "user", Text: "Are you there?"}}
			if _, err := c.WithRetries(0).Generate(t.Context(), "", there); tools.CodeOf(err) != tools.Unavailable {
				t.Errorf("%v, want unavailable", err)
			}
			if text, err := c.Generate(t.Context(), "", there); err != nil || text != "Now I am." {
				t.Errorf("%q, %v", text, err)
			}
			var parts []string
			_, err := c.Stream(t.Context(), "", []llm.Message{{Role: "user", Text: "Count to three."}}, func(part string) error {
				parts = append(parts, part)
				return nil
			})
			if diff := cmp.Diff([]string{"One, ", "two, three."}, parts); diff != "" || err != nil {
				t.Errorf("%v, parts (-want +got):\n%s", err, diff)
			}
		})
	}
}

// TestRetry: a recording without a network lets a bubble's clock go on.
func TestRetry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, where["client"](t, "testdata/chat.txtar"), "small")
		start := time.Now()
		text, err := c.Generate(t.Context(), "", []llm.Message{{Role: "user", Text: "Are you there?"}})
		if err != nil || text != "Now I am." || time.Since(start) != time.Second {
			t.Errorf("%q, %v after %v", text, err, time.Since(start))
		}
	})
}

func TestEmbed(t *testing.T) {
	for name, use := range where {
		t.Run(name, func(t *testing.T) {
			got, err := open(t, use(t, "testdata/embed.txtar"), "small-embed").Embed(t.Context(), []string{"a red bicycle", "the quarterly invoice"})
			want := [][]float32{{0.9, 0.3, -0.2}, {0.1, -0.7, 0.7}}
			if diff := cmp.Diff(want, got); diff != "" || err != nil {
				t.Errorf("%v, vectors (-want +got):\n%s", err, diff)
			}
		})
	}
}

// TestOrder: equal requests have their responses in turn, whatever stands between, and the
// last one for good. What does not count is not compared.
func TestOrder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "order.txtar")
	var file strings.Builder
	for i, e := range [][2]string{{`{"b":1, "a":"x"}`, "one"}, {`{"a":"y"}`, "other"}, {"{\n\"a\":\"x\",\"b\":1}", "two"}, {`{"b":1,"a":"x"}`, "three"}} {
		fmt.Fprintf(&file, "-- %[1]d request --\nPOST /p?b=2&a=1\n\n%[2]s\n-- %[1]d response --\n200\n\n%[3]s\n", i+1, e[0], e[1])
	}
	if err := os.WriteFile(path, []byte(file.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	client := recorded.Client(t, path)
	var got []string
	for range 4 {
		resp, err := client.Post("http://model.invalid/p?a=1&b=2", "", strings.NewReader(`{"a":"x","b":1}`))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, strings.TrimSpace(string(text)))
	}
	if diff := cmp.Diff([]string{"one", "two", "three", "three"}, got); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
}

// watched is a test that is not failed by what is recorded about it.
type watched struct {
	testing.TB
	mu       sync.Mutex
	errors   []string
	cleanups []func()
}

func (w *watched) Errorf(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.errors = append(w.errors, fmt.Sprintf(format, args...))
}

func (w *watched) Failed() bool     { return len(w.errors) > 0 }
func (w *watched) Cleanup(f func()) { w.cleanups = append(w.cleanups, f) }

// end runs the cleanups.
func (w *watched) end() {
	for i := len(w.cleanups) - 1; i >= 0; i-- {
		w.cleanups[i]()
	}
}

func TestNotRecorded(t *testing.T) {
	for name, use := range where {
		t.Run(name, func(t *testing.T) {
			w := &watched{TB: t}
			c := open(t, use(w, "testdata/chat.txtar"), "small")
			if _, err := c.Generate(t.Context(), "", []llm.Message{{Role: "user", Text: "Who knows?"}}); err == nil {
				t.Error("answered")
			}
			w.end()
			if len(w.errors) != 1 || !strings.Contains(w.errors[0], "no recording in testdata/chat.txtar of POST /v1/chat/completions\n{") || !strings.Contains(w.errors[0], `"Who knows?"`) {
				t.Errorf("the test was told %q", w.errors)
			}
		})
	}
	tape, err := recorded.Open("testdata/chat.txtar")
	if err != nil {
		t.Fatal(err)
	}
	_, err = (&http.Client{Transport: tape}).Get("http://model.invalid/v1/models?key=secret-1")
	if !errors.Is(err, recorded.ErrNotRecorded) || strings.Contains(strings.Join(tape.Missed(), ""), "secret-1") {
		t.Errorf("%v; missed %q", err, tape.Missed())
	}
}

// secrets are what a recording may not hold.
var secrets = []string{
	"plain-secret-of-mine", "sk-proj-abcDEF123456789_x-y", "AIzaSyA1234567890abcdefghijk", "ghp_0123456789abcdefABCDEF",
	"eyJhbGciOi.eyJzdWIiOi.c2lnbmF0dXJl", "0123456789abcdef0123456789ABCDEF", strings.Repeat("Az9", 28), "by-its-name",
}

// leaky is a model server that gives away what it was sent and more.
func leaky(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(err)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Set-Cookie", "session="+secrets[1])
	answer := map[string]any{
		"echo": string(body), "headers": fmt.Sprint(r.Header), "password": "by-its-name", "vector": []float64{0.5, -1e-7, 3},
		"choices": []any{map[string]any{"message": map[string]any{"content": strings.Join(secrets[1:7], " ") + " and a word"}}},
	}
	if err := json.NewEncoder(w).Encode(answer); err != nil {
		panic(err)
	}
}

func TestRecord(t *testing.T) {
	for name := range where {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(leaky))
			defer server.Close()
			path := filepath.Join(t.TempDir(), "deep", "made.txtar")
			ask := func(azure bool, base string, client *http.Client) string {
				opts := llm.Options{BaseURL: base, Model: "small", APIKey: secrets[0], HTTPClient: client}
				if azure {
					opts.API = llm.Azure
				}
				c, err := llm.New(opts)
				if err != nil {
					t.Fatal(err)
				}
				text, err := c.Generate(t.Context(), "", []llm.Message{{Role: "user", Text: "<my> key is " + secrets[0] + " or " + secrets[1]}})
				if err != nil {
					t.Fatal(err)
				}
				return text
			}
			round := func() []string {
				w := &watched{TB: t}
				base, client := server.URL, (*http.Client)(nil)
				if name == "client" {
					client = recorded.Client(w, path)
				} else {
					base = recorded.Server(w, path)
				}
				answers := []string{ask(false, base, client), ask(true, base, client)}
				w.end()
				if len(w.errors) > 0 {
					t.Fatal(w.errors)
				}
				return answers
			}
			t.Setenv("SLOTWAY_RECORD", `deep/made\.txtar$`)
			t.Setenv("SLOTWAY_RECORD_SERVER", server.URL)
			first := round()
			server.Close()
			raw, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range secrets {
				if strings.Contains(string(raw), s) {
					t.Errorf("recorded %q", s)
				}
			}
			if text := string(raw); strings.Contains(text, "Cookie") || !strings.Contains(text, "<my> key is [scrubbed] or [scrubbed]") || !strings.Contains(text, "[0.5,-1e-7,3]") {
				t.Errorf("recorded\n%s", text)
			}
			t.Setenv("SLOTWAY_RECORD", "others")
			if diff := cmp.Diff(first, round()); diff != "" || !strings.Contains(first[0], "and a word") {
				t.Errorf("played, and not recorded (-recorded +played):\n%s", diff)
			}
		})
	}
}

// TestFailedRecording: a test that fails does not spoil its file.
func TestFailedRecording(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kept.txtar")
	if err := os.WriteFile(path, []byte("as it was"), 0o600); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(leaky))
	defer server.Close()
	t.Setenv("SLOTWAY_RECORD", ".")
	w := &watched{TB: t}
	c := open(t, llm.Options{BaseURL: server.URL, HTTPClient: recorded.Client(w, path)}, "small")
	if _, err := c.Generate(t.Context(), "", nil); err != nil {
		t.Fatal(err)
	}
	w.Errorf("another trouble")
	w.end()
	if raw, err := os.ReadFile(path); err != nil || string(raw) != "as it was" {
		t.Errorf("%q, %v", raw, err)
	}
}

func TestBrokenFiles(t *testing.T) {
	const request, response = "-- 1 request --\nPOST /x\n\n{}\n", "-- 1 response --\n200\n\n{}\n"
	tests := map[string]string{
		"empty":             "",
		"no response":       request,
		"another order":     response + request,
		"another number":    request + response + strings.ReplaceAll(request+response, "1 ", "3 "),
		"no path":           "-- 1 request --\nPOST\n\n{}\n" + response,
		"a whole URL":       "-- 1 request --\nPOST http://\n\n{}\n" + response,
		"no status":         request + "-- 1 response --\n{}\n",
		"an odd status":     request + "-- 1 response --\n99\n\n{}\n",
		"a broken header":   request + "-- 1 response --\n200\nContent-Type\n\n{}\n",
		"no end of headers": request + "-- 1 response --\n200\n{}\n",
	}
	for name, text := range tests {
		path := filepath.Join(t.TempDir(), "broken.txtar")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := recorded.Open(path); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if _, err := recorded.Open("testdata/nothing.txtar"); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "SLOTWAY_RECORD") {
		t.Errorf("no file: %v", err)
	}
	t.Setenv("SLOTWAY_RECORD", "(")
	if _, err := recorded.Open("testdata/chat.txtar"); err == nil {
		t.Error("a broken pattern: accepted")
	}
}
