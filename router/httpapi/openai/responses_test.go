package openai

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// responded is what these tests look at of a response.
type responded struct {
	ID           string  `json:"id"`
	Previous     *string `json:"previous_response_id"`
	Conversation struct{ ID string }
	Output       []struct {
		Content []struct{ Text string }
	}
	Slotway struct {
		Turn    int64  `json:"turn"`
		History string `json:"history"`
	}
}

func (r responded) text() string { return r.Output[0].Content[0].Text }

func (w *fixture) respondTo(input string, fields ...any) *http.Response {
	w.t.Helper()
	all := map[string]any{"model": "stall", "input": input, "instructions": "Be brief."}
	for i := 0; i+1 < len(fields); i += 2 {
		all[fields[i].(string)] = fields[i+1]
	}
	data, err := json.Marshal(all)
	if err != nil {
		w.t.Fatal(err)
	}
	return w.send("POST", "/v1/responses", string(data))
}

func (w *fixture) responds(input string, fields ...any) responded {
	w.t.Helper()
	return read[responded](w.t, w.respondTo(input, fields...), http.StatusOK)
}

func TestAResponse(t *testing.T) {
	w := newFixture(t)
	got := read[map[string]any](t, w.respondTo("buy I-7", "conversation_id", "s", "metadata", map[string]string{"a": "b"}), http.StatusOK)
	if got["created_at"] != got["completed_at"] || got["created_at"].(float64) < 1767603600 {
		t.Errorf("created %v, completed %v", got["created_at"], got["completed_at"])
	}
	delete(got, "created_at")
	delete(got, "completed_at")
	want := map[string]any{
		"id": ref{"s", 1}.id("resp_"), "object": "response", "status": "completed", "model": "stall", "error": nil,
		"incomplete_details": nil, "instructions": nil, "previous_response_id": nil, "conversation": map[string]any{"id": "s"},
		"parallel_tool_calls": true, "tool_choice": "auto", "tools": []any{}, "temperature": 1.0, "top_p": 1.0,
		"text": map[string]any{"format": map[string]any{"type": "text"}}, "store": true, "background": false,
		"metadata": map[string]any{"a": "b"}, "truncation": "disabled", "service_tier": "default",
		"presence_penalty": 0.0, "frequency_penalty": 0.0, "top_logprobs": 0.0, "reasoning": nil, "max_output_tokens": nil,
		"max_tool_calls": nil, "safety_identifier": nil, "prompt_cache_key": nil,
		"output": []any{map[string]any{
			"id": ref{"s", 1}.id("msg_"), "type": "message", "role": "assistant", "status": "completed",
			"content": []any{map[string]any{"type": "output_text", "text": "Order I-7?", "annotations": []any{}, "logprobs": []any{}}},
		}},
		"usage": map[string]any{
			"input_tokens": 4.0, "input_tokens_details": map[string]any{"cached_tokens": 0.0},
			"output_tokens": 5.0, "output_tokens_details": map[string]any{"reasoning_tokens": 0.0}, "total_tokens": 9.0,
		},
		"slotway": turnOf("s"),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("response (-want +got)\n%s", diff)
	}
}

