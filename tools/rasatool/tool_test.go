package rasatool_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/tools"
	"github.com/slotway/slotway/tools/rasatool"
)

const canary = "CANARY-77"

func lookup(name string) (string, bool) {
	v, ok := map[string]string{"TOKEN": "secret"}[name]
	return v, ok
}

func newTool(t *testing.T, spec tools.Spec) *rasatool.Tool {
	t.Helper()
	spec.Name = "check"
	if spec.Remote == "" {
		spec.Remote = "action_check"
	}
	tool, err := rasatool.New(&spec, lookup, nil)
	if err != nil {
		t.Fatal(err)
	}
	return tool
}

func TestRequestAndResult(t *testing.T) {
	var got map[string]any
	var path, key, auth string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path, key, auth = r.Method+" "+r.URL.Path, r.Header.Get("Idempotency-Key"), r.Header.Get("Authorization")
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"events":[{"event":"slot","name":"a","value":1},{"event":"followup","name":"x"},{"event":"slot","name":"a","value":[2]},{"event":"restart"}],
			"responses":[{"text":"One."},{"text":null,"response":"utter_b","buttons":[]},{"text":"Two.","custom":{}}]}`)
	}))
	t.Cleanup(s.Close)
	tool := newTool(t, tools.Spec{URL: s.URL + "/base/", Effect: config.EffectWrite, Headers: map[string]string{"Authorization": "Bearer ${TOKEN}"}})
	before := float64(time.Now().Unix())
	result, err := tool.Call(t.Context(), tools.Call{
		Tool: "check", Args: map[string]any{"order_id": "O-1", "absent": nil}, IdempotencyKey: "k", Caller: tools.Caller{SessionID: "s-1"},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := any(map[string]any{
		"slots": map[string]any{"a": []any{2.0}}, "responses": []any{"One.", "Two."},
		"templates": []any{"utter_b"}, "events": []any{"followup", "restart"},
	})
	if diff := cmp.Diff(want, result); diff != "" {
		t.Errorf("result (-want +got):\n%s", diff)
	}
	if path != "POST /base/webhook" || key != "k" || auth != "Bearer secret" {
		t.Errorf("request %q, key %q, authorization %q", path, key, auth)
	}
	tracker, _ := got["tracker"].(map[string]any)
	if at, _ := tracker["latest_event_time"].(float64); at < before {
		t.Errorf("latest_event_time %v", tracker["latest_event_time"])
	}
	delete(tracker, "latest_event_time")
	wantRequest := map[string]any{
		"next_action": "action_check", "sender_id": "s-1", "version": "3.0.0", "domain": map[string]any{},
		"tracker": map[string]any{
			"sender_id": "s-1", "slots": map[string]any{"order_id": "O-1", "absent": nil}, "followup_action": nil, "paused": false,
			"latest_message": map[string]any{"text": nil, "intent": map[string]any{"name": nil, "confidence": 0.0}, "intent_ranking": []any{}, "entities": []any{}},
			"events":         []any{}, "latest_input_channel": "slotway", "active_loop": map[string]any{}, "latest_action_name": nil,
		},
	}
	if diff := cmp.Diff(wantRequest, got); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}
	// A read has no key; Rasa's own endpoints.yml names the path.
	read := newTool(t, tools.Spec{URL: s.URL + "/webhook", Effect: config.EffectRead})
	if _, err := read.Call(t.Context(), tools.Call{Tool: "check", IdempotencyKey: "k"}); err != nil {
		t.Fatal(err)
	}
	if path != "POST /webhook" || key != "" || got["sender_id"] != "default" {
		t.Errorf("request %q, key %q, sender %v", path, key, got["sender_id"])
	}
}

func TestFailures(t *testing.T) {
	tests := []struct {
		name   string
		status int
		body   string
		want   tools.Error // Code, Retryable, Uncertain
	}{
		{"rejection", 400, `{"error":"` + canary + `","action_name":"action_check"}`, tools.Error{Code: tools.Conflict}},
		{"bad request", 400, `{"error":"` + canary + `"}`, tools.Error{Code: tools.Failed}},
		{"bad request, no JSON", 400, canary, tools.Error{Code: tools.Failed}},
		{"no such action", 404, `{"error":"` + canary + `","action_name":"action_check"}`, tools.Error{Code: tools.Unavailable}},
		{"needs a domain", 449, `{"error":"` + canary + `"}`, tools.Error{Code: tools.Failed}},
		{"denied", 401, canary, tools.Error{Code: tools.Denied}},
		{"unprocessable", 422, canary, tools.Error{Code: tools.Failed}},
		{"gone", 410, canary, tools.Error{Code: tools.Failed}},
		{"crash", 500, `{"error":"` + canary + `"}`, tools.Error{Code: tools.Unavailable, Retryable: true, Uncertain: true}},
		{"null", 200, `null`, tools.Error{Code: tools.BadResult, Uncertain: true}},
		{"a list", 200, `[]`, tools.Error{Code: tools.BadResult, Uncertain: true}},
		{"no responses", 200, `{"events":[]}`, tools.Error{Code: tools.BadResult, Uncertain: true}},
		{"an event without a kind", 200, `{"events":[{"name":"` + canary + `"}],"responses":[]}`, tools.Error{Code: tools.BadResult, Uncertain: true}},
		{"a response that is none", 200, `{"events":[],"responses":["` + canary + `"]}`, tools.Error{Code: tools.BadResult, Uncertain: true}},
		{"not JSON", 200, canary, tools.Error{Code: tools.BadResult, Uncertain: true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(tt.status)
				io.WriteString(w, tt.body)
			}))
			t.Cleanup(s.Close)
			_, err := newTool(t, tools.Spec{URL: s.URL, Effect: config.EffectWrite}).Call(t.Context(), tools.Call{Tool: "check"})
			checkError(t, err, tt.want)
		})
	}
	for at, code := range map[string]tools.Code{"http://127.0.0.1:1/": tools.Unavailable, "http://10.20.30.40": tools.Denied} {
		_, err := newTool(t, tools.Spec{URL: at}).Call(t.Context(), tools.Call{Tool: "check"})
		checkError(t, err, tools.Error{Code: code, Retryable: code == tools.Unavailable})
	}
}

// checkError compares the policy of an error, and looks for what must not be in it.
func checkError(t *testing.T, err error, want tools.Error) {
	t.Helper()
	var e *tools.Error
	if !errors.As(err, &e) {
		t.Fatalf("error %v, want an *Error", err)
	}
	if got := (tools.Error{Code: e.Code, Retryable: e.Retryable, Uncertain: e.Uncertain}); got != want {
		t.Errorf("got %+v %q, want %+v", got, e.Detail, want)
	}
	if s := fmt.Sprintf("%v %#v %v", e, e, errors.Unwrap(e)); strings.Contains(s, "CANARY") || strings.Contains(s, "127.0.0.1") {
		t.Errorf("the error leaks: %s", s)
	}
}

func TestNewRefuses(t *testing.T) {
	for name, spec := range map[string]tools.Spec{
		"nothing": {}, "unset": {URL: "${NONE}"}, "scheme": {URL: "ftp://a"}, "no host": {URL: "http://"},
		"header": {URL: "http://a", Headers: map[string]string{"X": "${NONE}"}}, "unreadable": {URL: "http://a/%zz" + canary},
	} {
		if _, err := rasatool.New(&spec, lookup, nil); err == nil {
			t.Errorf("%s: accepted", name)
		} else if strings.Contains(err.Error(), canary) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
