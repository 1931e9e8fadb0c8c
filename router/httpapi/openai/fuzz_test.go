package openai

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"
)

// Whatever a body is, it is answered: by a turn, or by a refusal in the API's own form that
// does not quote it.
func FuzzBodies(f *testing.F) {
	for _, body := range []string{
		`{"model":"stall","messages":[{"role":"user","content":"buy I-7"}]}`,
		`{"model":"stall","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":[{"type":"text","text":"yes"}]}]}`,
		`{"model":"stall","conversation":{"id":"c"},"input":[{"role":"user","content":"buy I-7"}],"metadata":{"a":"b"}}`,
		`{"input":"yes","previous_response_id":"resp_YTox","store":true,"n":1,"tool_choice":"none","text":{"format":{"type":"text"}}}`,
		`{"model":"stall","messages":[],"conversation_id":"\u0000"}`, `[]`, `{`, "\xff", `{"input":{"a":1}}`,
	} {
		f.Add(body, false)
		f.Add(body, true)
	}
	f.Fuzz(func(t *testing.T, raw string, responses bool) {
		path := "/v1/chat/completions"
		if responses {
			path = "/v1/responses"
		}
		res := newFixture(t).send(http.MethodPost, path, raw)
		text := body(t, res)
		switch {
		case res.StatusCode >= http.StatusInternalServerError:
			t.Fatalf("%q: status %d: %s", raw, res.StatusCode, text)
		case res.StatusCode != http.StatusOK:
			var refusal struct {
				Error struct{ Message, Type string }
			}
			if json.Unmarshal(text, &refusal) != nil || refusal.Error.Message == "" || refusal.Error.Type == "" {
				t.Fatalf("%q: status %d without an error: %s", raw, res.StatusCode, text)
			}
		case strings.HasPrefix(res.Header.Get("Content-Type"), "application/json"):
			if !json.Valid(text) || !utf8.Valid(text) {
				t.Fatalf("%q: answered with %q", raw, text)
			}
		}
	})
}
