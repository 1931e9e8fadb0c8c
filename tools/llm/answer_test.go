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

// question is what a test looks at in a request.
type question struct {
	Temperature    *float64
	ResponseFormat *struct {
		Type       string
		JSONSchema *struct {
			Name   string
			Strict bool
			Schema json.RawMessage
		} `json:"json_schema"`
	} `json:"response_format"`
	Messages []struct{ Role, Content string }
}

// form is the response_format of a question.
func (q question) form() string {
	if q.ResponseFormat == nil {
		return "none"
	}
	return q.ResponseFormat.Type
}

// keep serves a model that answers with the status that each form has, and keeps what it
// was asked.
func keep(t *testing.T, model string, status map[string]int) (*llm.Client, *[]question) {
	t.Helper()
	asked := &[]question{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q question
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
			t.Error(err)
		}
		*asked = append(*asked, q)
		if code := status[q.form()]; code != 0 {
			w.WriteHeader(code)
			io.WriteString(w, `{"error":{"message":"`+canary+`"}}`)
			return
		}
		io.WriteString(w, `{"choices":[{"message":{"content":"{\"a\":1}"}}]}`)
	}))
	t.Cleanup(s.Close)
	c, err := llm.New(llm.Options{BaseURL: s.URL, Model: model, Retries: -1})
	if err != nil {
		t.Fatal(err)
	}
	return c, asked
}

var schema = llm.Schema{Name: "numbers", Document: json.RawMessage(`{"type":"object"}`)}

func TestAnswer(t *testing.T) {
	c, asked := keep(t, "small", nil)
	text, err := c.Answer(t.Context(), "be strict", "how many?", schema)
	if err != nil || text != `{"a":1}` {
		t.Fatalf("%q, %v", text, err)
	}
	q := (*asked)[0]
	if q.Temperature == nil || *q.Temperature > 1e-5 {
		t.Errorf("temperature %v, want next to nothing, and said", q.Temperature)
	}
	if f := q.ResponseFormat; f == nil || f.Type != "json_schema" || f.JSONSchema.Name != "numbers" || !f.JSONSchema.Strict || string(f.JSONSchema.Schema) != `{"type":"object"}` {
		t.Errorf("response_format %+v", f)
	}
	want := []struct{ Role, Content string }{{"system", "be strict"}, {"user", "how many?"}}
	if diff := cmp.Diff(want, q.Messages); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
}

// TestAnswerDress: an answer comes without what a model dresses it in.
func TestAnswerDress(t *testing.T) {
	for content, want := range map[string]string{
		"```json\n{\"a\":1}\n```": `{"a":1}`,
		"\n```\n{\"a\":1}\n```\n": `{"a":1}`,
		"\uFEFF {\"a\":1}\n":      `{"a":1}`,
		"```json\n{\"a\":1}":      "```json\n{\"a\":1}", // cut off: no answer
		"no ```json``` here":      "no ```json``` here",
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			choice := map[string]any{"message": map[string]string{"content": content}}
			json.NewEncoder(w).Encode(map[string]any{"choices": []any{choice}})
		}))
		c, err := llm.New(llm.Options{BaseURL: s.URL, Model: "small", Retries: -1})
		if err != nil {
			t.Fatal(err)
		}
		if text, err := c.Answer(t.Context(), "", "how many?", schema); text != want || err != nil {
			t.Errorf("%q: %q, %v", content, text, err)
		}
		s.Close()
	}
}

// TestForms: what a server refuses once it is not asked for again.
func TestForms(t *testing.T) {
	tests := []struct {
		name   string
		status map[string]int
		code   tools.Code
		asked  []string // in two calls
	}{
		{"all", nil, "", []string{"json_schema", "json_schema"}},
		{"no schema", map[string]int{"json_schema": 400}, "", []string{"json_schema", "json_object", "json_object"}},
		{"no form", map[string]int{"json_schema": 422, "json_object": 400}, "", []string{"json_schema", "json_object", "none", "none"}},
		{"another trouble", map[string]int{"json_schema": 400, "json_object": 400, "none": 400}, tools.InvalidInput, []string{"json_schema", "json_object", "none", "json_schema", "json_object", "none"}},
		{"down", map[string]int{"json_schema": 503}, tools.Unavailable, []string{"json_schema", "json_schema"}},
		{"key", map[string]int{"json_schema": 401}, tools.Denied, []string{"json_schema", "json_schema"}},
		{"down in the second form", map[string]int{"json_schema": 400, "json_object": 500}, tools.Unavailable, []string{"json_schema", "json_object", "json_schema", "json_object"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, asked := keep(t, "small", tt.status)
			for range 2 {
				if _, err := c.Answer(t.Context(), "", "x", schema); tools.CodeOf(err) != tt.code {
					t.Errorf("%v, want %q", err, tt.code)
				}
			}
			var forms []string
			for _, q := range *asked {
				forms = append(forms, q.form())
			}
			if diff := cmp.Diff(tt.asked, forms); diff != "" {
				t.Errorf("asked (-want +got):\n%s", diff)
			}
		})
	}
}

// TestReasoningModels have a temperature of their own, and refuse another.
func TestReasoningModels(t *testing.T) {
	c, asked := keep(t, "o4-mini", nil)
	if _, err := c.Answer(t.Context(), "", "x", schema); err != nil {
		t.Fatal(err)
	}
	if q := (*asked)[0]; q.Temperature != nil || q.form() != "json_schema" {
		t.Errorf("temperature %v in form %s", q.Temperature, q.form())
	}
}

func TestAnswerGivenUp(t *testing.T) {
	arrived := make(chan struct{})
	c := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		close(arrived)
		<-r.Context().Done()
	})
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-arrived; cancel() }()
	_, err := c.Answer(ctx, "", canary, schema)
	if tools.CodeOf(err) != tools.Timeout {
		t.Errorf("%v, want timeout", err)
	}
	if s := fmt.Sprintf("%+v", err); strings.Contains(s, canary) {
		t.Errorf("the error leaks: %s", s)
	}
}
