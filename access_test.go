package slotway

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/router/httpapi"
)

func TestGuard(t *testing.T) {
	dir := t.TempDir()
	keys := filepath.Join(dir, "keys.yaml")
	if err := os.WriteFile(keys, []byte("keys:\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	everywhere := &net.TCPAddr{IP: net.IPv4zero, Port: 8080}
	here := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080}
	tests := []struct {
		name     string
		addr     net.Addr
		set      map[string]string
		warns    string // part of what is said; "": nothing
		loopback string
		asked    bool
		err      string
	}{
		{"loopback", here, nil, "", "127.0.0.1", false, ""},
		{"loopback by name", here, map[string]string{"server.addr": "localhost:8080"}, "", "localhost", false, ""},
		{"everywhere", everywhere, nil, "", "", false, "slotway keys new"},
		{"everywhere by an address", &net.TCPAddr{IP: net.IPv6zero, Port: 8080}, nil, "", "", false, "server.auth.open=i_know"},
		{"one address of many", &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 80}, nil, "", "", false, "--addr 127.0.0.1"},
		{"a name of another address", everywhere, map[string]string{"server.addr": "localhost:8080"}, "", "", false, "slotway keys new"},
		{"everywhere, knowingly", everywhere, map[string]string{"server.auth.open": "i_know"}, "nobody is asked for a key", "", false, ""},
		{"loopback, open too", here, map[string]string{"server.auth.open": "i_know"}, "", "127.0.0.1", false, ""},
		{"everywhere with keys", everywhere, map[string]string{"server.auth.keys_file": keys}, "", "", true, ""},
		{"loopback with keys", here, map[string]string{"server.auth.keys_file": keys}, "", "", true, ""},
		{"loopback, limited", here, map[string]string{"server.limits.rate": "20/s"}, "", "127.0.0.1", false, ""},
		{"every page", here, map[string]string{"server.cors": "*"}, "every page", "127.0.0.1", false, ""},
		{"no file", here, map[string]string{"server.auth.keys_file": filepath.Join(dir, "none")}, "", "", false, "slotway keys new --name web --user alice --file " + dir},
		{"no secret", here, map[string]string{
			"server.auth.jwt.issuer": "i", "server.auth.jwt.audience": "a", "server.auth.jwt.algorithms": "HS256", "server.auth.jwt.secret_env": "SLOTWAY_NO_SUCH_SECRET",
		}, "", "", false, "SLOTWAY_NO_SUCH_SECRET"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, err := settings.Load("", []string{"HOME=" + dir}, test.set)
			if err != nil {
				t.Fatal(err)
			}
			var warned bytes.Buffer
			o := &httpapi.Options{}
			r := &Runtime{settings: s, opts: &Options{Stderr: &warned}}
			if err = MayListen(s, test.addr.String()); err == nil {
				err = r.openAccess()
			}
			if err == nil {
				r.guard(test.addr, o)
			}
			if (err != nil) != (test.err != "") || (err != nil && !strings.Contains(err.Error(), test.err)) {
				t.Fatalf("error %v, want %q", err, test.err)
			}
			if (o.Access != nil) != test.asked || o.Loopback != test.loopback || (warned.Len() > 0) != (test.warns != "") || !strings.Contains(warned.String(), test.warns) {
				t.Errorf("options %+v, said %q", o, warned.String())
			}
			rate := settings.Rate(20)
			if test.loopback != "" && test.set["server.limits.rate"] == "" {
				rate = 0
			}
			if err == nil && (o.Rate != rate || o.MaxStreams != 1024) {
				t.Errorf("rate %v, want %v; streams %d", o.Rate, rate, o.MaxStreams)
			}
		})
	}
}
