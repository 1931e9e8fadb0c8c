package llm_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/tools"
	"github.com/slotway/slotway/tools/llm"
)

// part is a stream's event with a piece of text.
func part(text string) string {
	return fmt.Sprintf(`data: {"choices":[{"index":0,"delta":{"content":%q},"finish_reason":null}]}`+"\n\n", text)
}

const (
	stop = `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\n"
	done = "data: [DONE]\n\n"
)

func TestStream(t *testing.T) {
	tests := []struct {
		name, body string
		parts      []string
		code       tools.Code
	}{
		{"whole", part("") + part("Hel") + part("lo.") + stop + done, []string{"Hel", "lo."}, ""},
		{"no last line end", part("a") + "data: [DONE]", []string{"a"}, ""},
		{"no done", part("a") + stop, []string{"a"}, ""},
		{"no stop", part("a") + done, []string{"a"}, ""},
		{"line ends", strings.ReplaceAll(part("a")+part("b")+done, "\n", "\r\n"), []string{"a", "b"}, ""},
		{"no space", strings.ReplaceAll(part("a")+done, "data: ", "data:"), []string{"a"}, ""},
		{"comments", ": wait\n\n" + strings.Repeat(": still\n\n", 1000) + part("a") + "event: x\nid: 7\nretry: 1\ndata:\n" + part("b") + done, []string{"a", "b"}, ""},
		{"other choices and events", `data: {"choices":[]}` + "\n\n" + `data: {"usage":{}}` + "\n" + `data: {"choices":[{"index":1,"delta":{"content":"no"}},{"index":0,"delta":{"content":"a"}}]}` + "\n\n" + done, []string{"a"}, ""},
		{"after done", part("a") + done + part("b"), []string{"a"}, ""},
		{"marks in text", part("data: [DONE]\n") + part(`{"error":1}`) + done, []string{"data: [DONE]\n", `{"error":1}`}, ""},
		{"no stream", hello, []string{"Hello."}, ""},
		{"no stream, after space", "\n  " + hello + "\n", []string{"Hello."}, ""},
		{"half", part("a") + part("b"), []string{"a", "b"}, tools.Unavailable},
		{"half a line", part("a") + part("b")[:20], []string{"a"}, tools.BadResult},
		{"nothing", "", nil, tools.Unavailable},
		{"only done", done, nil, tools.BadResult},
		{"no stream, no text", `{"choices":[]}`, nil, tools.BadResult},
		{"no stream, half", hello[:20], nil, tools.BadResult},
		{"no stream, huge", `{"choices":[{"message":{"content":"` + strings.Repeat("x", tools.MaxResult) + `"}}]}`, nil, tools.BadResult},
		{"a page", "<html>" + canary, nil, tools.Unavailable},
		{"error", part("a") + `data: {"error":{"message":"` + canary + `"}}` + "\n\n" + done, []string{"a"}, tools.Unavailable},
		{"error, spaced", part("a") + `data: { "error" : "` + canary + `"}` + "\n\n" + done, []string{"a"}, tools.Unavailable},
		{"error, text", part("a") + `data: {"error":"` + canary + `"}` + "\n\n" + done, []string{"a"}, tools.Unavailable},
		{"error, vLLM", part("a") + `data: {"object":"error","message":"` + canary + `"}` + "\n\n" + done, []string{"a"}, tools.Unavailable},
		{"error, bare", part("a") + `{"error":"` + canary + `"}` + "\n", []string{"a"}, tools.Unavailable},
		{"nonsense", part("a") + "data: " + canary + "\n\n" + part("b") + done, []string{"a"}, tools.BadResult},
		{"other JSON", part("a") + `data: {"choices":"` + canary + `"}` + "\n\n", []string{"a"}, tools.BadResult},
		{"huge event", part("a") + `data: {"id":"` + strings.Repeat("x", tools.MaxResult) + `"}` + "\n\n" + part("b") + done, []string{"a"}, tools.BadResult},
		{"huge part", part("a") + part(strings.Repeat("x", tools.MaxResult)) + done, []string{"a"}, tools.BadResult},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := serve(t, func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				if r.URL.Path != "/v1/chat/completions" || !strings.Contains(string(body), `"stream":true`) {
					t.Errorf("asked %s with %s", r.URL.Path, body)
				}
				io.WriteString(w, tt.body)
			})
			var parts []string
			text, err := c.Stream(t.Context(), "be short", []llm.Message{{"user", canary}}, func(part string) error {
				parts = append(parts, part)
				return nil
			})
			if tools.CodeOf(err) != tt.code {
				t.Errorf("%v, want %q", err, tt.code)
			}
			if diff := cmp.Diff(tt.parts, parts); diff != "" || text != strings.Join(tt.parts, "") {
				t.Errorf("text %q, parts (-want +got):\n%s", text, diff)
			}
			if s := fmt.Sprintf("%v %+v %#v", err, err, err); strings.Contains(s, canary) || strings.Contains(s, "127.0.0.1") {
				t.Errorf("the error leaks: %s", s)
			}
		})
	}
}

func TestStreamYield(t *testing.T) {
	gone := make(chan struct{})
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		defer close(gone)
		io.Copy(io.Discard, r.Body)
		for r.Context().Err() == nil {
			if _, err := io.WriteString(w, part("x")); err != nil {
				return
			}
			w.(http.Flusher).Flush()
		}
	})
	enough := errors.New("enough")
	n := 0
	text, err := c.Stream(t.Context(), "", nil, func(string) error {
		if n++; n == 3 {
			return enough
		}
		return nil
	})
	if err != enough || text != "xxx" {
		t.Errorf("%q, %v", text, err)
	}
	<-gone // the connection was given up
}

func TestStreamRefused(t *testing.T) {
	c := serve(t, func(w http.ResponseWriter, _ *http.Request) { http.Error(w, canary, http.StatusUnauthorized) })
	no := func(string) error { t.Error("a part"); return nil }
	if text, err := c.Stream(t.Context(), "", nil, no); text != "" || tools.CodeOf(err) != tools.Denied || strings.Contains(fmt.Sprint(err), canary) {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := c.Stream(t.Context(), "", []llm.Message{{"tool", "x"}}, no); tools.CodeOf(err) != tools.InvalidInput {
		t.Errorf("%v, want invalid_input", err)
	}
}

// TestStreamNotRetried: what came stays what came.
func TestStreamNotRetried(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		c, _ := bubble(t, llm.Options{Retries: 5}, 0, func(w http.ResponseWriter, _ *http.Request) {
			asked++
			io.WriteString(w, part("a"))
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		})
		if text, err := c.Stream(t.Context(), "", nil, func(string) error { return nil }); text != "a" || tools.CodeOf(err) != tools.Unavailable || asked != 1 {
			t.Errorf("%q, %v after %d requests", text, err, asked)
		}
	})
}

// FuzzStream: whatever a server sends, the text is what the parts were, and an error does
// not quote it.
func FuzzStream(f *testing.F) {
	for _, body := range []string{part("a") + stop + done, hello, "data: {\"error\":\"x\"}\n\n" + done, ": x\n\ndata:\r\ndata: {}\n", " {", "data: [DONE]"} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		c, err := llm.New(llm.Options{BaseURL: "http://model.invalid", Model: "small", HTTPClient: &http.Client{Transport: &trip{answer: body + canary}}})
		if err != nil {
			t.Fatal(err)
		}
		var parts strings.Builder
		text, err := c.Stream(t.Context(), "", nil, func(part string) error {
			if part == "" {
				t.Error("an empty part")
			}
			parts.WriteString(part)
			return nil
		})
		if text != parts.String() || (err == nil && text == "") {
			t.Errorf("text %q of parts %q, %v", text, parts.String(), err)
		}
		var failed *tools.Error
		if err != nil && (!errors.As(err, &failed) || strings.Contains(fmt.Sprintf("%+v", err), canary)) {
			t.Errorf("the error is %T, or leaks: %v", err, err)
		}
	})
}
