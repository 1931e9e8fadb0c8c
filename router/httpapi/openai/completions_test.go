package openai

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/memory"
)

// events reads server-sent events: the data of each, by which kind.
func events(t *testing.T, res *http.Response) (kinds []string, data []map[string]any) {
	t.Helper()
	if kind := res.Header.Get("Content-Type"); res.StatusCode != http.StatusOK || kind != "text/event-stream" {
		t.Fatalf("status %d, %s: %s", res.StatusCode, kind, body(t, res))
	}
	for block := range strings.SplitSeq(strings.TrimSuffix(string(body(t, res)), "\n\n"), "\n\n") {
		kind, rest := "", block
		if name, found := strings.CutPrefix(block, "event: "); found {
			kind, rest, _ = strings.Cut(name, "\n")
		}
		text, found := strings.CutPrefix(rest, "data: ")
		if !found || strings.Contains(text, "\n") {
			t.Fatalf("not one event: %q", block)
		}
		kinds = append(kinds, kind)
		if text == "[DONE]" {
			data = append(data, nil)
			continue
		}
		var v map[string]any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		data = append(data, v)
	}
	return kinds, data
}

// turnOf is the §7.1 object of the first turn of "buy I-7".
func turnOf(session string) map[string]any {
	return map[string]any{
		"session_id": session, "turn": 1.0, "intent": "order", "confidence": 0.9, "reply": "Order I-7?", "asked": nil,
		"waiting_for_param": nil, "confirming": "buy", "params": map[string]any{"item": "I-7"}, "tool_calls": []any{},
		"handoff": false, "error": nil, "history": "new", "options": []any{map[string]any{"title": "Yes", "say": "yes"}, map[string]any{"title": "No", "say": "no"}},
	}
}

func TestACompletion(t *testing.T) {
	w := newFixture(t)
	res := w.send("POST", "/v1/chat/completions", history("buy I-7"), "X-Conversation-Id", "s1")
	if res.Header.Get("X-Conversation-Id") != "s1" {
		t.Errorf("header %q", res.Header.Get("X-Conversation-Id"))
	}
	got := read[map[string]any](t, res, http.StatusOK)
	created, _ := got["created"].(float64)
	if int64(created) < 1767603600 || int64(created) > 1767603600+600 {
		t.Errorf("created %v", got["created"])
	}
	delete(got, "created")
	want := map[string]any{
		"id": ref{"s1", 1}.id("chatcmpl-"), "object": "chat.completion", "model": "stall",
		"choices": []any{map[string]any{
			"index": 0.0, "finish_reason": "stop", "logprobs": nil,
			"message": map[string]any{"role": "assistant", "content": "Order I-7?", "refusal": nil},
		}},
		"usage":   map[string]any{"prompt_tokens": 4.0, "completion_tokens": 5.0, "total_tokens": 9.0},
		"slotway": turnOf("s1"),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("completion (-want +got)\n%s", diff)
	}
}

