package telegram

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/router/httpapi/channel"
)

func TestParse(t *testing.T) {
	private := channel.Address{User: "7", Conversation: "7"}
	for _, c := range []struct {
		name, body string
		want       *channel.Event
	}{
		{"a message", `{"update_id": 5, "message": {"message_id": 1, "from": {"id": 7}, "chat": {"id": 7, "type": "private"}, "text": "hi"}}`, &channel.Event{ID: "12/5", From: private, Text: "hi", Order: 5}},
		{"in a group", `{"update_id": 6, "message": {"message_id": 1, "from": {"id": 7}, "chat": {"id": -9, "type": "group"}, "text": "/cancel_it@my_bot 12"}}`, &channel.Event{ID: "12/6", From: channel.Address{User: "7", Conversation: "-9/7"}, Text: "cancel it 12", Order: 6}},
		{"the first", `{"update_id": 7, "message": {"message_id": 1, "from": {"id": 7}, "chat": {"id": 7, "type": "private"}, "text": "/start"}}`, &channel.Event{ID: "12/7", From: private, Text: "hello", Order: 7}},
		{"a picture with words", `{"update_id": 8, "message": {"message_id": 1, "from": {"id": 7}, "chat": {"id": 7, "type": "private"}, "caption": "it is broken"}}`, &channel.Event{ID: "12/8", From: private, Text: "it is broken", Order: 8}},
		{"a button", `{"update_id": 9, "callback_query": {"id": "q1", "from": {"id": 7}, "data": "3:1", "message": {"message_id": 1, "from": {"id": 1, "is_bot": true}, "chat": {"id": 7, "type": "private"}}}}`, &channel.Event{ID: "12/9", From: private, Value: "3:1", Order: 9}},
		{"a sticker", `{"update_id": 10, "message": {"message_id": 1, "from": {"id": 7}, "chat": {"id": 7, "type": "private"}}}`, nil},
		{"another bot", `{"update_id": 11, "message": {"message_id": 1, "from": {"id": 7, "is_bot": true}, "chat": {"id": 7, "type": "private"}, "text": "hi"}}`, nil},
		{"an edit", `{"update_id": 12, "edited_message": {"message_id": 1}}`, nil},
	} {
		d, err := New(Options{Token: "12:secret"}).Parse(nil, []byte(c.body))
		var want []channel.Event
		if c.want != nil {
			want = []channel.Event{*c.want}
		}
		if diff := cmp.Diff(want, d.Events); diff != "" || err != nil {
			t.Errorf("%s: %v, -want +got\n%s", c.name, err, diff)
		}
		w := httptest.NewRecorder()
		New(Options{}).Acknowledge(w, &d)
		if pressed := strings.Contains(w.Body.String(), `"answerCallbackQuery","callback_query_id":"q1"`); pressed != (c.name == "a button") {
			t.Errorf("%s: answered with %s", c.name, w.Body)
		}
	}
	for _, body := range []string{"", "{", "[]", `{"update_id": "a"}`, `{}`} {
		if _, err := New(Options{}).Parse(nil, []byte(body)); err == nil {
			t.Errorf("%q was taken", body)
		}
	}
}

func TestVerify(t *testing.T) {
	for given, good := range map[string]bool{"s3cret": true, "": false, "s3cre": false, "s3cret2": false} {
		r := httptest.NewRequest(http.MethodPost, "/", nil)
		r.Header.Set("X-Telegram-Bot-Api-Secret-Token", given)
		if err := New(Options{Secret: "s3cret"}).Verify(r, nil, time.Time{}); (err == nil) != good {
			t.Errorf("%q: %v", given, err)
		}
	}
}

// Telegram's response decides whether a message is sent again. No error contains the token.
func TestRefusals(t *testing.T) {
	for status, want := range map[int]*channel.SendError{
		200: nil, 400: {Reason: "status_400", Never: true}, 403: {Reason: "status_403", Never: true},
		401: {Reason: "unauthorized"}, 404: {Reason: "unauthorized"}, 502: {Reason: "server_error", Unknown: true},
		429: {Reason: "rate_limited", After: 3 * time.Second},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "3")
			w.WriteHeader(status)
		}))
		err := New(Options{APIURL: s.URL, Token: "t0ken"}).Send(t.Context(), channel.Address{Conversation: "7"}, &channel.Message{Text: "hi"})
		var got *channel.SendError
		errors.As(err, &got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%d: -want +got\n%s", status, diff)
		}
		s.Close()
	}
	err := New(Options{APIURL: "http://127.0.0.1:1", Token: "t0ken"}).Send(t.Context(), channel.Address{Conversation: "7"}, &channel.Message{Text: "hi"})
	var got *channel.SendError
	if !errors.As(err, &got) || got.Unknown || got.Never || strings.Contains(err.Error(), "t0ken") {
		t.Errorf("nobody there: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`{"update_id": 5, "message": {"from": {"id": 7}, "chat": {"id": 7, "type": "private"}, "text": "/a@b c"}}`)
	f.Fuzz(func(t *testing.T, body string) {
		d, err := New(Options{}).Parse(nil, []byte(body))
		if err != nil && len(d.Events) > 0 {
			t.Errorf("%+v, %v", d, err)
		}
	})
}
