package openai

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFaults(t *testing.T) {
	w := newFixture(t)
	w.responds("buy I-7", "conversation_id", "s")
	const chat, responses = "/v1/chat/completions", "/v1/responses"
	const said = `"messages":[{"role":"user","content":"a"}]`
	for _, c := range []struct {
		name, path, body string
		status           int
		code, param      string
	}{
		{"no JSON", chat, `{`, 400, "bad_json", ""},
		{"null", chat, `null`, 400, "bad_json", ""},
		{"a list", responses, `[]`, 400, "bad_json", ""},
		{"two", chat, `{} {}`, 400, "bad_json", ""},
		{"no UTF-8", chat, "{\"model\":\"\xff\"}", 400, "bad_json", ""},
		{"no messages", chat, `{}`, 400, "missing_required_parameter", "messages"},
		{"no input", responses, `{}`, 400, "missing_required_parameter", "input"},
		{"null messages", chat, `{"messages":null}`, 400, "missing_required_parameter", "messages"},
		{"messages of a wrong type", chat, `{"messages":"a"}`, 400, "invalid_type", "messages"},
		{"a wrong role", chat, `{"messages":[{"role":"boss","content":"a"}]}`, 400, "invalid_value", "messages[0].role"},
		{"wrong content", chat, `{"messages":[{"role":"user","content":7}]}`, 400, "invalid_type", "messages[0].content"},
		{"nobody said anything", chat, `{"messages":[{"role":"system","content":"a"}]}`, 400, "invalid_value", "messages"},
		{"the agent last", chat, `{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]}`, 400, "invalid_value", "messages"},
		{"a tool last", chat, `{"messages":[{"role":"user","content":"a"},{"role":"tool","content":"b","tool_call_id":"c"}]}`, 400, "invalid_value", "messages"},
		{"a call's output last", responses, `{"input":[{"role":"user","content":"a"},{"type":"function_call_output","output":"b"}]}`, 400, "invalid_value", "input"},
		{"an image alone", chat, `{"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"x"}}]}]}`, 400, "unsupported_content", "messages"},
		{"an image last", chat, `{"messages":[{"role":"user","content":"a"},{"role":"user","content":[{"type":"image_url"}]},{"role":"system","content":"b"}]}`, 400, "unsupported_content", "messages"},
		{"another model", chat, `{"model":"gpt-4o",` + said + `}`, 404, "model_not_found", "model"},
		{"a model of a wrong type", chat, `{"model":7,` + said + `}`, 400, "invalid_type", "model"},
		{"stream of a wrong type", chat, `{"stream":"yes",` + said + `}`, 400, "invalid_type", "stream"},
		{"two answers", chat, `{"n":2,` + said + `}`, 400, "unsupported_value", "n"},
		{"a tool by all means", chat, `{"tool_choice":"required",` + said + `}`, 400, "unsupported_value", "tool_choice"},
		{"this tool", chat, `{"tool_choice":{"type":"function"},` + said + `}`, 400, "unsupported_value", "tool_choice"},
		{"JSON as an answer", chat, `{"response_format":{"type":"json_object"},` + said + `}`, 400, "unsupported_value", "response_format"},
		{"JSON as a response", responses, `{"text":{"format":{"type":"json_schema"}},"input":"a"}`, 400, "unsupported_value", "text.format"},
		{"unstored", responses, `{"store":false,"input":"a"}`, 400, "unsupported_value", "store"},
		{"later", responses, `{"background":true,"input":"a"}`, 400, "unsupported_value", "background"},
		{"two conversations", chat, `{"conversation_id":"a","metadata":{"conversation_id":"b"},` + said + `}`, 400, "conversation_mismatch", "conversation_id"},
		{"a conversation and a response", responses, `{"conversation":"s","previous_response_id":"resp_x","input":"a"}`, 400, "conversation_mismatch", "previous_response_id"},
		{"a bad conversation", responses, `{"conversation":"a\u0007","input":"a"}`, 400, "bad_conversation", "conversation_id"},
		{"a conversation of a wrong type", responses, `{"conversation":{"id":7},"input":"a"}`, 400, "invalid_type", "conversation"},
		{"an unknown conversation", responses, `{"conversation":"nowhere","input":"a"}`, 404, "conversation_not_found", "conversation"},
		{"an unknown response", responses, `{"previous_response_id":"` + ref{"s", 2}.id(responsePrefix) + `","input":"a"}`, 404, "previous_response_not_found", "previous_response_id"},
		{"no response", responses, `{"previous_response_id":"resp_x","input":"a"}`, 404, "previous_response_not_found", "previous_response_id"},
		{"too much", chat, `{"x":"` + strings.Repeat("x", 70<<10) + `",` + said + `}`, 413, "body_too_large", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := read[map[string]*apiError](t, w.send("POST", c.path, c.body), c.status)["error"]
			if got == nil || got.Code == nil || *got.Code != c.code || got.Type != invalidRequest || got.Message == "" {
				t.Fatalf("got %+v, want code %s", got, c.code)
			}
			param := ""
			if got.Param != nil {
				param = *got.Param
			}
			if param != c.param {
				t.Errorf("param %q, want %q", param, c.param)
			}
		})
	}
}

