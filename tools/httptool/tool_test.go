package httptool_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/expr"
	"github.com/slotway/slotway/tools"
	"github.com/slotway/slotway/tools/httptool"
)

const (
	secret = "CANARY-header"
	value  = "CANARY-argument"
)

// environment gives the base URL and a secret.
func environment(base string) func(string) (string, bool) {
	env := map[string]string{"BASE": base, "TOKEN": secret}
	return func(name string) (string, bool) { v, ok := env[name]; return v, ok }
}

func spec(effect config.Effect) *tools.Spec {
	return &tools.Spec{
		Name: "t", Effect: effect, URL: "${BASE}/orders/{id}?q={id}",
		Headers: map[string]string{"Authorization": "Bearer ${TOKEN}"},
	}
}

func newTool(t *testing.T, s *tools.Spec, base string) *httptool.Tool {
	t.Helper()
	tool, err := httptool.New(s, environment(base), nil)
	if err != nil {
		t.Fatal(err)
	}
	return tool
}

func serve(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

func answerJSON(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	io.WriteString(w, text)
}

func TestRequest(t *testing.T) {
	type seen struct {
		Method, URI, Key, Auth, Type, Body string
	}
	var got seen
	base := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = seen{r.Method, r.RequestURI, r.Header.Get("Idempotency-Key"), r.Header.Get("Authorization"), r.Header.Get("Content-Type"), string(body)}
		answerJSON(w, `{"data":{"items":[{"n":1},{"n":12345678901234567890}]}}`)
	})
	write := spec(config.EffectWrite)
	write.Body = map[string]any{"reason": expr.Arg{Ref: []string{"why"}}, "fixed": []any{true, expr.Arg{Ref: []string{"none"}}}}
	write.Params = map[string]expr.Arg{"tag": {Ref: []string{"tags"}}, "gone": {Ref: []string{"none"}}, "n": {Literal: 3.0}}
	write.Result = "data.items.1.n"
	v, err := newTool(t, write, base).Call(t.Context(), tools.Call{
		Tool: "t", IdempotencyKey: "key-1",
		Args: map[string]any{"id": "a/b ?x#y%2e", "why": "late", "tags": []any{"x&y", 2.0}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if v != "12345678901234567890" {
		t.Errorf("result %v", v)
	}
	want := seen{
		"POST", "/orders/a%2Fb%20%3Fx%23y%252e?n=3&q=a%2Fb+%3Fx%23y%252e&tag=x%26y&tag=2", "key-1", "Bearer " + secret,
		"application/json", `{"fixed":[true,null],"reason":"late"}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}
	read := spec(config.EffectRead)
	if _, err := newTool(t, read, base).Call(t.Context(), tools.Call{Tool: "t", IdempotencyKey: "key-2", Args: map[string]any{"id": 5.0}}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(seen{"GET", "/orders/5?q=5", "", "Bearer " + secret, "", ""}, got); diff != "" {
		t.Errorf("read (-want +got):\n%s", diff)
	}
}

func TestArgumentsThatDoNotFitAURL(t *testing.T) {
	base := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("a request was made") })
	tool := newTool(t, spec(config.EffectWrite), base)
	for _, bad := range []any{nil, "", ".", "..", []any{"a"}, map[string]any{}} {
		_, err := tool.Call(t.Context(), tools.Call{Tool: "t", Args: map[string]any{"id": bad}})
		if tools.CodeOf(err) != tools.InvalidInput || !strings.Contains(err.Error(), "argument id") {
			t.Errorf("id %v: %v, want invalid_input about id", bad, err)
		}
	}
}

// failing servers, each with what must be made of it.
func TestFailures(t *testing.T) {
	other := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("a redirect left its host") })
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "7")
			http.Error(w, value, code)
		}
	}
	tests := []struct {
		name    string
		handler http.HandlerFunc
		want    tools.Error // Code, Retryable, Uncertain of a write, RetryAfter
	}{
		{"400", status(400), tools.Error{Code: tools.InvalidInput, RetryAfter: 7 * time.Second}},
		{"401", status(401), tools.Error{Code: tools.Denied, RetryAfter: 7 * time.Second}},
		{"404", status(404), tools.Error{Code: tools.NotFound, RetryAfter: 7 * time.Second}},
		{"409", status(409), tools.Error{Code: tools.Conflict, RetryAfter: 7 * time.Second}},
		{"418", status(418), tools.Error{Code: tools.Failed, RetryAfter: 7 * time.Second}},
		{"422", status(422), tools.Error{Code: tools.InvalidInput, RetryAfter: 7 * time.Second}},
		{"429", status(429), tools.Error{Code: tools.RateLimited, Retryable: true, RetryAfter: 7 * time.Second}},
		{"500", status(500), tools.Error{Code: tools.Unavailable, Retryable: true, Uncertain: true, RetryAfter: 7 * time.Second}},
		{"half a body", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			answerJSON(w, `{"a":"`+value)
			panic(http.ErrAbortHandler)
		}, tools.Error{Code: tools.Unavailable, Retryable: true, Uncertain: true}},
		{
			"no answer", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
			tools.Error{Code: tools.Unavailable, Retryable: true, Uncertain: true},
		},
		{"huge body", func(w http.ResponseWriter, _ *http.Request) {
			answerJSON(w, `"`+strings.Repeat("x", tools.MaxResult)+`"`)
		}, tools.Error{Code: tools.BadResult, Uncertain: true}},
		{
			"invalid JSON", func(w http.ResponseWriter, _ *http.Request) { answerJSON(w, `{"`+value) },
			tools.Error{Code: tools.BadResult, Uncertain: true},
		},
		{
			"two documents", func(w http.ResponseWriter, _ *http.Request) { answerJSON(w, `1 2`) },
			tools.Error{Code: tools.BadResult, Uncertain: true},
		},
		{
			"HTML", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "<html>"+value) },
			tools.Error{Code: tools.BadResult, Uncertain: true},
		},
		{
			"no result path", func(w http.ResponseWriter, _ *http.Request) { answerJSON(w, `{}`) },
			tools.Error{Code: tools.BadResult, Uncertain: true},
		},
		{"redirect elsewhere", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other+"/"+value, http.StatusTemporaryRedirect)
		}, tools.Error{Code: tools.Failed}},
		{"redirect for ever", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/again", http.StatusTemporaryRedirect)
		}, tools.Error{Code: tools.Failed}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := spec(config.EffectWrite)
			s.Result = "data.x"
			tool := newTool(t, s, serve(t, tt.handler))
			_, err := tool.Call(t.Context(), tools.Call{Tool: "t", Args: map[string]any{"id": value}, IdempotencyKey: "k"})
			check(t, err, tt.want)
		})
	}
}

