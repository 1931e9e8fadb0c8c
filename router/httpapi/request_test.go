package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"
	"unicode/utf8"
)

// Whatever a body holds: it is refused with a problem of status 400, or it is exactly
// what encoding/json reads in it.
func FuzzDecodeChat(f *testing.F) {
	for _, seed := range []string{
		`{"message":"hi"}`, `{"message":"hi","stream":true,"agent":"a","conversation_id":"c","message_id":"m"}`,
		`{"message":"\ud83d\ude00\ud800"}`, `{"message":null}`, `{"message":"a","message":"b"}`, `{"message":{}}`, `{"stream":1e999}`,
		`{"message":"hi"}]`, `[`, ``, "\ufeff{}", `{"message":"hi",}`, `{"message" "hi"}`, `{"MESSAGE":"x"}`, "{\"message\":\"\x00\"}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		got, err := decodeChat(body)
		if err != nil {
			var p *Problem
			if !errors.As(err, &p) || p.Status != 400 || p.Detail == "" || !utf8.ValidString(p.Detail) {
				t.Fatalf("error %#v", err)
			}
			return
		}
		var want struct {
			Message, Agent *string
			ConversationID *string `json:"conversation_id"`
			MessageID      *string `json:"message_id"`
			Stream         *bool
		}
		dec := json.NewDecoder(bytes.NewReader(body))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&want); err != nil {
			t.Fatalf("taken, but encoding/json says: %v", err)
		}
		for _, c := range []struct {
			got  string
			want *string
		}{{got.message, want.Message}, {got.agent, want.Agent}, {got.conversation, want.ConversationID}, {got.messageID, want.MessageID}} {
			if (c.want == nil && c.got != "") || (c.want != nil && c.got != *c.want) {
				t.Fatalf("got %+v", got)
			}
		}
		if want.Message == nil || got.stream != (want.Stream != nil && *want.Stream) {
			t.Fatalf("got %+v", got)
		}
	})
}
