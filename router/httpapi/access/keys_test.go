package access

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/config/settings"
)

// clock is moved by hand.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

func newClock() *clock { return &clock{time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)} }

// asking is a request with the headers given in pairs.
func asking(headers ...string) *http.Request {
	r := httptest.NewRequest(http.MethodGet, "/v1/sessions", nil)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	return r
}

// entry is a line of a keys file for a key.
func entry(name, key, rest string) string {
	return fmt.Sprintf("- {name: %s, hash: '%s', %s}\n", name, settings.APIKey{Hash: sha256.Sum256([]byte(key))}.HashText(), rest)
}

func keysFile(t *testing.T, entries ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "keys.yaml")
	rewrite(t, path, entries...)
	return path
}

func rewrite(t *testing.T, path string, entries ...string) {
	t.Helper()
	if err := os.WriteFile(path, []byte("keys:\n"+strings.Join(entries, "")), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestBearerKeys(t *testing.T) {
	at := newClock()
	keys, err := OpenKeys(keysFile(t,
		entry("web", "k-web", "user: alice, scopes: [chat, read]"),
		entry("bot", "k-bot", "service: true, scopes: [chat], agents: [shop]"),
		entry("old", "k-old", "user: alice, scopes: [chat], expires: 2026-06-01"),
		entry("soon", "k-soon", "user: alice, scopes: [], expires: '2026-06-01T12:00:01Z'"),
	), &Options{Now: at.now})
	if err != nil {
		t.Fatal(err)
	}
	const auth, user = "Authorization", "X-User-Id"
	tests := []struct {
		name    string
		headers []string
		want    Identity
		err     error
	}{
		{"user", []string{auth, "Bearer k-web"}, Identity{Name: "web", UserID: "alice", Scopes: []Scope{Chat, Read}}, nil},
		{"scheme in small letters", []string{auth, "bearer k-web"}, Identity{Name: "web", UserID: "alice", Scopes: []Scope{Chat, Read}}, nil},
		{"user that names itself", []string{auth, "Bearer k-web", user, "alice"}, Identity{Name: "web", UserID: "alice", Scopes: []Scope{Chat, Read}}, nil},
		{"user that names another", []string{auth, "Bearer k-web", user, "bob"}, Identity{}, ErrForbidden},
		{"user that names nobody", []string{auth, "Bearer k-web", user, ""}, Identity{}, ErrForbidden},
		{"service", []string{auth, "Bearer k-bot", user, "bob"}, Identity{Name: "bot", UserID: "bob", Scopes: []Scope{Chat}, Agents: []string{"shop"}}, nil},
		{"service for nobody", []string{auth, "Bearer k-bot"}, Identity{}, ErrUserRequired},
		{"service for two", []string{auth, "Bearer k-bot", user, "bob", user, "ann"}, Identity{}, ErrBadUser},
		{"service for a reserved user", []string{auth, "Bearer k-bot", user, "$library"}, Identity{}, ErrForbidden},
		{"service with a control character", []string{auth, "Bearer k-bot", user, "a\x01"}, Identity{}, ErrBadUser},
		{"service with a mark of direction", []string{auth, "Bearer k-bot", user, "a\u202eb"}, Identity{}, ErrBadUser},
		{"service with a control above ASCII", []string{auth, "Bearer k-bot", user, "a\u009bb"}, Identity{}, ErrBadUser},
		{"service with bytes that are no text", []string{auth, "Bearer k-bot", user, "a\xff"}, Identity{}, ErrBadUser},
		{"service with a long name", []string{auth, "Bearer k-bot", user, strings.Repeat("u", 201)}, Identity{}, ErrBadUser},
		{"expired", []string{auth, "Bearer k-old"}, Identity{}, ErrNoCredentials},
		{"not expired yet", []string{auth, "Bearer k-soon"}, Identity{Name: "soon", UserID: "alice"}, nil},
		{"no header", nil, Identity{}, ErrNoCredentials},
		{"empty", []string{auth, "Bearer "}, Identity{}, ErrNoCredentials},
		{"other scheme", []string{auth, "Basic k-web"}, Identity{}, ErrNoCredentials},
		{"unknown", []string{auth, "Bearer k-we"}, Identity{}, ErrNoCredentials},
		{"the hash itself", []string{auth, "Bearer " + settings.APIKey{Hash: sha256.Sum256([]byte("k-web"))}.HashText()}, Identity{}, ErrNoCredentials},
		{"two headers", []string{auth, "Bearer k-web", auth, "Bearer k-web"}, Identity{}, ErrNoCredentials},
		{"too long", []string{auth, "Bearer " + strings.Repeat("k", 9<<10)}, Identity{}, ErrNoCredentials},
		{"a token where none are taken", []string{auth, "Bearer a.b.c"}, Identity{}, ErrNoCredentials},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := (&Bearer{Keys: keys}).Identify(asking(test.headers...))
			if !errors.Is(err, test.err) || (err == nil && !cmp.Equal(test.want, got)) {
				t.Errorf("got %+v, %v, want %+v, %v", got, err, test.want, test.err)
			}
			if err != nil && test.err != err { // bare: one with more in it could repeat the credential
				t.Errorf("the error says more than its sentinel: %v", err)
			}
		})
	}
	at.at = at.at.Add(time.Second)
	if _, err := keys.identify("k-soon"); err != ErrNoCredentials {
		t.Errorf("once expired: %v", err)
	}
}

