package webhook

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/router/httpapi/channel"
)

// exampleSecret, with the values in TestSign, is the example of the Standard Webhooks libraries.
const exampleSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

func secret(t *testing.T) Secret {
	t.Helper()
	s, err := ParseSecret(exampleSecret)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSign(t *testing.T) {
	at := time.Unix(1614265330, 0)
	body := []byte(`{"test": 2432232314}`)
	h := secret(t).Sign("msg_p5jXN8AQM9LWM0D4loKWxJek", body, at)
	if got := h.Get("webhook-signature"); got != "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=" {
		t.Errorf("signed %s", got)
	}
	good := func(change func(h http.Header), body []byte, now time.Time) bool {
		own := h.Clone()
		change(own)
		return secret(t).Verify(own, body, now) == nil
	}
	nothing := func(http.Header) {}
	if !good(nothing, body, at.Add(time.Minute)) {
		t.Error("its own signature is refused")
	}
	if !good(func(h http.Header) { h.Set("webhook-signature", "v1,AAAA "+h.Get("webhook-signature")) }, body, at) {
		t.Error("one of two signatures is refused")
	}
	for name, taken := range map[string]bool{
		"too old":      good(nothing, body, at.Add(6*time.Minute)),
		"too new":      good(nothing, body, at.Add(-6*time.Minute)),
		"another body": good(nothing, []byte("{}"), at),
		"another id":   good(func(h http.Header) { h.Set("webhook-id", "other") }, body, at),
		"no id":        good(func(h http.Header) { h.Del("webhook-id") }, body, at),
		"another time": good(func(h http.Header) { h.Set("webhook-timestamp", "1614265331") }, body, at),
		"no signature": good(func(h http.Header) { h.Del("webhook-signature") }, body, at),
	} {
		if taken {
			t.Errorf("%s: taken", name)
		}
	}
}

func TestParseSecret(t *testing.T) {
	for _, text := range []string{"", "whsec_", "whsec_c2hvcnQ=", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_%%%"} {
		if _, err := ParseSecret(text); err == nil || !strings.Contains(err.Error(), "openssl") || text != "" && strings.Contains(err.Error(), strings.TrimPrefix(text, "whsec_")+"x") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestParse(t *testing.T) {
	r := httptest.NewRequest(http.MethodPost, "/", nil)
	r.Header.Set("webhook-id", "m1")
	c := New(Options{})
	d, err := c.Parse(r, []byte(`{"user_id": "u", "conversation_id": "c", "text": "hi", "order": 3}`))
	want := []channel.Event{{ID: "m1", From: channel.Address{User: "u", Conversation: "c"}, Text: "hi", Order: 3}}
	if diff := cmp.Diff(want, d.Events); diff != "" || err != nil {
		t.Errorf("%v, -want +got\n%s", err, diff)
	}
	for _, body := range []string{"", "{", `{"user_id": "u", "conversation_id": "c"}`, `{"text": "a", "option": "1:2"}`, `{"text": 1}`} {
		if _, err := c.Parse(r, []byte(body)); err == nil {
			t.Errorf("%q was taken", body)
		}
	}
}

// The receiver's response decides whether an event is posted again. The id stays the same.
func TestPost(t *testing.T) {
	for status, want := range map[int]*channel.SendError{
		200: nil, 204: nil, 400: {Reason: "status_400", Never: true}, 410: {Reason: "status_410", Never: true},
		404: {Reason: "status_404"}, 302: {Reason: "redirected"}, 503: {Reason: "unavailable"}, 500: {Reason: "server_error", Unknown: true},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			if secret(t).Verify(r.Header, body, time.Now()) != nil || r.Header.Get("webhook-id") != "m1" || !strings.Contains(string(body), `"text":"hi"`) {
				t.Errorf("got %s with %v", body, r.Header)
			}
			w.Header().Set("Location", "https://elsewhere.example")
			w.WriteHeader(status)
		}))
		err := New(Options{URL: s.URL, Secret: secret(t)}).Send(t.Context(), channel.Address{User: "u", Conversation: "c"}, &channel.Message{ID: "m1", Text: "hi"})
		var got *channel.SendError
		errors.As(err, &got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%d: -want +got\n%s", status, diff)
		}
		s.Close()
	}
}