func TestAStreamedResponse(t *testing.T) {
	w := newFixture(t)
	whole := read[map[string]any](t, w.respondTo("price I-7", "conversation_id", "s"), http.StatusOK)
	kinds, data := events(t, w.respondTo("price I-7", "conversation_id", "s2", "stream", true))
	want := []string{
		"response.created", "response.in_progress", "response.output_item.added", "response.content_part.added",
		"response.output_text.delta", "response.output_text.delta", "response.output_text.done", "response.content_part.done", "response.output_item.done", "response.completed",
	}
	if diff := cmp.Diff(want, kinds); diff != "" {
		t.Fatalf("events (-want +got)\n%s", diff)
	}
	var text strings.Builder
	for i, e := range data {
		if e["type"] != kinds[i] || e["sequence_number"] != float64(i) {
			t.Errorf("event %d of kind %s: %v", i, kinds[i], e)
		}
		if piece, ok := e["delta"].(string); ok {
			text.WriteString(piece)
		}
	}
	if text.String() != "One I-7 costs ten." || data[6]["text"] != text.String() {
		t.Errorf("text %q, then %v", text.String(), data[6])
	}
	last := data[len(data)-1]["response"].(map[string]any)
	for _, key := range []string{"status", "usage", "text", "object"} {
		if diff := cmp.Diff(whole[key], last[key]); diff != "" {
			t.Errorf("%s (-whole +streamed)\n%s", key, diff)
		}
	}
	if diff := cmp.Diff(last["output"].([]any)[0], data[8]["item"]); diff != "" {
		t.Errorf("item (-in the response +alone)\n%s", diff)
	}
	if first := data[0]["response"].(map[string]any); first["status"] != "in_progress" || len(first["output"].([]any)) != 0 || first["usage"] != nil {
		t.Errorf("at its beginning: %v", first)
	}
}

func TestResponsesFollowEachOther(t *testing.T) {
	w := newFixture(t)
	first := w.responds("buy")
	second := w.responds("I-7", "previous_response_id", first.ID)
	if second.text() != "Order I-7?" || *second.Previous != first.ID || second.Conversation != first.Conversation {
		t.Errorf("second: %+v", second)
	}
	third := w.responds("yes", "previous_response_id", second.ID)
	if again := w.responds("yes", "previous_response_id", second.ID); again.ID != third.ID || len(w.purchases()) != 1 {
		t.Errorf("again: %+v, %v", again, w.purchases())
	}
	// An older one: what was done since is not taken back.
	for _, older := range []string{first.ID, second.ID} {
		res := w.respondTo("sure", "previous_response_id", older)
		got := read[map[string]*apiError](t, res, http.StatusConflict)
		if *got["error"].Code != "moved_on" || res.Header.Get("X-Should-Retry") != "false" {
			t.Errorf("to %s: %+v", older, got["error"])
		}
	}
	if n := len(w.purchases()); n != 1 {
		t.Errorf("%d purchases", n)
	}
}

func TestInputItems(t *testing.T) {
	w := newFixture(t)
	input := func(items string) responded {
		return read[responded](t, w.send("POST", "/v1/responses", `{"input":`+items+`}`), http.StatusOK)
	}
	first := input(`[{"role":"developer","content":"x"},{"type":"message","role":"user","content":[{"type":"input_text","text":"buy"},{"type":"input_image","image_url":"x"}]}]`)
	if first.text() != "Which item?" || first.Slotway.History != began {
		t.Errorf("first: %+v", first)
	}
	// The history as items, the answer in the form in which it was given.
	second := input(`[{"role":"user","content":"buy"},{"type":"reasoning","summary":[]},
		{"type":"message","id":"m","role":"assistant","status":"completed","content":[{"type":"output_text","text":"Which item?","annotations":[]}]},
		{"role":"user","content":"I-7"}]`)
	if second.text() != "Order I-7?" || second.Conversation != first.Conversation {
		t.Errorf("second: %+v", second)
	}
}

func TestReadingAResponseAgain(t *testing.T) {
	w := newFixture(t)
	c := read[conversation](t, w.send("POST", "/v1/conversations", "{}"), http.StatusOK)
	for i, text := range []string{"buy", "I-7", "price"} {
		var conversation any = c.ID
		if i == 1 {
			conversation = map[string]string{"id": c.ID}
		}
		then := read[map[string]any](t, w.respondTo(text, "conversation", conversation), http.StatusOK)
		now := read[map[string]any](t, w.send("GET", "/v1/responses/"+then["id"].(string), ""), http.StatusOK)
		if diff := cmp.Diff(then, now); diff != "" {
			t.Errorf("turn %d (-then +now)\n%s", i+1, diff)
		}
	}
	id := ref{c.ID, 2}.id(responsePrefix)
	for _, method := range []string{"GET", "DELETE"} {
		for _, path := range []string{id[:len(id)-1], ref{c.ID, 4}.id(responsePrefix), ref{"other", 1}.id(responsePrefix), "resp_", ref{c.ID, 2}.id("")} {
			if res := w.send(method, "/v1/responses/"+path, ""); res.StatusCode != http.StatusNotFound {
				t.Errorf("%s %s: status %d", method, path, res.StatusCode)
			}
		}
		if res := w.send(method, "/v1/responses/"+id, "", "Authorization", "eve"); res.StatusCode != http.StatusNotFound {
			t.Errorf("%s by another: status %d", method, res.StatusCode)
		}
	}
	res := w.send("DELETE", "/v1/responses/"+id, "")
	if got := read[map[string]*apiError](t, res, http.StatusConflict); !strings.Contains(got["error"].Message, "/v1/conversations/"+c.ID) {
		t.Errorf("DELETE: %+v", got["error"])
	}
}

