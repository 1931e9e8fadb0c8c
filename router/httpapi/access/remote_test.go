package access

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/slotway/slotway/config/settings"
)

// issuer is a key server that can be told what to answer.
type issuer struct {
	*httptest.Server
	mu    sync.Mutex
	reply func(http.ResponseWriter)
	asked atomic.Int64
}

func newIssuer(t *testing.T) *issuer {
	t.Helper()
	s := &issuer{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		s.asked.Add(1)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.reply(w)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *issuer) answers(reply func(http.ResponseWriter)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reply = reply
}

func (s *issuer) serves(set string) {
	s.answers(func(w http.ResponseWriter) { _, _ = w.Write([]byte(set)) })
}

func (s *issuer) settings() settings.JWT {
	out := jwtSettings("", "RS256", "ES256")
	out.JWKSURL = s.URL
	return out
}

func TestKeySetFromItsServer(t *testing.T) {
	at, k, server := newClock(), signers(), newIssuer(t)
	var told []error
	tokens, err := NewTokens(server.settings(), &Options{Now: at.now, Notify: func(err error) { told = append(told, err) }})
	if err != nil {
		t.Fatal(err)
	}
	text := func(kid string) string {
		claims := good(at.at, nil)
		if kid == "p256" {
			return sign(t, "ES256", k.p256, claims, "kid", kid)
		}
		return sign(t, "RS256", k.rsa, claims, "kid", kid)
	}
	check := func(step, kid string, want error, asked int64, heard int) {
		t.Helper()
		if _, err := tokens.identify(text(kid)); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", step, err, want)
		}
		if n := server.asked.Load(); n != asked {
			t.Errorf("%s: the server was asked %d times, want %d", step, n, asked)
		}
		if len(told) != heard {
			t.Errorf("%s: told %v, want %d", step, told, heard)
		}
	}
	server.answers(func(w http.ResponseWriter) { w.WriteHeader(http.StatusBadGateway) })
	check("the server is down", "rsa", ErrUnavailable, 1, 1)
	check("still", "rsa", ErrUnavailable, 1, 1)
	server.serves(jwks(t, rsaJWK("rsa", &k.rsa.PublicKey)))
	at.at = at.at.Add(fetchTimeout)
	check("the server is back", "rsa", nil, 2, 1)
	check("known already", "rsa", nil, 2, 1)
	check("an unknown id within a minute", "p256", ErrNoCredentials, 2, 1)
	at.at = at.at.Add(fetchEvery)
	check("an unknown id a minute later", "p256", ErrNoCredentials, 3, 1)
	check("and again", "p256", ErrNoCredentials, 3, 1)
	server.serves(jwks(t, ecJWK(t, "p256", &k.p256.PublicKey)))
	at.at = at.at.Add(fetchEvery)
	check("keys were exchanged, a known id", "rsa", nil, 3, 1)
	check("keys were exchanged, the new id", "p256", nil, 4, 1)
	check("the old id", "rsa", ErrNoCredentials, 4, 1)
	server.answers(func(w http.ResponseWriter) { _, _ = w.Write([]byte(strings.Repeat("{", 300<<10))) })
	at.at = at.at.Add(maxKeyAge)
	check("old keys, an endless answer", "p256", nil, 5, 2)
	server.answers(func(w http.ResponseWriter) {
		w.Header().Set("Location", "http://127.0.0.1:1/")
		w.WriteHeader(http.StatusFound)
	})
	at.at = at.at.Add(fetchEvery)
	check("sent elsewhere", "p256", nil, 6, 3)
	server.Close()
	at.at = at.at.Add(fetchEvery)
	check("the server is gone", "p256", nil, 6, 4)
}

// While the server hangs, tokens with known keys are checked all the same.
func TestHangingKeyServer(t *testing.T) {
	at, k, server := newClock(), signers(), newIssuer(t)
	var mu sync.Mutex
	tokens, err := NewTokens(server.settings(), &Options{Now: func() time.Time { mu.Lock(); defer mu.Unlock(); return at.at }})
	if err != nil {
		t.Fatal(err)
	}
	server.serves(jwks(t, rsaJWK("rsa", &k.rsa.PublicKey)))
	claims := good(at.at.Add(time.Minute), nil)
	known, unknown := sign(t, "RS256", k.rsa, claims, "kid", "rsa"), sign(t, "RS256", k.rsa, claims, "kid", "x")
	mu.Lock()
	at.at = at.at.Add(time.Minute)
	mu.Unlock()
	if _, err := tokens.identify(known); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	at.at = at.at.Add(fetchEvery)
	mu.Unlock()
	hangs, goOn := make(chan struct{}), make(chan struct{})
	server.answers(func(http.ResponseWriter) { close(hangs); <-goOn })
	waits := make(chan error, 1)
	go func() { _, err := tokens.identify(unknown); waits <- err }()
	<-hangs
	for range 10 {
		if _, err := tokens.identify(known); err != nil {
			t.Errorf("a known key: %v", err)
		}
	}
	close(goOn)
	if err := <-waits; err != ErrNoCredentials {
		t.Errorf("the unknown key: %v", err)
	}
}
