package main

import (
	"bytes"
	"context"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/slotway/slotway/config"
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
			s, err := config.LoadSettings("", []string{"HOME=" + dir}, test.set)
			if err != nil {
				t.Fatal(err)
			}
			var warned bytes.Buffer
			o := &httpapi.Options{}
			err = guard(s, test.addr, o, &warned)
			if (err != nil) != (test.err != "") || (err != nil && !strings.Contains(err.Error(), test.err)) {
				t.Fatalf("error %v, want %q", err, test.err)
			}
			if (o.Access != nil) != test.asked || o.Loopback != test.loopback || (warned.Len() > 0) != (test.warns != "") || !strings.Contains(warned.String(), test.warns) {
				t.Errorf("options %+v, said %q", o, warned.String())
			}
			rate := config.Rate(20)
			if test.loopback != "" && test.set["server.limits.rate"] == "" {
				rate = 0
			}
			if err == nil && (o.Rate != rate || o.MaxStreams != 1024) {
				t.Errorf("rate %v, want %v; streams %d", o.Rate, rate, o.MaxStreams)
			}
		})
	}
}

// listensFor is a stream that calls heard once a text was written to it.
type listensFor struct {
	bytes.Buffer
	text  string
	heard func()
}

func (l *listensFor) Write(b []byte) (int, error) {
	if strings.Contains(string(b), l.text) {
		l.heard()
	}
	return l.Buffer.Write(b)
}

// A service that would be open to other machines ends before it has opened or written
// anything, and says what to do.
func TestServeRefusesToBeOpen(t *testing.T) {
	for _, addr := range []string{"0.0.0.0:0", ":0", "[::]:0", "192.0.2.7:0"} {
		dir := filepath.Join(t.TempDir(), "data")
		ctx, cancel := context.WithCancel(t.Context())
		var stdout bytes.Buffer
		stderr := &listensFor{text: "listening on", heard: cancel}
		code := run(ctx, []string{"--data", dir, "serve", "--addr", addr}, strings.NewReader(""), &stdout, stderr)
		cancel()
		if code != exitCheck || stdout.Len() > 0 {
			t.Errorf("%s: exit code %d, stdout %q", addr, code, stdout.String())
		}
		for _, want := range []string{"refused to listen", "slotway keys new --name", "server.auth.keys_file=", "--addr 127.0.0.1", "server.auth.open=i_know"} {
			if !strings.Contains(stderr.String(), want) {
				t.Errorf("%s: nothing of %q in %q", addr, want, stderr.String())
			}
		}
		if _, err := os.Stat(dir); !os.IsNotExist(err) {
			t.Errorf("%s: the data folder was made: %v", addr, err)
		}
	}
}

// The one word opens it, and no other.
func TestOpenTakesOneWord(t *testing.T) {
	for value, ok := range map[string]bool{"": true, "i_know": true, "true": false, "yes": false, "I_KNOW": false} {
		_, err := config.LoadSettings("", []string{"HOME=" + t.TempDir()}, map[string]string{"server.auth.open": value})
		if (err == nil) != ok {
			t.Errorf("server.auth.open=%q: %v", value, err)
		}
	}
}

// There is one listener, and guard is asked about it: who adds another must ask, too.
func TestServeIsTheOnlyListener(t *testing.T) {
	listens := regexp.MustCompile(`\b(Listen(TCP|Unix|Config|Packet|AndServe|AndServeTLS)?\(|net\.ListenConfig)`)
	found := map[string]bool{}
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, d fs.DirEntry, err error) error {
		switch name := filepath.Base(path); {
		case err != nil:
			return err
		case d.IsDir() && (name == "scripts" || strings.HasSuffix(name, "test") || name == ".git"):
			return filepath.SkipDir // tools of the developers, servers of tests
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err == nil && listens.Match(text) {
			found[filepath.ToSlash(path)] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 1 || !found["../../cmd/slotway/serve.go"] {
		t.Errorf("listeners in %v", found)
	}
}
