package httpapi

import (
	"bufio"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/httpapi/access"
)

// within is how soon an answer ends whose key is no longer good: the file is looked at each
// second, a request every askAgain, and has cutAfter to end.
const within = time.Second + recheckEvery + closeAfter

// annsKeys is a file with the key "k" of ann, and what makes it another.
func annsKeys(t *testing.T, rest string) (a access.Authenticator, change func(rest string)) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "keys.yaml")
	change = func(rest string) {
		text := "keys:\n"
		if rest != "" {
			text += fmt.Sprintf("- {name: k, hash: '%s', user: ann, %s}\n", settings.APIKey{Hash: sha256.Sum256([]byte("k"))}.HashText(), rest)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	change(rest)
	keys, err := access.OpenKeys(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &access.Bearer{Keys: keys}, change
}

// A stream of events ends when its key was revoked, has expired, or lost what it needs; and
// only then.
func TestEventsEndWithTheirKey(t *testing.T) {
	const read = "scopes: [read]"
	tests := []struct {
		name, begins, becomes string
		ends                  bool
	}{
		{"revoked", read, "", true},
		{"expires", read + ", expires: '2000-01-01T00:01:00Z'", read + ", expires: '2000-01-01T00:01:00Z'", true},
		{"another scope", read, "scopes: [chat]", true},
		{"another agent", read, read + ", agents: [other]", true},
		{"one scope more", read, "scopes: [read, chat]", false},
		{"as it was", read, read, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newFixture(t)
				var change func(string)
				w.api.opts.Access, change = annsKeys(t, test.begins)
				ctx, hangUp := context.WithCancel(t.Context())
				defer hangUp()
				ended := make(chan string, 1)
				go func() {
					r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/v1/events", nil)
					r.Header.Set("Authorization", "Bearer k")
					out := httptest.NewRecorder()
					w.api.ServeHTTP(out, r)
					ended <- out.Body.String()
				}()
				time.Sleep(time.Minute - time.Second) // on the bubble's clock: the test's key expires a second later
				select {
				case text := <-ended:
					t.Fatalf("it ended before: %q", text)
				default:
				}
				change(test.becomes)
				time.Sleep(time.Second + within)
				select {
				case text := <-ended:
					if !test.ends || !strings.HasPrefix(text, ": open\n\n") {
						t.Errorf("it ended with %q", text)
					}
				default:
					if test.ends {
						t.Errorf("it goes on %s after its key", within)
					}
				}
			})
		})
	}
}

// keyServerAway is an Authenticator whose key server went away.
type keyServerAway struct{ gone *atomic.Bool }

func (k keyServerAway) Identify(*http.Request) (access.Identity, error) {
	if k.gone.Load() {
		return access.Identity{}, access.ErrUnavailable
	}
	return access.Identity{Name: "ann", UserID: "ann", Scopes: access.Scopes}, nil
}

// A key server that is away ends nothing.
func TestADoubtEndsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, gone := newFixture(t), new(atomic.Bool)
		w.api.opts.Access = keyServerAway{gone}
		ctx, hangUp := context.WithCancel(t.Context())
		defer hangUp()
		ended := make(chan string, 1)
		go func() { ended <- eventsOf(w, ctx, "") }()
		synctest.Wait()
		gone.Store(true)
		time.Sleep(time.Minute)
		select {
		case text := <-ended:
			t.Errorf("it ended with %q", text)
		default:
			hangUp()
			<-ended
		}
	})
}

// pipes is a listener whose connections stay in the process, so that a bubble's clock goes on.
type pipes struct {
	conns chan net.Conn
	done  chan struct{}
}

func (p pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}
func (p pipes) Close() error   { close(p.done); return nil }
func (p pipes) Addr() net.Addr { return &net.TCPAddr{} }

// A turn that takes its time goes on to its end without its caller's key, but its connection
// is closed and nothing of it is told.
func TestASlowTurnIsNotToldToARevokedKey(t *testing.T) {
	for _, stream := range []string{"false", "true"} {
		t.Run("stream "+stream, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { slowTurn(t, stream) })
		})
	}
}

func slowTurn(t *testing.T, stream string) {
	auth, change := annsKeys(t, "scopes: [chat]")
	ended, begun := make(chan error, 1), time.Now()
	api := New(handlerFunc(func(ctx context.Context, in router.Interaction) (router.Reply, error) {
		for range 20 { // on the bubble's clock
			time.Sleep(time.Second)
			if in.Draft != nil && time.Since(begun) > within {
				in.Draft(router.Draft{Text: "hi"})
			}
		}
		ended <- ctx.Err()
		return echo(ctx, in)
	}), &Options{Access: auth})
	listener := pipes{conns: make(chan net.Conn), done: make(chan struct{})}
	server := NewServer("", api)
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	here, there := net.Pipe()
	listener.conns <- there
	body := `{"message":"hi","stream":` + stream + `}`
	go fmt.Fprintf(here, "POST /chat HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer k\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	time.Sleep(time.Second / 2)
	change("")
	text, err := io.ReadAll(bufio.NewReader(here))
	if took := time.Since(begun); took > time.Second+within || strings.Contains(string(text), "hi") {
		t.Errorf("after %s: %v in %q", took, err, text)
	}
	if err := <-ended; err != nil {
		t.Errorf("the turn was ended too: %v", err)
	}
	if err := server.Close(); err != nil {
		t.Error(err)
	}
	<-served
}