// check compares the policy of an error, and looks for what must not be in it.
func check(t *testing.T, err error, want tools.Error) {
	t.Helper()
	var e *tools.Error
	if !errors.As(err, &e) {
		t.Fatalf("error %v, want an *Error", err)
	}
	got := tools.Error{Code: e.Code, Retryable: e.Retryable, Uncertain: e.Uncertain, RetryAfter: e.RetryAfter}
	if got != want {
		t.Errorf("got %+v %q, want %+v", got, e.Detail, want)
	}
	for cause := error(e); cause != nil; cause = errors.Unwrap(cause) {
		for _, leak := range []string{"CANARY", "127.0.0.1", "http:"} {
			if s := fmt.Sprintf("%v %+v", cause, cause); strings.Contains(s, leak) {
				t.Errorf("the error holds %q: %s", leak, s)
			}
		}
	}
}

func TestNobodyThere(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close()
	tool := newTool(t, spec(config.EffectWrite), "http://"+addr)
	_, err = tool.Call(t.Context(), tools.Call{Tool: "t", Args: map[string]any{"id": value}})
	check(t, err, tools.Error{Code: tools.Unavailable, Retryable: true})
}

// A target inside the network is refused before anything is sent, and without a word
// about it.
func TestPrivateTarget(t *testing.T) {
	for _, base := range []string{"http://10.20.30.40", "http://169.254.169.254", "http://[fd00::1]:8080", "http://0.0.0.0"} {
		tool := newTool(t, spec(config.EffectWrite), base)
		_, err := tool.Call(t.Context(), tools.Call{Tool: "t", Args: map[string]any{"id": value}})
		check(t, err, tools.Error{Code: tools.Denied})
		if strings.Contains(err.Error(), "10.20") || !strings.Contains(err.Error(), "tools.allow_hosts") {
			t.Errorf("%s: %v", base, err)
		}
	}
}

