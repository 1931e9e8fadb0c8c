package channeltest

import (
	"crypto/hmac"
	"crypto/sha1" //nolint:gosec // Twilio signs with it
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"testing"
	"time"
)

// Twilio is a fake of Twilio's messages and their webhooks.
type Twilio struct{ screens }

const (
	twilioAccount = "AC00000000000000000000000000000000"
	twilioToken   = "twilio-token"
	twilioNumber  = "+15550100"
	// twilioURL is the address of the service in Twilio's settings.
	twilioURL = "https://bot.example/channels/twilio"
)

// NewTwilio starts the fake.
func NewTwilio(t testing.TB) *Twilio {
	s := &Twilio{}
	s.start(t, s.serve)
	return s
}

// Name implements Platform.
func (s *Twilio) Name() string { return "twilio" }

// Settings implements Platform.
func (s *Twilio) Settings() []string {
	return []string{
		"channels.twilio.account_sid=" + twilioAccount, "channels.twilio.token_env=FAKE_TWILIO_TOKEN", "channels.twilio.url=" + twilioURL,
		"channels.twilio.from=" + twilioNumber + ",whatsapp:" + twilioNumber, "channels.twilio.api_url=" + s.URL,
	}
}

// Env implements Platform.
func (s *Twilio) Env() map[string]string { return map[string]string{"FAKE_TWILIO_TOKEN": twilioToken} }

// Looks implements Platform.
func (s *Twilio) Looks() bool { return true }

// Screen implements Platform.
func (s *Twilio) Screen(person int) []Said { return s.of(number(person)) }

// number returns the number of a person: an even person uses WhatsApp.
func number(person int) string {
	text := fmt.Sprintf("+1555020%04d", person)
	if person%2 == 0 {
		return "whatsapp:" + text
	}
	return text
}

// Delivery implements Platform.
func (s *Twilio) Delivery(t testing.TB, base string, person, n int, text string) *http.Request {
	ours := twilioNumber
	if person%2 == 0 {
		ours = "whatsapp:" + ours
	}
	form := url.Values{"MessageSid": {fmt.Sprintf("SM%03d-%03d", person, n)}, "From": {number(person)}, "To": {ours}, "Body": {text}, "NumMedia": {"0"}}
	r := post(t, base+"/channels/twilio", "application/x-www-form-urlencoded", []byte(form.Encode()))
	mac := hmac.New(sha1.New, []byte(twilioToken))
	mac.Write([]byte(twilioURL))
	for _, name := range slices.Sorted(maps.Keys(form)) {
		mac.Write([]byte(name + form.Get(name)))
	}
	r.Header.Set("X-Twilio-Signature", base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	return r
}

// Press implements Platform: an SMS has no buttons.
func (s *Twilio) Press(testing.TB, string, int, int, string) *http.Request { return nil }

func (s *Twilio) serve(w http.ResponseWriter, r *http.Request) {
	if user, pass, _ := r.BasicAuth(); user != twilioAccount || pass != twilioToken {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	if r.URL.Path != "/2010-04-01/Accounts/"+twilioAccount+"/Messages.json" {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	if r.Method == http.MethodGet {
		list := []any{}
		for _, m := range s.of(r.URL.Query().Get("To")) {
			list = append(list, map[string]any{"body": m.Text, "date_created": m.At.UTC().Format(time.RFC1123Z)})
		}
		_, _ = w.Write(encode(map[string]any{"messages": list}))
		return
	}
	if r.FormValue("To") == "" || r.FormValue("From") == "" || r.FormValue("Body") == "" {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	s.add(r.FormValue("To"), Said{Text: r.FormValue("Body")})
	w.WriteHeader(http.StatusCreated)
	_, _ = w.Write([]byte(`{"sid": "SM1"}`))
}
