package twilio

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

func joined(parts ...string) string { return strings.Join(parts, "|") }

// The example of Twilio's documentation and libraries.
func TestVerify(t *testing.T) {
	c := New(Options{Token: "12345", URL: "https://mycompany.com/myapp.php?foo=1&bar=2"})
	form := url.Values{"CallSid": {"CA1234567890ABCDE"}, "Digits": {"1234"}, "From": {"+14158675309"}, "To": {"+18005551212"}, "Caller": {"+14158675309"}}
	const sign = "RSOYDt4T1cUTdK1PDd93/VVr8B8="
	try := func(form url.Values, sign string) error {
		r := httptest.NewRequest(http.MethodPost, "/", nil)
		r.Header.Set("X-Twilio-Signature", sign)
		return c.Verify(r, []byte(form.Encode()), time.Time{})
	}
	if err := try(form, sign); err != nil {
		t.Error(err)
	}
	for _, other := range []string{"", "RSOYDt4T1cUTdK1PDd93/VVr8B9="} {
		if try(form, other) == nil {
			t.Errorf("%q was taken", other)
		}
	}
	form.Set("Digits", "1235")
	if try(form, sign) == nil {
		t.Error("another body was taken")
	}
}

func TestParse(t *testing.T) {
	c := New(Options{From: []string{"+1555", "whatsapp:+1555"}, Digest: joined})
	for _, test := range []struct {
		name string
		form url.Values
		want []channel.Event
		bad  bool
	}{
		{"an SMS", url.Values{"MessageSid": {"SM1"}, "From": {"+49"}, "To": {"+1555"}, "Body": {" hi "}}, []channel.Event{{ID: "SM1", From: channel.Address{User: "+49", Conversation: "twilio|+49|+1555"}, Text: "hi"}}, false},
		{"WhatsApp", url.Values{"MessageSid": {"SM1"}, "From": {"whatsapp:+49"}, "To": {"whatsapp:+1555"}, "Body": {"hi"}}, []channel.Event{{ID: "SM1", From: channel.Address{User: "whatsapp:+49", Conversation: "twilio|whatsapp:+49|whatsapp:+1555"}, Text: "hi"}}, false},
		{"a number that is not ours", url.Values{"MessageSid": {"SM1"}, "From": {"+49"}, "To": {"+1556"}, "Body": {"hi"}}, nil, false},
		{"a picture", url.Values{"MessageSid": {"SM1"}, "From": {"+49"}, "To": {"+1555"}, "NumMedia": {"1"}}, nil, false},
		{"no message", url.Values{"From": {"+49"}, "To": {"+1555"}, "Body": {"hi"}}, nil, true},
	} {
		d, err := c.Parse(nil, []byte(test.form.Encode()))
		if diff := cmp.Diff(test.want, d.Events); diff != "" || (err != nil) != test.bad {
			t.Errorf("%s: %v, -want +got\n%s", test.name, err, diff)
		}
	}
}

// The channel looks for a message in doubt by its text, from the attempt in doubt on.
func TestLooks(t *testing.T) {
	tried := time.Date(2026, 11, 26, 3, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name, body string
		at         time.Time
		sent       bool
	}{
		{"it is there", "Noted.", tried.Add(2 * time.Second), false},
		{"of an account on trial", "Sent from your Twilio trial account - Noted.", tried.Add(2 * time.Second), false},
		{"the same words of an earlier turn", "Noted.", tried.Add(-time.Minute), true},
		{"other words", "Noted!", tried.Add(2 * time.Second), true},
	} {
		posts := 0
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				posts++
				w.WriteHeader(http.StatusCreated)
				return
			}
			if r.URL.Query().Get("From") != "+1555" || r.URL.Query().Get("To") != "+49" {
				t.Errorf("asked for %s", r.URL.RawQuery)
			}
			_, _ = w.Write([]byte(`{"messages": [{"body": "` + c.body + `", "date_created": "` + c.at.Format(time.RFC1123Z) + `"}]}`))
		}))
		ch := New(Options{APIURL: s.URL, AccountSID: "AC1", From: []string{"+1555"}, Digest: joined})
		err := ch.Send(t.Context(), channel.Address{User: "+49", Conversation: "twilio|+49|+1555"}, &channel.Message{Text: "Noted.", Tried: tried})
		if err != nil || (posts == 1) != c.sent {
			t.Errorf("%s: %d posts, %v", c.name, posts, err)
		}
		s.Close()
	}
}

func TestRefusals(t *testing.T) {
	to := channel.Address{User: "+49", Conversation: "twilio|+49|+1555"}
	for status, want := range map[int]*channel.SendError{201: nil, 400: {Reason: "status_400", Never: true}, 401: {Reason: "unauthorized"}, 500: {Reason: "server_error", Unknown: true}} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
		err := New(Options{APIURL: s.URL, From: []string{"+1555"}, Digest: joined}).Send(t.Context(), to, &channel.Message{Text: "hi"})
		var got *channel.SendError
		errors.As(err, &got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%d: -want +got\n%s", status, diff)
		}
		s.Close()
	}
	err := New(Options{From: []string{"+1666"}, Digest: joined}).Send(t.Context(), to, &channel.Message{Text: "hi"})
	var got *channel.SendError
	if !errors.As(err, &got) || !got.Never {
		t.Errorf("from a number that was taken away: %v", err)
	}
}

func TestOptions(t *testing.T) {
	yesNo := []channel.Option{{Title: "Yes"}, {Title: "No"}}
	for _, c := range []struct {
		text    string
		options []channel.Option
		want    string
	}{
		{"Shall I cancel it?", yesNo, "Shall I cancel it?\nYes / No"},
		{"Which one: red or green?", []channel.Option{{Title: "Red"}, {Title: "Green"}}, "Which one: red or green?"},
		{"Done.", nil, "Done."},
	} {
		if got := withOptions(&channel.Message{Text: c.text, Options: c.options}); got != c.want {
			t.Errorf("%q", got)
		}
	}
}