func TestOpenNamesOneUser(t *testing.T) {
	open := Open{UserID: "local"}
	if id, err := open.Identify(asking()); err != nil || id.UserID != "local" || !id.Has(Admin) || !id.For("any") {
		t.Errorf("got %+v, %v", id, err)
	}
	if _, err := open.Identify(asking("X-User-Id", "bob")); err != ErrForbidden {
		t.Errorf("another user: %v", err)
	}
}

// What changes in the file is in force a second later; what is wrong in it changes nothing.
func TestKeysFollowTheirFile(t *testing.T) {
	at := newClock()
	var told []string
	path := keysFile(t, entry("web", "k-web", "user: alice, scopes: [chat]"))
	keys, err := OpenKeys(path, &Options{Now: at.now, Notify: func(err error) { told = append(told, fmt.Sprint(err)) }})
	if err != nil {
		t.Fatal(err)
	}
	check := func(step, key string, want error, hears ...string) {
		t.Helper()
		if _, err := keys.identify(key); err != want {
			t.Errorf("%s: %s gives %v, want %v", step, key, err, want)
		}
		if len(told) != len(hears) {
			t.Errorf("%s: told %q, want %q", step, told, hears)
		}
		for i := range min(len(told), len(hears)) {
			if !strings.Contains(told[i], hears[i]) || strings.Contains(told[i], "k-wub") {
				t.Errorf("%s: told %q, want %q", step, told[i], hears[i])
			}
		}
		told = nil
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	// Of the same length and with the same time: only the content tells.
	rewrite(t, path, entry("web", "k-wub", "user: alice, scopes: [chat]"))
	if err := os.Chtimes(path, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	check("within the second", "k-web", nil)
	at.at = at.at.Add(time.Second)
	check("a second later", "k-web", ErrNoCredentials, "<nil>")
	check("the new one", "k-wub", nil)

	rewrite(t, path, "- {name: broken}\n")
	at.at = at.at.Add(time.Second)
	check("a broken file", "k-wub", nil, "the API keys of before hold: "+path+":2:3")
	at.at = at.at.Add(time.Second)
	check("still broken", "k-wub", nil)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	at.at = at.at.Add(time.Second)
	check("no file", "k-wub", nil, "no such file")
	rewrite(t, path, entry("web", "k-wub", "user: alice, scopes: [chat]"))
	at.at = at.at.Add(time.Second)
	check("as it was", "k-wub", nil, "<nil>")
	rewrite(t, path)
	if err := keys.Reload(); err != nil {
		t.Fatal(err)
	}
	check("no keys are left", "k-wub", ErrNoCredentials, "<nil>")
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := keys.Reload(); err != nil {
		t.Fatal(err)
	}
	check("others can read it", "k-wub", ErrNoCredentials, "chmod 600")
}

func TestNewKey(t *testing.T) {
	one, hash := NewKey()
	two, _ := NewKey()
	if one == two || len(one) != len("slotway_")+43 || !strings.HasPrefix(one, "slotway_") || strings.Contains(one, ".") {
		t.Errorf("keys %q and %q", one, two)
	}
	if hash != sha256.Sum256([]byte(one)) {
		t.Error("the hash is not that of the key")
	}
}

// Many requests while the file changes: each key is taken or not, and nothing else happens.
func TestKeysUnderWay(t *testing.T) {
	path := keysFile(t, entry("stays", "k-stays", "user: alice, scopes: [chat]"))
	keys, err := OpenKeys(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 4)
	for range cap(done) {
		go func() {
			for range 200 {
				keys.checkedAt.Store(0)
				if _, err := keys.identify("k-stays"); err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
	}
	for i := range 50 {
		next := path + ".new"
		rewrite(t, next, entry("stays", "k-stays", "user: alice, scopes: [chat]"), entry("n", fmt.Sprint(i), "user: bob, scopes: [chat]"))
		if err := os.Rename(next, path); err != nil {
			t.Fatal(err)
		}
	}
	for range cap(done) {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}
