package channeltest

import (
	"encoding/json"
	"net/http"
	"strconv"
	"testing"
)

// Telegram is a fake of the Bot API and its updates.
type Telegram struct{ screens }

const (
	telegramToken  = "123:fake"
	telegramSecret = "telegram-secret"
)

// NewTelegram starts the fake.
func NewTelegram(t testing.TB) *Telegram {
	s := &Telegram{}
	s.start(t, s.serve)
	return s
}

// Name implements Platform.
func (s *Telegram) Name() string { return "telegram" }

// Settings implements Platform.
func (s *Telegram) Settings() []string {
	return []string{"channels.telegram.token_env=FAKE_TELEGRAM_TOKEN", "channels.telegram.secret_env=FAKE_TELEGRAM_SECRET", "channels.telegram.api_url=" + s.URL}
}

// Env implements Platform.
func (s *Telegram) Env() map[string]string {
	return map[string]string{"FAKE_TELEGRAM_TOKEN": telegramToken, "FAKE_TELEGRAM_SECRET": telegramSecret}
}

// Looks implements Platform.
func (s *Telegram) Looks() bool { return false }

// Screen implements Platform.
func (s *Telegram) Screen(person int) []Said { return s.of(strconv.Itoa(person)) }

// Delivery implements Platform.
func (s *Telegram) Delivery(t testing.TB, base string, person, n int, text string) *http.Request {
	return s.update(t, base, person, n, "message", map[string]any{
		"message_id": n, "from": map[string]any{"id": person}, "chat": map[string]any{"id": person, "type": "private"}, "text": text,
	})
}

// Press implements Platform.
func (s *Telegram) Press(t testing.TB, base string, person, n int, value string) *http.Request {
	return s.update(t, base, person, n, "callback_query", map[string]any{
		"id": strconv.Itoa(n), "from": map[string]any{"id": person}, "data": value,
		"message": map[string]any{"message_id": n, "from": map[string]any{"id": 1, "is_bot": true}, "chat": map[string]any{"id": person, "type": "private"}},
	})
}

// update returns a request with an update. One sequence numbers the updates of all people.
func (s *Telegram) update(t testing.TB, base string, person, n int, kind string, of any) *http.Request {
	r := post(t, base+"/channels/telegram", "application/json", encode(map[string]any{"update_id": person + 1_000*n, kind: of}))
	r.Header.Set("X-Telegram-Bot-Api-Secret-Token", telegramSecret)
	return r
}

func (s *Telegram) serve(w http.ResponseWriter, r *http.Request) {
	var m struct {
		Chat   string `json:"chat_id"`
		Text   string `json:"text"`
		Markup struct {
			Rows [][]struct {
				Text string `json:"text"`
				Data string `json:"callback_data"`
			} `json:"inline_keyboard"`
		} `json:"reply_markup"`
	}
	switch {
	case r.URL.Path != "/bot"+telegramToken+"/sendMessage":
		w.WriteHeader(http.StatusNotFound)
		return
	case json.NewDecoder(r.Body).Decode(&m) != nil || m.Chat == "" || m.Text == "":
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	said := Said{Text: m.Text}
	for _, row := range m.Markup.Rows {
		for _, b := range row {
			said.Options, said.Values = append(said.Options, b.Text), append(said.Values, b.Data)
		}
	}
	s.add(m.Chat, said)
	_, _ = w.Write([]byte(`{"ok": true}`))
}
