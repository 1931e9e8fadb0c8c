package slack

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/router/httpapi/channel"
)

// The example of Slack's documentation.
const (
	exampleSecret = "8f742231b10e8888abcd99yyyzzz85a5"
	exampleTime   = "1531420618"
	exampleBody   = "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c"
	exampleSign   = "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503"
)

func TestVerify(t *testing.T) {
	at := time.Unix(1531420618, 0)
	for _, c := range []struct {
		name, secret, stamp, body, sign string
		now                             time.Time
		good                            bool
	}{
		{"the example", exampleSecret, exampleTime, exampleBody, exampleSign, at, true},
		{"four minutes later", exampleSecret, exampleTime, exampleBody, exampleSign, at.Add(4 * time.Minute), true},
		{"too late", exampleSecret, exampleTime, exampleBody, exampleSign, at.Add(6 * time.Minute), false},
		{"from the future", exampleSecret, exampleTime, exampleBody, exampleSign, at.Add(-6 * time.Minute), false},
		{"another secret", "x", exampleTime, exampleBody, exampleSign, at, false},
		{"another body", exampleSecret, exampleTime, exampleBody + "&a=b", exampleSign, at, false},
		{"another time", exampleSecret, "1531420619", exampleBody, exampleSign, at, false},
		{"no signature", exampleSecret, exampleTime, exampleBody, "", at, false},
		{"no time", exampleSecret, "", exampleBody, exampleSign, at, false},
	} {
		r := httptest.NewRequest(http.MethodPost, "/", nil)
		r.Header.Set("X-Slack-Request-Timestamp", c.stamp)
		r.Header.Set("X-Slack-Signature", c.sign)
		if err := New(Options{SigningSecret: c.secret}).Verify(r, []byte(c.body), c.now); (err == nil) != c.good {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func parse(t *testing.T, kind, body string) channel.Delivery {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, "/", nil)
	r.Header.Set("Content-Type", kind)
	d, err := New(Options{}).Parse(r, []byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestParse(t *testing.T) {
	const head = `{"type": "event_callback", "team_id": "T1", "event_id": "Ev1", "authorizations": [{"user_id": "U0BOT", "is_bot": true}], "event": `
	direct := channel.Address{User: "T1/U1", Conversation: "T1/D1"}
	for _, c := range []struct {
		name, event string
		want        *channel.Event
	}{
		{"a direct message", `{"type": "message", "channel_type": "im", "user": "U1", "channel": "D1", "text": "my mail is <mailto:a@b.example|a@b.example> &amp; more", "ts": "1355517523.000005"}`, &channel.Event{ID: "Ev1", From: direct, Text: "my mail is a@b.example & more", Order: 1355517523000005}},
		{"in a thread of it", `{"type": "message", "channel_type": "im", "user": "U1", "channel": "D1", "text": "hi", "ts": "2.1", "thread_ts": "1.5"}`, &channel.Event{ID: "Ev1", From: channel.Address{User: "T1/U1", Conversation: "T1/D1/1.5/U1"}, Text: "hi", Order: 2100000}},
		{"the app is named", `{"type": "app_mention", "user": "U1", "channel": "C1", "text": "<@U0BOT> does <@U7> know where <tel:+15550100|+15550100> is?", "ts": "3.000001"}`, &channel.Event{ID: "Ev1", From: channel.Address{User: "T1/U1", Conversation: "T1/C1/3.000001/U1"}, Text: "does @U7 know where +15550100 is?", Order: 3000001}},
		{"what the app says itself", `{"type": "message", "channel_type": "im", "user": "U1", "bot_id": "B1", "channel": "D1", "text": "hi", "ts": "1.1"}`, nil},
		{"an edit", `{"type": "message", "subtype": "message_changed", "channel_type": "im", "user": "U1", "channel": "D1", "text": "hi", "ts": "1.1"}`, nil},
		{"said among people", `{"type": "message", "channel_type": "channel", "user": "U1", "channel": "C1", "text": "hi", "ts": "1.1"}`, nil},
		{"only the name", `{"type": "app_mention", "user": "U1", "channel": "C1", "text": "<@U0BOT>", "ts": "1.1"}`, nil},
		{"another event", `{"type": "reaction_added", "user": "U1"}`, nil},
	} {
		d := parse(t, "application/json", head+c.event+"}")
		var want []channel.Event
		if c.want != nil {
			want = []channel.Event{*c.want}
		}
		if diff := cmp.Diff(want, d.Events); diff != "" {
			t.Errorf("%s: -want +got\n%s", c.name, diff)
		}
	}
	if d := parse(t, "application/json", `{"type": "url_verification", "challenge": "c1"}`); d.Answer != "c1" || d.Events != nil {
		t.Errorf("a challenge: %+v", d)
	}
}

func TestParseAction(t *testing.T) {
	payload := `{"type": "block_actions", "team": {"id": "T1"}, "user": {"id": "U1"}, "channel": {"id": "C1"}, "container": {"thread_ts": "3.1"}, "trigger_id": "tr1", "actions": [{"value": "4:1", "action_ts": "5.5"}]}`
	d := parse(t, "application/x-www-form-urlencoded; charset=utf-8", url.Values{"payload": {payload}}.Encode())
	want := []channel.Event{{ID: "tr1", From: channel.Address{User: "T1/U1", Conversation: "T1/C1/3.1/U1"}, Value: "4:1", Order: 5500000}}
	if diff := cmp.Diff(want, d.Events); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if got, thread := place(want[0].From); got != "C1" || thread != "3.1" {
		t.Errorf("the answer goes to %q, %q", got, thread)
	}
	for _, body := range []string{"payload=%", "payload={", ""} {
		r := httptest.NewRequest(http.MethodPost, "/", nil)
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		if _, err := New(Options{}).Parse(r, []byte(body)); err == nil {
			t.Errorf("%q was taken", body)
		}
	}
}

// Slack's response decides whether a message is sent again.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		answer string
		want   *channel.SendError
	}{
		{`{"ok": true}`, nil},
		{`{"ok": false, "error": "channel_not_found"}`, &channel.SendError{Reason: "channel_not_found", Never: true}},
		{`{"ok": false, "error": "invalid_auth"}`, &channel.SendError{Reason: "invalid_auth"}},
		{`{"ok": false, "error": "fatal_error"}`, &channel.SendError{Reason: "fatal_error", Unknown: true}},
		{`{"ok": false, "error": "Token xoxb-1 is wrong"}`, &channel.SendError{Reason: "refused"}},
		{`<html>`, &channel.SendError{Reason: "status_200", Unknown: true}},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(c.answer)) }))
		err := New(Options{APIURL: s.URL}).Send(t.Context(), channel.Address{Conversation: "T1/D1"}, &channel.Message{Text: "hi"})
		var got *channel.SendError
		errors.As(err, &got)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", c.answer, diff)
		}
		s.Close()
	}
}