// What the API's door and its body reader say has OpenAI's form too.
func TestFaultsOfTheDoor(t *testing.T) {
	w := newFixture(t)
	for _, c := range []struct {
		name    string
		headers []string
		status  int
		kind    string
		code    string
	}{
		{"nobody", []string{"Authorization", ""}, 401, invalidRequest, "invalid_api_key"},
		{"a reader", []string{"Authorization", "reader"}, 403, forbidden, "forbidden"},
		{"no JSON", []string{"Content-Type", "text/plain"}, 415, invalidRequest, "unsupported_media_type"},
		{"a long key", []string{"Idempotency-Key", strings.Repeat("k", 201)}, 400, invalidRequest, "bad_idempotency_key"},
		{"a long conversation", []string{"X-Conversation-Id", strings.Repeat("k", 201)}, 400, invalidRequest, "bad_conversation"},
	} {
		res := w.send("POST", "/v1/chat/completions", history("a"), c.headers...)
		got := read[map[string]*apiError](t, res, c.status)["error"]
		if got.Type != c.kind || *got.Code != c.code {
			t.Errorf("%s: %+v", c.name, got)
		}
		if (c.status == 401) != (res.Header.Get("WWW-Authenticate") == "Bearer") {
			t.Errorf("%s: WWW-Authenticate %q", c.name, res.Header.Get("WWW-Authenticate"))
		}
	}
	if err := w.api.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	res := w.send("POST", "/v1/chat/completions", history("a"))
	if got := read[map[string]*apiError](t, res, http.StatusServiceUnavailable)["error"]; got.Type != serverError || *got.Code != "draining" || !strings.Contains(got.Message, "Idempotency-Key") || res.Header.Get("Retry-After") != "1" {
		t.Errorf("draining: %+v", got)
	}
}

// What clients send besides is passed over.
func TestFieldsForModels(t *testing.T) {
	w := newFixture(t)
	body := `{"model":"","messages":[{"role":"user","name":"bob","content":[{"type":"text","text":"buy"},{"type":"text","text":"I-7"}]}],
		"temperature":0.3,"top_p":1,"max_tokens":7,"max_completion_tokens":7,"n":1,"stop":["x"],"seed":1,"logit_bias":{},"logprobs":false,"user":"eve",
		"safety_identifier":"eve","tools":[{"type":"function","function":{"name":"f"}}],"tool_choice":"auto","parallel_tool_calls":true,
		"response_format":{"type":"text"},"store":false,"stream":null,"reasoning_effort":"low","x_new":{"y":[1]}}`
	if got := read[told](t, w.send("POST", "/v1/chat/completions", body), http.StatusOK); got.text() != "Order I-7?" {
		t.Errorf("got %+v", got)
	}
}

func TestModels(t *testing.T) {
	w := newFixture(t)
	want := map[string]any{"id": "stall", "object": "model", "created": float64(w.adapter.since.Unix()), "owned_by": "slotway"}
	got := read[map[string]any](t, w.send("GET", "/v1/models", ""), http.StatusOK)
	if diff := cmp.Diff(map[string]any{"object": "list", "data": []any{want}}, got); diff != "" {
		t.Errorf("models (-want +got)\n%s", diff)
	}
	for _, name := range []string{"stall", "slotway"} {
		if diff := cmp.Diff(want, read[map[string]any](t, w.send("GET", "/v1/models/"+name, ""), http.StatusOK)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
	if got := read[map[string]*apiError](t, w.send("GET", "/v1/models/gpt-4o", ""), http.StatusNotFound)["error"]; *got.Code != "model_not_found" {
		t.Errorf("gpt-4o: %+v", got)
	}
}
