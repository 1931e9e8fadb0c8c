package channeltest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"
)

// Said is a message as a person sees it.
type Said struct {
	ID      string // the sender's, if the platform carries one
	Text    string
	Options []string // titles
	Values  []string // of the options, for Press
	At      time.Time
}

// Platform is a fake of a messaging platform.
type Platform interface {
	Name() string
	// Settings are arguments of --set that connect the fake. Env has the secrets that they name.
	Settings() []string
	Env() map[string]string
	// Delivery is a request that delivers message n of a person, the nth that they sent.
	Delivery(t testing.TB, base string, person, n int, text string) *http.Request
	// Press is a request that delivers a pressed button.
	Press(t testing.TB, base string, person, n int, value string) *http.Request
	// Screen returns the agent's messages that a person sees.
	Screen(person int) []Said
	// Looks reports whether a sender can look for a message.
	Looks() bool
	// Answer takes a request and answers it as the platform does when nothing fails.
	Answer(w http.ResponseWriter, r *http.Request)
	// Fail gives the next requests to f, which reports whether it has answered.
	Fail(f func(w http.ResponseWriter, r *http.Request) bool)
}

// All starts a fake of every platform.
func All(t testing.TB) []Platform {
	return []Platform{NewSlack(t), NewTelegram(t), NewTwilio(t), NewWebhook(t)}
}

// screens are the messages that the people of a platform see.
type screens struct {
	*httptest.Server

	mu   sync.Mutex // guards what follows
	said map[string][]Said
	fail func(http.ResponseWriter, *http.Request) bool
	take http.HandlerFunc
}

func (s *screens) start(t testing.TB, take http.HandlerFunc) {
	s.said, s.take = map[string][]Said{}, take
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		fail := s.fail
		s.mu.Unlock()
		if fail == nil || !fail(w, r) {
			take(w, r)
		}
	}))
	t.Cleanup(s.Close)
}

// Answer implements Platform.
func (s *screens) Answer(w http.ResponseWriter, r *http.Request) { s.take(w, r) }

// Fail implements Platform.
func (s *screens) Fail(f func(w http.ResponseWriter, r *http.Request) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fail = f
}

func (s *screens) add(conversation string, m Said) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m.At = time.Now()
	s.said[conversation] = append(s.said[conversation], m)
}

func (s *screens) of(conversation string) []Said {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.said[conversation])
}

// Texts returns the texts of messages.
func Texts(said []Said) []string {
	out := make([]string, len(said))
	for i, m := range said {
		out[i] = m.Text
	}
	return out
}

// post makes a request. Its body can be sent again.
func post(t testing.TB, url, kind string, body []byte) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", kind)
	return r
}

// encode returns the JSON of a value of a fake.
func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}
