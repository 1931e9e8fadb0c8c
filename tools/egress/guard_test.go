package egress

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/slotway/slotway/tools"
)

// names is a resolver of fixed answers: each question takes the next answer of its name,
// the last one for ever.
type names struct {
	mu      sync.Mutex // guards the rest
	answers map[string][][]string
	asked   []string
}

func (n *names) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.asked = append(n.asked, host)
	rows := n.answers[host]
	if len(rows) == 0 {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	if len(rows) > 1 {
		n.answers[host] = rows[1:]
	}
	var out []netip.Addr
	for _, s := range rows[0] {
		out = append(out, netip.MustParseAddr(s))
	}
	return out, nil
}

// guarded makes a guard whose names are told by n and whose connections are recorded; no
// address but a loopback one is really connected to.
func guarded(t *testing.T, n *names, allow ...string) (*Guard, *[]string) {
	t.Helper()
	g, err := New(allow)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var dialled []string
	g.resolver, g.proxy = n, func(*http.Request) (*url.URL, error) { return nil, nil }
	g.dial = func(ctx context.Context, network, address string) (net.Conn, error) {
		mu.Lock()
		dialled = append(dialled, address)
		mu.Unlock()
		if !strings.HasPrefix(address, "127.") {
			return nil, errors.New("not in a test")
		}
		var d net.Dialer
		return d.DialContext(ctx, network, address)
	}
	return g, &dialled
}

func TestTargets(t *testing.T) {
	n := &names{answers: map[string][][]string{
		"public.test":    {{"93.184.216.34"}},
		"private.test":   {{"10.0.0.5"}},
		"mixed.test":     {{"10.0.0.5", "93.184.216.34", "::1", "2606:4700::1111"}},
		"metadata.test":  {{"169.254.169.254"}},
		"loop.test":      {{"127.0.0.1"}},
		"mapped.test":    {{"::ffff:10.0.0.5"}},
		"nat64.test":     {{"64:ff9b::a9fe:a9fe"}},
		"empty.test":     {{}},
		"localhost":      {{"127.0.0.1", "::1"}},
		"a.svc.internal": {{"10.9.9.9"}},
		"svc.internal":   {{"10.9.9.9"}},
		"odd.localhost":  {{"127.0.0.1"}},
	}}
	tests := []struct {
		target, declared string
		allow            []string
		dials            []string // in order, each failing
		refused          Class    // "": not refused
	}{
		{target: "public.test", dials: []string{"93.184.216.34:80"}},
		{target: "PUBLIC.test.", dials: []string{"93.184.216.34:80"}},
		{target: "8.8.8.8", dials: []string{"8.8.8.8:80"}},
		{target: "private.test", refused: Private},
		{target: "mapped.test", refused: Private},
		{target: "nat64.test", refused: LinkLocal},
		{target: "mixed.test", dials: []string{"93.184.216.34:80", "[2606:4700::1111]:80"}},
		{target: "metadata.test", refused: LinkLocal},
		{target: "10.0.0.5", declared: "10.0.0.5", refused: Private},
		{target: "::ffff:10.0.0.5", refused: Private},
		{target: "0.0.0.0", declared: "0.0.0.0", refused: Unspecified},
		{target: "loop.test", declared: "loop.test", refused: Loopback},
		{target: "127.0.0.1", refused: Loopback}, // nobody wrote it: a redirect
		{target: "127.0.0.1", declared: "127.0.0.2", refused: Loopback},
		{target: "2002:7f00:1::", declared: "2002:7f00:1::", refused: Loopback},
		{target: "::1", declared: "[::1]", dials: []string{"[::1]:80"}},
		{target: "::ffff:127.9.9.9", declared: "::ffff:127.9.9.9", dials: []string{"127.9.9.9:80"}},
		{target: "LOCALHOST", declared: "localhost", dials: []string{"127.0.0.1:80", "[::1]:80"}},
		{target: "localhost", declared: "public.test", refused: Loopback},
		{target: "odd.localhost", declared: "odd.localhost", refused: Loopback},

		{target: "private.test", allow: []string{"10.0.0.0/8"}, dials: []string{"10.0.0.5:80"}},
		{target: "private.test", allow: []string{"10.0.0.6"}, refused: Private},
		{target: "mapped.test", allow: []string{"10.0.0.5"}, dials: []string{"10.0.0.5:80"}},
		{target: "private.test", allow: []string{"Private.Test"}, dials: []string{"10.0.0.5:80"}},
		{target: "loop.test", allow: []string{"loop.test"}, dials: []string{"127.0.0.1:80"}},
		{target: "metadata.test", allow: []string{"metadata.test"}, refused: LinkLocal},
		{target: "metadata.test", allow: []string{"169.254.169.254"}, dials: []string{"169.254.169.254:80"}},
		{target: "nat64.test", allow: []string{"169.254.0.0/16"}, dials: []string{"[64:ff9b::a9fe:a9fe]:80"}},
		{target: "a.svc.internal", allow: []string{"*.svc.internal"}, dials: []string{"10.9.9.9:80"}},
		{target: "svc.internal", allow: []string{"*.svc.internal"}, refused: Private},
		{target: "private.test", allow: []string{"vate.test", "*.private.test"}, refused: Private},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.target, tt.declared, tt.allow), func(t *testing.T) {
			g, dialled := guarded(t, n, tt.allow...)
			g.dial = func(_ context.Context, _, address string) (net.Conn, error) {
				*dialled = append(*dialled, address)
				return nil, errors.New("nobody there")
			}
			_, err := g.For(tt.declared).DialContext(t.Context(), "tcp", net.JoinHostPort(tt.target, "80"))
			var refused *RefusedError
			errors.As(err, &refused)
			switch {
			case tt.refused == "" && refused != nil:
				t.Errorf("refused: %v", refused)
			case tt.refused != "" && (refused == nil || refused.Class != tt.refused):
				t.Errorf("%v, want a refusal: %s", err, tt.refused)
			}
			if !slices.Equal(*dialled, tt.dials) {
				t.Errorf("dialled %v, want %v", *dialled, tt.dials)
			}
		})
	}
	// localhost means this machine, not what a translator makes of it.
	g, _ := guarded(t, &names{answers: map[string][][]string{"localhost": {{"64:ff9b::7f00:1"}, {"10.0.0.1"}}}})
	for range 2 {
		var refused *RefusedError
		if _, err := g.For("localhost").DialContext(t.Context(), "tcp", "localhost:80"); !errors.As(err, &refused) {
			t.Errorf("a strange localhost: %v", err)
		}
	}
	g, _ = guarded(t, n)
	var dns *net.DNSError
	for _, host := range []string{"empty.test", "none.test"} {
		if _, err := g.DialContext(t.Context(), "tcp", host+":80"); !errors.As(err, &dns) {
			t.Errorf("%s: %v, want a DNS error", host, err)
		}
	}
}