func TestHang(t *testing.T) {
	arrived := make(chan struct{})
	tool := newTool(t, spec(config.EffectWrite), serve(t, func(_ http.ResponseWriter, r *http.Request) {
		close(arrived)
		<-r.Context().Done()
	}))
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-arrived; cancel() }()
	_, err := tool.Call(ctx, tools.Call{Tool: "t", Args: map[string]any{"id": value}})
	check(t, err, tools.Error{Code: tools.Timeout, Uncertain: true})

	_, err = tool.Call(ctx, tools.Call{Tool: "t", Args: map[string]any{"id": value}})
	check(t, err, tools.Error{Code: tools.Timeout}) // nothing was sent
}

func TestRedirectWithinTheHost(t *testing.T) {
	base := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/moved" {
			http.Redirect(w, r, "/moved", http.StatusPermanentRedirect)
			return
		}
		var body any
		json.NewDecoder(r.Body).Decode(&body)
		answerJSON(w, `{"key":"`+r.Header.Get("Idempotency-Key")+`"}`)
	})
	got, err := newTool(t, spec(config.EffectWrite), base).Call(t.Context(), tools.Call{Tool: "t", Args: map[string]any{"id": "1"}, IdempotencyKey: "k"})
	if diff := cmp.Diff(any(map[string]any{"key": "k"}), got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestEmptyAnswer(t *testing.T) {
	base := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	got, err := newTool(t, spec(config.EffectWrite), base).Call(t.Context(), tools.Call{Tool: "t", Args: map[string]any{"id": "1"}})
	if got != nil || err != nil {
		t.Errorf("got %v, %v; want nothing", got, err)
	}
}

// With the registry around it: a retried write carries the same key each time.
func TestRetriedWithTheSameKey(t *testing.T) {
	var n atomic.Int64
	base := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Idempotency-Key") != "k" {
			t.Error("another key")
		}
		if n.Add(1) < 3 {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		answerJSON(w, `"done"`)
	})
	s := spec(config.EffectWrite)
	s.Idempotent, s.Retries = true, 2
	r := tools.New(&tools.Options{Backoff: 1})
	if err := r.Register(s, newTool(t, s, base)); err != nil {
		t.Fatal(err)
	}
	res, err := r.Call(t.Context(), tools.Call{Tool: "t", Args: map[string]any{"id": "1"}, IdempotencyKey: "k"})
	if err != nil || res.Value != "done" || res.Attempts != 3 {
		t.Errorf("%+v, %v", res, err)
	}
}

func TestNewRefuses(t *testing.T) {
	for name, s := range map[string]tools.Spec{
		"no URL":                {},
		"unset name":            {URL: "${NONE}/x"},
		"scheme":                {URL: "file:///etc/passwd"},
		"no host":               {URL: "http:///x"},
		"placeholder as host":   {URL: "http://{host}/x"},
		"placeholder in host":   {URL: "http://api.{zone}.example.com/x"},
		"placeholder as scheme": {URL: "{scheme}://x/"},
		"placeholder as port":   {URL: "http://h:{port}"},
		"open brace":            {URL: "${BASE}/{id"},
		"unreadable":            {URL: "http://h/%zz" + secret},
		"header injection":      {URL: "${BASE}/", Headers: map[string]string{"X": "a\r\nB: c"}},
		"header name":           {URL: "${BASE}/", Headers: map[string]string{"X Y": "a"}},
		"unset in a header":     {URL: "${BASE}/", Headers: map[string]string{"X": "${NONE}"}},
	} {
		_, err := httptool.New(&s, environment("http://localhost"), nil)
		if err == nil {
			t.Errorf("%s: accepted", name)
		} else if strings.Contains(err.Error(), "CANARY") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC)
	for in, want := range map[string]time.Duration{
		"": 0, "3": 3 * time.Second, "-3": 0, "soon": 0, "99999999999": 0, "9999999": 24 * time.Hour,
		"Wed, 01 May 2024 12:00:30 GMT": 30 * time.Second, "Wed, 01 May 2024 11:00:00 GMT": 0,
	} {
		e := httptool.StatusError("t", 429, http.Header{"Retry-After": {in}}, now)
		if in == "99999999999" {
			want = 24 * time.Hour // fits an int here
		}
		if e.RetryAfter != want {
			t.Errorf("Retry-After %q = %v, want %v", in, e.RetryAfter, want)
		}
	}
}