func FuzzParse(f *testing.F) {
	f.Add("application/json", `{"type": "event_callback", "event": {"type": "message", "channel_type": "im", "user": "U1", "text": "<a|b> &lt;"}}`)
	f.Add("application/x-www-form-urlencoded", "payload="+url.QueryEscape(`{"type": "block_actions", "actions": [{"value": "1:2"}]}`))
	f.Fuzz(func(t *testing.T, kind, body string) {
		r := httptest.NewRequest(http.MethodPost, "/", nil)
		r.Header.Set("Content-Type", kind)
		d, err := New(Options{}).Parse(r, []byte(body))
		for _, e := range d.Events {
			if err != nil || (e.Text == "") == (e.Value == "") || strings.Count(e.From.Conversation, "/") < 1 {
				t.Errorf("%+v, %v", e, err)
			}
		}
	})
}

// A message in doubt is looked for where it would be. What cannot be found out now is tried later; what can
// never be found out is sent.
func TestLooks(t *testing.T) {
	tried := time.Unix(1_700_000_100, 0)
	for _, c := range []struct {
		name, answer string
		status       int
		posts        int
		later        bool
	}{
		{"it is there", `{"ok": true, "messages": [{"metadata": {"event_payload": {"id": "m0"}}}, {"metadata": {"event_payload": {"id": "m1"}}}]}`, 200, 0, false},
		{"it is not there", `{"ok": true, "messages": [{"metadata": {"event_payload": {"id": "m0"}}}, {}]}`, 200, 1, false},
		{"no scope", `{"ok": false, "error": "missing_scope"}`, 200, 1, false},
		{"a fault", `{"ok": false, "error": "internal_error"}`, 200, 0, true},
		{"down", ``, 502, 0, true},
		{"too many", ``, 429, 0, true},
	} {
		for _, conversation := range []string{"T1/D1", "T1/C1/3.1/U1"} {
			posts := 0
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				q := r.URL.Query()
				switch r.URL.Path {
				case "/chat.postMessage":
					posts++
					_, _ = w.Write([]byte(`{"ok": true}`))
					return
				case "/conversations.replies":
					if q.Get("ts") != "3.1" || q.Get("channel") != "C1" {
						t.Errorf("asked for %s", r.URL.RawQuery)
					}
				case "/conversations.history":
					if q.Has("ts") || q.Get("channel") != "D1" {
						t.Errorf("asked for %s", r.URL.RawQuery)
					}
				}
				if q.Get("oldest") != "1700000040" || q.Get("include_all_metadata") != "true" {
					t.Errorf("asked for %s", r.URL.RawQuery)
				}
				w.WriteHeader(c.status)
				_, _ = w.Write([]byte(c.answer))
			}))
			err := New(Options{APIURL: s.URL}).Send(t.Context(), channel.Address{Conversation: conversation}, &channel.Message{ID: "m1", Text: "hi", Tried: tried})
			if posts != c.posts || (err != nil) != c.later {
				t.Errorf("%s, %s: %d posts, %v", c.name, conversation, posts, err)
			}
			s.Close()
		}
	}
}
