package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/internal/test/telemetrytest"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/telemetry"
)

// secret stands for a value: no answer may hold it.
const secret = "canary-4711"

func wantProblem(t *testing.T, res *http.Response, status int, code string) Problem {
	t.Helper()
	body := readAll(t, res)
	if strings.Contains(string(body), secret) {
		t.Errorf("the problem repeats a value: %s", body)
	}
	var p Problem
	if err := json.Unmarshal(body, &p); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	if p.Status != status || res.StatusCode != status || p.Code != code {
		t.Errorf("got status %d (%d in the body), code %q, want %d, %q", res.StatusCode, p.Status, p.Code, status, code)
	}
	if kind := res.Header.Get("Content-Type"); kind != "application/problem+json" {
		t.Errorf("Content-Type %q", kind)
	}
	if p.Type != "urn:slotway:problem:"+code || p.Title == "" {
		t.Errorf("type %q, title %q", p.Type, p.Title)
	}
	return p
}

func TestErrorsOfTurns(t *testing.T) {
	cases := []struct {
		err    error
		status int
		code   string
		retry  bool
	}{
		{router.ErrBusy, 429, "busy", true},
		{memory.ErrUnavailable, 503, "store_unavailable", true},
		{memory.ErrClosed, 503, "draining", true},
		{memory.ErrConflict, 409, "conflict", true},
		{&router.StaleTurnError{Newest: 4}, 409, "moved_on", false},
		{memory.ErrCorrupt, 500, "corrupt", false},
		{router.ErrBadInteraction, 400, "bad_interaction", false},
		{router.ErrPanic, 500, "internal", false},
		{context.DeadlineExceeded, 504, "deadline", false},
		{errors.New("something else"), 500, "internal", false},
	}
	for _, c := range cases {
		t.Run(c.code, func(t *testing.T) {
			api := New(handlerFunc(func(context.Context, router.Interaction) (router.Reply, error) {
				return router.Reply{}, fmt.Errorf("turn about %s: %w", secret, c.err)
			}), nil)
			res := post(api, `{"message":"`+secret+`","conversation_id":"c1"}`)
			if got := res.Header.Get("Retry-After") != ""; got != c.retry {
				t.Errorf("Retry-After is %q", res.Header.Get("Retry-After"))
			}
			if res.Header.Get("X-Conversation-Id") != "c1" {
				t.Error("the conversation's id is missing")
			}
			wantProblem(t, res, c.status, c.code)
		})
	}
}

func TestRequestsThatCannotBeTaken(t *testing.T) {
	api := New(handlerFunc(echo), &Options{Agent: called("notes"), MaxBody: 100})
	cases := []struct {
		name, body string
		headers    []string
		status     int
		code       string
		detail     string // part of it
	}{
		{"unknown field", `{"message":"hi","massage":"` + secret + `"}`, nil, 400, "unknown_field", `"massage"`},
		{"key in other case", `{"Message":"hi"}`, nil, 400, "unknown_field", `"Message"`},
		{"key of many bytes", `{"` + strings.Repeat("ä", 45) + `":1}`, nil, 400, "unknown_field", `ä…"`},
		{"no message", `{"conversation_id":"c1"}`, nil, 400, "missing_field", "message"},
		{"message is null", `{"message":null}`, nil, 400, "wrong_type", "message must be text"},
		{"message is a number", `{"message":4711}`, nil, 400, "wrong_type", "message must be text"},
		{"message id is a list", `{"message":"hi","message_id":["` + secret + `"]}`, nil, 400, "wrong_type", "message_id must be text"},
		{"stream is text", `{"message":"hi","stream":"yes"}`, nil, 400, "wrong_type", "stream must be true or false"},
		{"twice", `{"message":"hi","message":"` + secret + `"}`, nil, 400, "repeated_field", "message"},
		{"two ids", `{"message":"hi","message_id":"a"}`, []string{"Idempotency-Key", secret}, 400, "bad_request", "Idempotency-Key"},
		{"trailing data", `{"message":"hi"} {}`, nil, 400, "bad_json", "follows"},
		{"trailing brace", `{"message":"hi"}}`, nil, 400, "bad_json", ""},
		{"cut short", `{"message":"` + secret, nil, 400, "bad_json", ""},
		{"list", `["` + secret + `"]`, nil, 400, "bad_json", "object"},
		{"empty", ``, nil, 400, "bad_json", "object"},
		{"not UTF-8", "{\"message\":\"\xff\"}", nil, 400, "bad_json", "UTF-8"},
		{"other agent", `{"message":"hi","agent":"` + secret + `"}`, nil, 404, "unknown_agent", "notes"},
		{"too large", `{"message":"` + strings.Repeat("a", 100) + `"}`, nil, 413, "body_too_large", "100 bytes"},
		{"form", `message=hi`, []string{"Content-Type", "application/x-www-form-urlencoded"}, 415, "unsupported_media_type", ""},
		{"no type", `{"message":"hi"}`, []string{"Content-Type", ""}, 415, "unsupported_media_type", ""},
		{"other charset", `{"message":"hi"}`, []string{"Content-Type", "application/json; charset=utf-16"}, 415, "unsupported_media_type", ""},
		{"compressed", `{"message":"hi"}`, []string{"Content-Encoding", "gzip"}, 415, "unsupported_media_type", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := wantProblem(t, post(api, c.body, c.headers...), c.status, c.code)
			if !strings.Contains(p.Detail, c.detail) {
				t.Errorf("detail %q does not hold %q", p.Detail, c.detail)
			}
		})
	}
}