// The second answer of a name must not move a connection, and is checked when it is used.
func TestRebinding(t *testing.T) {
	hits := 0
	victim := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { hits++ }))
	t.Cleanup(victim.Close)
	_, port, _ := net.SplitHostPort(victim.Listener.Addr().String())
	n := &names{answers: map[string][][]string{"rebind.test": {{"93.184.216.34"}, {"127.0.0.1"}}}}
	g, dialled := guarded(t, n)
	client := &http.Client{Transport: g.For("rebind.test").Transport(nil)}
	var refused *RefusedError
	if _, err := client.Get("http://rebind.test:" + port + "/"); err == nil || errors.As(err, &refused) {
		t.Errorf("the first answer: %v, want the test's failure to connect", err)
	}
	if len(n.asked) != 1 || !slices.Equal(*dialled, []string{"93.184.216.34:" + port}) {
		t.Errorf("asked %v, dialled %v", n.asked, *dialled)
	}
	if _, err := client.Get("http://rebind.test:" + port + "/"); !errors.As(err, &refused) || refused.Class != Loopback {
		t.Errorf("the second answer: %v, want a refusal", err)
	}
	if hits != 0 || len(*dialled) != 1 {
		t.Errorf("%d requests reached the loopback server, dialled %v", hits, *dialled)
	}
}

