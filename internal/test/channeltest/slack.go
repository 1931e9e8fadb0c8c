package channeltest

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"testing"
	"time"
)

// Slack is a fake of Slack's Web API and its events.
type Slack struct{ screens }

// Secrets of the fakes.
const (
	slackToken  = "xoxb-fake"
	slackSecret = "slack-signing-secret"
)

// NewSlack starts the fake.
func NewSlack(t testing.TB) *Slack {
	s := &Slack{}
	s.start(t, s.serve)
	return s
}

// Name implements Platform.
func (s *Slack) Name() string { return "slack" }

// Settings implements Platform.
func (s *Slack) Settings() []string {
	return []string{"channels.slack.token_env=FAKE_SLACK_TOKEN", "channels.slack.signing_secret_env=FAKE_SLACK_SECRET", "channels.slack.api_url=" + s.URL}
}

// Env implements Platform.
func (s *Slack) Env() map[string]string {
	return map[string]string{"FAKE_SLACK_TOKEN": slackToken, "FAKE_SLACK_SECRET": slackSecret}
}

// Looks implements Platform.
func (s *Slack) Looks() bool { return true }

// Screen implements Platform.
func (s *Slack) Screen(person int) []Said { return s.of(dm(person)) }

func dm(person int) string { return fmt.Sprintf("D%03d", person) }

// stamp returns Slack's time of message n.
func stamp(n int) string { return fmt.Sprintf("1700000000.%06d", n) }

// Delivery implements Platform.
func (s *Slack) Delivery(t testing.TB, base string, person, n int, text string) *http.Request {
	return s.signed(t, base, "application/json", encode(map[string]any{
		"type": "event_callback", "team_id": "T1", "event_id": fmt.Sprintf("Ev%03d-%03d", person, n),
		"event": map[string]any{"type": "message", "channel_type": "im", "user": fmt.Sprintf("U%03d", person), "channel": dm(person), "text": text, "ts": stamp(n)},
	}))
}

// Press implements Platform.
func (s *Slack) Press(t testing.TB, base string, person, n int, value string) *http.Request {
	payload := encode(map[string]any{
		"type": "block_actions", "team": map[string]any{"id": "T1"}, "user": map[string]any{"id": fmt.Sprintf("U%03d", person)},
		"channel": map[string]any{"id": dm(person)}, "container": map[string]any{"type": "message"}, "trigger_id": fmt.Sprintf("press.%03d.%03d", person, n),
		"actions": []any{map[string]any{"value": value, "action_ts": stamp(n)}},
	})
	return s.signed(t, base, "application/x-www-form-urlencoded", []byte(url.Values{"payload": {string(payload)}}.Encode()))
}

func (s *Slack) signed(t testing.TB, base, kind string, body []byte) *http.Request {
	r := post(t, base+"/channels/slack", kind, body)
	at := strconv.FormatInt(time.Now().Unix(), 10)
	mac := hmac.New(sha256.New, []byte(slackSecret))
	mac.Write([]byte("v0:" + at + ":" + string(body)))
	r.Header.Set("X-Slack-Request-Timestamp", at)
	r.Header.Set("X-Slack-Signature", "v0="+hex.EncodeToString(mac.Sum(nil)))
	return r
}

// slackPost has the fields of chat.postMessage that the fake reads.
type slackPost struct {
	Channel string `json:"channel"`
	Text    string `json:"text"`
	Blocks  []struct {
		Elements []struct {
			Text  struct{ Text string } `json:"text"`
			Value string                `json:"value"`
		} `json:"elements"`
	} `json:"blocks"`
	Metadata struct {
		Payload struct {
			ID string `json:"id"`
		} `json:"event_payload"`
	} `json:"metadata"`
}

func (s *Slack) serve(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Authorization") != "Bearer "+slackToken {
		_, _ = w.Write([]byte(`{"ok": false, "error": "invalid_auth"}`))
		return
	}
	switch r.URL.Path {
	case "/chat.postMessage":
		var p slackPost
		if json.NewDecoder(r.Body).Decode(&p) != nil || p.Channel == "" || p.Text == "" {
			_, _ = w.Write([]byte(`{"ok": false, "error": "no_text"}`))
			return
		}
		m := Said{ID: p.Metadata.Payload.ID, Text: p.Text}
		for _, b := range p.Blocks {
			for _, e := range b.Elements {
				m.Options, m.Values = append(m.Options, e.Text.Text), append(m.Values, e.Value)
			}
		}
		s.add(p.Channel, m)
		_, _ = w.Write([]byte(`{"ok": true, "ts": "1700000000.1"}`))
	case "/conversations.history":
		var list []any
		if r.URL.Query().Get("include_all_metadata") == "true" {
			for _, m := range s.of(r.URL.Query().Get("channel")) {
				list = append(list, map[string]any{"text": m.Text, "metadata": map[string]any{"event_type": "x", "event_payload": map[string]any{"id": m.ID}}})
			}
		}
		_, _ = w.Write(encode(map[string]any{"ok": true, "messages": list}))
	default:
		_, _ = w.Write([]byte(`{"ok": false, "error": "unknown_method"}`))
	}
}
