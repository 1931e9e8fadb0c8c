package channeltest

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"testing"
	"time"

	"github.com/slotway/slotway/router/httpapi/channel/webhook"
)

// Webhook is a fake of a program behind the signed webhook. It takes each event once, by its id.
type Webhook struct {
	screens
	secret webhook.Secret
	seen   map[string]bool
}

const webhookSecret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="

// NewWebhook starts the fake.
func NewWebhook(t testing.TB) *Webhook {
	secret, err := webhook.ParseSecret(webhookSecret)
	if err != nil {
		t.Fatal(err)
	}
	s := &Webhook{secret: secret, seen: map[string]bool{}}
	s.start(t, s.serve)
	return s
}

// Name implements Platform.
func (s *Webhook) Name() string { return "webhook" }

// Settings implements Platform.
func (s *Webhook) Settings() []string {
	return []string{"channels.webhook.url=" + s.URL, "channels.webhook.secret_env=FAKE_WEBHOOK_SECRET"}
}

// Env implements Platform.
func (s *Webhook) Env() map[string]string {
	return map[string]string{"FAKE_WEBHOOK_SECRET": webhookSecret}
}

// Looks implements Platform.
func (s *Webhook) Looks() bool { return true }

// Screen implements Platform.
func (s *Webhook) Screen(person int) []Said { return s.of(fmt.Sprintf("c%d", person)) }

// Delivery implements Platform.
func (s *Webhook) Delivery(t testing.TB, base string, person, n int, text string) *http.Request {
	return s.signed(t, base, person, n, map[string]any{"text": text})
}

// Press implements Platform.
func (s *Webhook) Press(t testing.TB, base string, person, n int, value string) *http.Request {
	return s.signed(t, base, person, n, map[string]any{"option": value})
}

func (s *Webhook) signed(t testing.TB, base string, person, n int, body map[string]any) *http.Request {
	body["user_id"], body["conversation_id"], body["order"] = fmt.Sprintf("u%d", person), fmt.Sprintf("c%d", person), n
	text := encode(body)
	r := post(t, base+"/channels/webhook", "application/json", text)
	maps.Copy(r.Header, s.secret.Sign(fmt.Sprintf("m%d-%d", person, n), text, time.Now()))
	return r
}

func (s *Webhook) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil || s.secret.Verify(r.Header, body, time.Now()) != nil {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	var e struct {
		Type string `json:"type"`
		Data struct {
			Conversation string `json:"conversation_id"`
			Text         string `json:"text"`
			Options      []struct {
				Title  string `json:"title"`
				Option string `json:"option"`
			} `json:"options"`
		} `json:"data"`
	}
	if json.Unmarshal(body, &e) != nil || e.Type != "message" || e.Data.Text == "" {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	id := r.Header.Get("Webhook-Id")
	m := Said{ID: id, Text: e.Data.Text}
	for _, o := range e.Data.Options {
		m.Options, m.Values = append(m.Options, o.Title), append(m.Values, o.Option)
	}
	if s.first(id) {
		s.add(e.Data.Conversation, m)
	}
}

// first reports whether an id is new.
func (s *Webhook) first(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := s.seen[id]
	s.seen[id] = true
	return !seen
}