func TestConversations(t *testing.T) {
	w := newFixture(t)
	made := read[conversation](t, w.send("POST", "/v1/conversations", `{"metadata":{"topic":"orders"},"items":[]}`), http.StatusOK)
	if !strings.HasPrefix(made.ID, "conv_") || made.Object != "conversation" || made.CreatedAt < 1767603600 || made.Metadata["topic"] != "orders" {
		t.Errorf("made %+v", made)
	}
	path := "/v1/conversations/" + made.ID
	if diff := cmp.Diff(made, read[conversation](t, w.send("GET", path, ""), http.StatusOK)); diff != "" {
		t.Errorf("GET (-made +got)\n%s", diff)
	}
	if got := w.responds("buy I-7", "conversation", made.ID); got.Conversation.ID != made.ID || got.Slotway.Turn != 1 {
		t.Errorf("in it: %+v", got)
	}
	if got := w.responds("yes", "conversation", map[string]string{"id": made.ID}); got.text() != "You have bought I-7." {
		t.Errorf("in it: %+v", got)
	}
	for _, method := range []string{"GET", "DELETE"} {
		if res := w.send(method, path, "", "Authorization", "eve"); res.StatusCode != http.StatusNotFound {
			t.Errorf("%s by another: status %d", method, res.StatusCode)
		}
	}
	gone := read[map[string]any](t, w.send("DELETE", path, ""), http.StatusOK)
	if diff := cmp.Diff(map[string]any{"id": made.ID, "object": "conversation.deleted", "deleted": true}, gone); diff != "" {
		t.Errorf("DELETE (-want +got)\n%s", diff)
	}
	for _, method := range []string{"GET", "DELETE"} {
		if res := w.send(method, path, ""); res.StatusCode != http.StatusNotFound {
			t.Errorf("%s afterwards: status %d", method, res.StatusCode)
		}
	}
	if res := w.respondTo("buy", "conversation", made.ID); res.StatusCode != http.StatusNotFound {
		t.Errorf("a message to it: status %d", res.StatusCode)
	}
	// Without a body, and twice with a key.
	read[conversation](t, w.send("POST", "/v1/conversations", ""), http.StatusOK)
	one := read[conversation](t, w.send("POST", "/v1/conversations", "{}", "Idempotency-Key", "k"), http.StatusOK)
	if two := read[conversation](t, w.send("POST", "/v1/conversations", "{}", "Idempotency-Key", "k"), http.StatusOK); two.ID != one.ID {
		t.Errorf("made %s beside %s", two.ID, one.ID)
	}
	pairs := map[string]string{}
	for i := range maxPairs + 1 {
		pairs[fmt.Sprint(i)] = "x"
	}
	many, _ := json.Marshal(pairs)
	for _, body := range []string{`{"items":[{"role":"user","content":"a"}]}`, `{"metadata":` + string(many) + `}`, `{"metadata":{"a":"` + strings.Repeat("x", 600) + `"}}`, `[]`, `{"metadata":[]}`} {
		if res := w.send("POST", "/v1/conversations", body); res.StatusCode != http.StatusBadRequest {
			t.Errorf("%.40s: status %d", body, res.StatusCode)
		}
	}
}