func TestBadKeysAreRefusedByTheRouter(t *testing.T) {
	r, _, _ := newRouter(t)
	for _, id := range []string{strings.Repeat("x", 201), `a\u0000b`, `\ud800`} {
		wantProblem(t, post(New(r, nil), `{"message":"hi","conversation_id":"`+id+`"}`), 400, "bad_interaction")
	}
}

func TestPathsAndMethods(t *testing.T) {
	api := New(handlerFunc(echo), nil)
	cases := []struct {
		method, path string
		status       int
		allow        string
	}{
		{"GET", "/chat", 405, "POST"},
		{"OPTIONS", "/chat", 405, "POST"},
		{"POST", "/healthz", 405, "GET, HEAD"},
		{"DELETE", "/readyz", 405, "GET, HEAD"},
		{"GET", "/", 404, ""},
		{"GET", "/chat/", 404, ""},
		{"POST", "/" + secret, 404, ""},
	}
	for _, c := range cases {
		t.Run(c.method+" "+c.path, func(t *testing.T) {
			res := do(api, httptest.NewRequest(c.method, c.path, nil))
			if got := res.Header.Get("Allow"); got != c.allow {
				t.Errorf("Allow is %q, want %q", got, c.allow)
			}
			code := map[int]string{404: "not_found", 405: "method_not_allowed"}[c.status]
			wantProblem(t, res, c.status, code)
		})
	}
	if got := do(api, httptest.NewRequest("HEAD", "/healthz", nil)).StatusCode; got != 200 {
		t.Errorf("HEAD /healthz: %d", got)
	}
}

func TestReadiness(t *testing.T) {
	var err error
	api := New(handlerFunc(echo), &Options{Ready: func(context.Context) error { return err }})
	if got := do(api, httptest.NewRequest("GET", "/readyz", nil)).StatusCode; got != 200 {
		t.Errorf("GET /readyz: %d", got)
	}
	err = errors.New("cannot reach " + secret)
	wantProblem(t, do(api, httptest.NewRequest("GET", "/readyz", nil)), 503, "not_ready")
	if got := do(api, httptest.NewRequest("GET", "/healthz", nil)).StatusCode; got != 200 {
		t.Errorf("GET /healthz: %d", got)
	}
}

func TestTooManyTurnsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		goOn := make(chan struct{})
		api := New(handlerFunc(func(ctx context.Context, in router.Interaction) (router.Reply, error) {
			<-goOn
			return echo(ctx, in)
		}), &Options{MaxInFlight: 2})
		for range 2 {
			go post(api, `{"message":"hi"}`)
		}
		synctest.Wait()
		res := post(api, `{"message":"hi"}`)
		if res.Header.Get("Retry-After") == "" {
			t.Error("no Retry-After")
		}
		wantProblem(t, res, 503, "overloaded")
		if got := do(api, httptest.NewRequest("GET", "/healthz", nil)).StatusCode; got != 200 {
			t.Errorf("GET /healthz under load: %d", got)
		}
		close(goOn)
		synctest.Wait()
		if got := post(api, `{"message":"hi"}`).StatusCode; got != 200 {
			t.Errorf("afterwards: %d", got)
		}
	})
}

func TestPanicIsToldByItsPlaceOnly(t *testing.T) {
	sink := &telemetry.Recorder{}
	api := New(handlerFunc(func(context.Context, router.Interaction) (router.Reply, error) {
		panic(secret)
	}), &Options{Sink: telemetrytest.Checked(t, sink)})
	wantProblem(t, post(api, `{"message":"hi"}`), 500, "internal")
	events := sink.Events()
	if len(events) != 1 {
		t.Fatalf("%d events", len(events))
	}
	f := events[0].Payload.(telemetry.Failure)
	if f.Code != "panic" || !strings.Contains(f.Message.String(), "httpapi/problem_test.go:") || strings.Contains(f.Message.String(), secret) {
		t.Errorf("event %+v with message %q", f, f.Message)
	}
	// The place that the turn took is free again.
	if diff := cmp.Diff(0, api.limiter.n); diff != "" {
		t.Errorf("turns under way (-want +got)\n%s", diff)
	}
}