func TestTLSVerifiesTheName(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Host) }))
	t.Cleanup(s.Close)
	_, port, _ := net.SplitHostPort(s.Listener.Addr().String())
	n := &names{answers: map[string][][]string{"example.com": {{"127.0.0.1"}}, "other.test": {{"127.0.0.1"}}}}
	g, _ := guarded(t, n, "example.com", "other.test")
	client := &http.Client{Transport: g.Transport(s.Client().Transport.(*http.Transport))}
	resp, err := client.Get("https://example.com:" + port + "/")
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(resp.Body)
	resp.Body.Close()
	if string(body) != "example.com:"+port {
		t.Errorf("host %q", body)
	}
	if _, err := client.Get("https://other.test:" + port + "/"); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("a certificate of another name: %v", err)
	}
}

func TestRedirectsAreChecked(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Host == "inside.test" {
			t.Error("the redirect was followed inside")
		}
		http.Redirect(w, r, r.URL.Query().Get("to"), http.StatusTemporaryRedirect)
	}))
	t.Cleanup(s.Close)
	n := &names{answers: map[string][][]string{"inside.test": {{"127.0.0.1"}}, "localhost": {{"127.0.0.1"}}}}
	g, _ := guarded(t, n)
	client := &http.Client{Transport: g.For("127.0.0.1").Transport(nil)}
	_, port, _ := net.SplitHostPort(s.Listener.Addr().String())
	for _, to := range []string{"http://inside.test:" + port, "http://169.254.169.254/", "http://localhost:" + port} {
		var refused *RefusedError
		if _, err := client.Get(s.URL + "?to=" + url.QueryEscape(to)); !errors.As(err, &refused) {
			t.Errorf("%s: %v, want a refusal", to, err)
		}
	}
}

// A proxy connects to the target itself, so the target is judged before it is asked.
func TestProxyIsNoHole(t *testing.T) {
	var asked []string
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Host)
		io.WriteString(w, "by proxy")
	}))
	t.Cleanup(proxy.Close)
	n := &names{answers: map[string][][]string{"public.test": {{"93.184.216.34"}}, "private.test": {{"10.0.0.5"}}, "odd.test": {{"169.254.169.254"}}}}
	g, _ := guarded(t, n, "only-the-proxy-knows.test", "odd.test")
	at, _ := url.Parse(proxy.URL)
	g.proxy = func(*http.Request) (*url.URL, error) { return at, nil }
	client := &http.Client{Transport: g.Transport(nil)}
	for _, host := range []string{"public.test", "only-the-proxy-knows.test"} {
		resp, err := client.Post("http://"+host+"/", "text/plain", strings.NewReader("x"))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
	}
	for _, host := range []string{"private.test", "169.254.169.254", "127.0.0.1", "[fd00::1]", "none.test", "odd.test"} {
		if resp, err := client.Post("http://"+host+"/", "text/plain", strings.NewReader("x")); err == nil {
			resp.Body.Close()
			t.Errorf("%s went to the proxy", host)
		}
	}
	if want := []string{"public.test", "only-the-proxy-knows.test"}; !slices.Equal(asked, want) {
		t.Errorf("the proxy was asked for %v, want %v", asked, want)
	}
}

func TestDenied(t *testing.T) {
	for class, want := range map[Class]string{
		Private:     "a private address; allow it in tools.allow_hosts",
		LinkLocal:   "a link-local address; allow it, by address, in tools.allow_hosts",
		Unspecified: "an unspecified address; allow it, by address, in tools.allow_hosts",
		Loopback:    "a name that leads to a loopback address; write localhost or 127.0.0.1 in the agent file, or allow the name in tools.allow_hosts",
	} {
		e := Denied("t", fmt.Errorf("dial http://secret: %w", &RefusedError{Class: class}))
		if e == nil || e.Code != tools.Denied || e.Detail != want || e.Retryable || e.Uncertain {
			t.Errorf("%s: %+v", class, e)
		}
	}
	if e := Denied("t", errors.New("x")); e != nil {
		t.Errorf("not a refusal: %v", e)
	}
}

func TestNew(t *testing.T) {
	if _, err := New([]string{"http://a.example"}); err == nil {
		t.Error("a URL is no host")
	}
	var none *Guard
	var refused *RefusedError
	if _, err := none.For("").DialContext(t.Context(), "tcp", "10.0.0.1:80"); !errors.As(err, &refused) {
		t.Errorf("without a guard: %v", err)
	}
}