func TestAStreamedCompletion(t *testing.T) {
	w := newFixture(t)
	body := strings.Replace(history("buy I-7"), `"model"`, `"stream":true,"conversation_id":"s","model"`, 1)
	_, data := events(t, w.send("POST", "/v1/chat/completions", body))
	var text strings.Builder
	for _, c := range data[:len(data)-1] {
		if c["object"] != "chat.completion.chunk" || c["id"] != data[0]["id"] || c["model"] != "stall" {
			t.Errorf("chunk %v", c)
		}
		for _, choice := range c["choices"].([]any) {
			piece, _ := choice.(map[string]any)["delta"].(map[string]any)["content"].(string)
			text.WriteString(piece)
		}
	}
	if data[len(data)-1] != nil {
		t.Errorf("the last event is not [DONE]")
	}
	if text.String() != "Order I-7?" || len(data) != 4 {
		t.Errorf("text %q in %d events", text.String(), len(data))
	}
	if diff := cmp.Diff([]any{map[string]any{"index": 0.0, "logprobs": nil, "finish_reason": nil, "delta": map[string]any{"role": "assistant", "content": ""}}}, data[0]["choices"]); diff != "" {
		t.Errorf("first chunk (-want +got)\n%s", diff)
	}
	last := data[len(data)-2]
	if diff := cmp.Diff([]any{map[string]any{"index": 0.0, "logprobs": nil, "finish_reason": "stop", "delta": map[string]any{}}}, last["choices"]); diff != "" {
		t.Errorf("last chunk (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(turnOf("s"), last["slotway"]); diff != "" {
		t.Errorf("turn (-want +got)\n%s", diff)
	}
	if _, ok := data[0]["usage"]; ok {
		t.Errorf("a usage that nobody asked for: %v", data[0])
	}
}

func TestAStreamWithUsage(t *testing.T) {
	w := newFixture(t)
	body := strings.Replace(history("buy I-7"), `"model"`, `"stream":true,"stream_options":{"include_usage":true},"model"`, 1)
	_, data := events(t, w.send("POST", "/v1/chat/completions", body))
	last := data[len(data)-2]
	if diff := cmp.Diff(map[string]any{"prompt_tokens": 4.0, "completion_tokens": 5.0, "total_tokens": 9.0}, last["usage"]); diff != "" {
		t.Errorf("usage (-want +got)\n%s", diff)
	}
	if n := len(last["choices"].([]any)); n != 0 {
		t.Errorf("%d choices beside the usage", n)
	}
	if v, ok := data[0]["usage"]; !ok || v != nil {
		t.Errorf("the first chunk has usage %v, %v; want null", v, ok)
	}
}

func TestPieces(t *testing.T) {
	for _, text := range []string{"", "short", "One I-7 costs ten, as it has done for years.", strings.Repeat("é", 100), strings.Repeat(" ", 50), "a\nb  c"} {
		got := chunks(text)
		if strings.Join(got, "") != text {
			t.Errorf("pieces(%q) = %q", text, got)
		}
		for i, p := range got {
			if i < len(got)-1 && (!strings.HasSuffix(p, " ") || len(p) < pieceLength) {
				t.Errorf("pieces(%q): piece %q", text, p)
			}
		}
	}
}

// Every way to name a conversation leads to the same one.
func TestNamedConversations(t *testing.T) {
	w := newFixture(t)
	say := func(text, fields string, headers ...string) told {
		body := `{` + fields + `"messages":[{"role":"user","content":"` + text + `"}]}`
		return read[told](t, w.send("POST", "/v1/chat/completions", body, headers...), http.StatusOK)
	}
	say("buy", ``, "X-Conversation-Id", "s")
	say("I-7", `"conversation_id":"s",`)
	if got := say("yes", `"metadata":{"conversation_id":"s"},`); got.text() != "You have bought I-7." || got.Slotway.Turn != 3 {
		t.Errorf("got %+v", got)
	}
	if got := say("price", `"metadata":{"conversation_id":"s"},"conversation_id":"s",`, "X-Conversation-Id", "s"); got.Slotway.Turn != 4 || got.Slotway.History != continued {
		t.Errorf("named three times: %+v", got)
	}
	if got := say("price", ``, "X-Conversation-Id", "s", "Authorization", "eve"); got.Slotway.Turn != 1 {
		t.Errorf("another user's: %+v", got)
	}
}

// Tags and importance come in the metadata, where OpenAI's clients can send them.
func TestTagsInMetadata(t *testing.T) {
	w := newFixture(t)
	say := func(metadata string, code int) {
		body := `{"metadata":{"conversation_id":"s",` + metadata + `},"messages":[{"role":"user","content":"price"}]}`
		if res := w.send("POST", "/v1/chat/completions", body); res.StatusCode != code {
			t.Errorf("%s: %d, want %d", metadata, res.StatusCode, code)
		}
	}
	say(`"tags":"work, blue","importance":"2"`, http.StatusOK)
	say(`"tags":"a,,b"`, http.StatusBadRequest)
	say(`"importance":"high"`, http.StatusBadRequest)
	list, err := w.store.Messages(t.Context(), memory.Key{UserID: "ann", AgentID: w.adapter.opts.Agent().ID, SessionID: "s"}, memory.Page{})
	if err != nil || len(list) != 2 {
		t.Fatalf("%d messages, %v", len(list), err)
	}
	for i, importance := range []int{2, 0} {
		if m := &list[i]; m.Importance != importance || !m.HasTags([]string{"work", "blue"}) {
			t.Errorf("%s has importance %d and tags %v", m.Role, m.Importance, m.Tags())
		}
	}
}

// One message with a key is one turn, also where the conversation is named.
func TestAKeyInANamedConversation(t *testing.T) {
	w := newFixture(t)
	send := func(key, text string) told {
		return read[told](t, w.send("POST", "/v1/chat/completions", history(text), "X-Conversation-Id", "s", "Idempotency-Key", key), http.StatusOK)
	}
	send("1", "buy I-7")
	first := send("2", "yes")
	if again := send("2", "yes"); again.ID != first.ID || len(w.purchases()) != 1 {
		t.Errorf("again: %+v, %v", again, w.purchases())
	}
}
